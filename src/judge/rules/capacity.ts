import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, fromDelete, secondsFrom, killWithin } from '../compare.ts';
import type { Sighting } from '../facts/collected.ts';
import { earliest } from '../facts/mark.ts';
import { condition, labels, endOfMain, versionOf } from '../facts/objects.ts';
import type { PodFields } from '../facts/objects.ts';
import type { PodFacts } from '../facts/pod.ts';
import { workOf } from '../facts/work.ts';
import { decide, eachPod, evidenceOf, given, need, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';

const isBound = (pod: PodFields) => Boolean(pod.spec.nodeName) || condition(pod, 'PodScheduled')?.status === 'True';
/** The binding itself, before the kubelet has touched the Pod: later sights are of no use to date it. */
const isFresh = (pod: PodFields) => pod.status?.startTime === undefined && !pod.status?.containerStatuses?.length;

/** The accelerator: a Pod that waits for it is bound not before the victim's engine has ended, and soon after. */
function accelerator(of: PodCase): Finding {
  const { pod, facts } = of;
  const { D, K, G } = beginningOf(of);
  const formula = 'bound in [E, min(E, K + G + kill) + release]';
  const name = need(given.text(of.given, 'waiting'), 'the decision names no waiting Pod', 'given.waiting');
  const waiting = need(
    facts.pods.find((p) => p.name === name),
    `the Pod ${name} is not in the history`,
    'a Pod that needs the accelerator',
  );
  const E = need(
    pod.E,
    `the end of main of ${pod.name} is not in the history`,
    'a status of the Pod with its terminated container',
  );
  const unbound = waiting.sightings.filter((s) => !isBound(s.object));
  const before = unbound.some((s) => s.at[0] <= D.at[1]);
  const preempts = of.pod.sightings.some(
    (s) => condition(s.object, 'DisruptionTarget')?.reason === 'PreemptionByScheduler',
  );
  demand(
    before || (preempts && unbound.length > 0),
    `${name} is not known to wait at the delete`,
    'a Pod that is Pending before the delete',
  );
  const bound = earliest(waiting.sightings.filter((s) => isBound(s.object)));
  const ended = firstEnd(pod);
  const marks = [
    ...(bound ? [{ mark: bound, what: `${name} is bound` }] : []),
    ...(ended ? [{ mark: ended, what: `main of ${pod.name} seen ended` }] : []),
  ];
  const evidence = evidenceOf({ marks }, D, E);
  const kill = killWithin(facts) + tolerances.release.value * 1000;
  const stalls = facts.widener.stalledBetween(D.at[0], bound?.at[1] ?? E.at[1]);
  const seen = `${name} bound ${bound ? secondsFrom(facts, D.at, bound.at[1]) : 'never'}, main of ${pod.name} ended in [${secondsFrom(facts, D.at, E.at[0])}, ${secondsFrom(facts, D.at, E.at[1])}] after the delete`;
  const interval = bound && fromDelete(facts, D.at, bound.at);
  const base = { formula, seen, evidence, ...(interval ? { interval } : {}) };
  const late = E.at[0] > K.at[1] + G + kill + stalls;
  if (late) return { ...base, seen: `${seen}: the engine outlives the grace`, outcome: 'fail' };
  if (!bound) return { ...base, outcome: 'inconclusive', wouldDecide: `a window that goes on until ${name} is bound` };
  const lastUnbound = Math.max(-Infinity, ...unbound.map((s) => s.at[0]));
  const exact = isFresh(bound.object) && bound.type !== 'deleted';
  const boundAt = [exact ? bound.at[0] : lastUnbound, bound.at[1]] as const;
  if (boundAt[1] < E.at[0]) return { ...base, outcome: 'fail', seen: `${seen}: before the end` };
  const release = tolerances.release.value * 1000;
  if (boundAt[0] > E.at[1] + release + stalls) return { ...base, outcome: 'fail', seen: `${seen}: long after the end` };
  const after =
    boundAt[0] >= E.at[1] || (exact && ended !== undefined && versionOf(bound.object) > versionOf(ended.object));
  if (after && boundAt[1] <= E.at[1] + release) return { ...base, outcome: 'pass' };
  return {
    ...base,
    outcome: 'inconclusive',
    wouldDecide: 'the binding itself, and the first sight of the end, in a watch without a gap',
  };
}

/** First sight of the end of `main`, where it is the very change and not a later sight of it. */
function firstEnd(pod: PodFacts): Sighting<PodFields> | undefined {
  const first = earliest(pod.sightings.filter((s) => endOfMain(s.object) !== undefined));
  return first?.type === 'modified' && first.object.metadata.deletionGracePeriodSeconds !== 0 ? first : undefined;
}

/** The quota: the Workload of the victim keeps its reservation until the engine has ended. */
function quota(of: PodCase): Finding {
  const { pod, facts } = of;
  const { D } = beginningOf(of);
  const formula = 'QuotaReserved in [D, E]';
  const E = need(
    pod.E,
    `the end of main of ${pod.name} is not in the history`,
    'a status of the Pod with its terminated container',
  );
  const group = pod.newest.metadata.labels?.[labels.podGroup];
  const own = (facts.all.objects.get('Workload') ?? []).filter(
    ({ object: { metadata } }) =>
      metadata.ownerReferences?.some((o) => o.uid === pod.uid) || (group !== undefined && metadata.name === group),
  );
  demand(own.length > 0, `no Workload of ${pod.name} is in the history`, 'a watch of Workloads');
  const reserved = (s: Sighting) =>
    condition(s.object, 'QuotaReserved')?.status === 'True' && condition(s.object, 'Finished')?.status !== 'True';
  demand(
    own.some((s) => reserved(s) && s.at[0] <= D.at[1]),
    `the Workload of ${pod.name} is not known to hold quota at the delete`,
    'its QuotaReserved = True',
    own.slice(0, 2).map((mark) => ({ mark, what: 'Workload' })),
  );
  const released = earliest(own.filter((s) => (!reserved(s) || s.type === 'deleted') && s.at[1] > D.at[0]));
  const evidence = evidenceOf(D, { marks: released ? [{ mark: released, what: 'quota released' }] : [] }, E);
  const seen = `quota of ${pod.name} released ${released ? secondsFrom(facts, D.at, released.at[1]) : 'never'}, ended in [${secondsFrom(facts, D.at, E.at[0])}, ${secondsFrom(facts, D.at, E.at[1])}] after the delete`;
  const base = { formula, seen, evidence };
  if (released && released.at[1] < E.at[0]) return { ...base, outcome: 'fail' };
  // A Workload that still holds its quota in the sight of its removal held it until then.
  const held =
    released === undefined ||
    (released.type === 'deleted' && reserved(released)) ||
    dated(released, facts.manifest.startedAt);
  const ended = firstEnd(pod);
  const later =
    released === undefined ||
    released.at[0] >= E.at[1] ||
    (ended !== undefined && versionOf(released.object) > versionOf(ended.object));
  if (held && later) return { ...base, outcome: 'pass' };
  return { ...base, outcome: 'inconclusive', wouldDecide: 'the release of the quota in a watch without a gap' };
}

/** The condition says itself that it changed about when it was seen: to whole seconds. */
function dated(sighting: Sighting, startedAt: string): boolean {
  const stamp = condition(sighting.object, 'QuotaReserved')?.lastTransitionTime;
  return stamp !== undefined && Math.abs(Date.parse(stamp) - (Date.parse(startedAt) + sighting.event.at[1])) < 1500;
}

/** Accelerator and quota; the quota where the decision asks for it, or the history knows Workloads. */
function both(of: PodCase): Finding[] {
  const asked = of.given['quota'] ?? of.facts.all.objects.has('Workload');
  return [...decide('the accelerator', () => accelerator(of)), ...(asked ? decide('the quota', () => quota(of)) : [])];
}

/** DW-14: a busy replica. */
function busyKeeps(of: PodCase): Finding[] {
  const { pod, facts, scale } = of;
  const { D } = beginningOf(of);
  const instant = pod.S ?? pod.E;
  if (instant) {
    const work = workOf(pod, facts.requests, instant.at, scale);
    const busy = work.kind === 'outlasts' || work.x[0] > D.at[1];
    demand(busy, `no work on ${pod.name} after its delete is known`, 'a request on the victim', work.marks);
  }
  return both(of);
}

/** DW-31: an idle replica whose engine is slow to stop. */
function slowKeeps(of: PodCase): Finding[] {
  const { pod, scale } = of;
  const S = need(pod.S, `the log of ${pod.name} has no mark of SIGTERM`, "the engine's own line about the signal");
  const E = need(
    pod.E,
    `the end of main of ${pod.name} is not in the history`,
    'a status of the Pod with its terminated container',
  );
  demand(
    E.at[0] - S.at[1] >= scale.toMs(3),
    `${pod.name} ends within 3 s of its signal, as far as is known`,
    'an engine that is slow to stop',
    E.marks,
  );
  return both(of);
}

export const capacity: Record<string, Rule> = {
  'GS-DW-14': eachPod('bound in [E, min(E, K + G + kill) + release]', busyKeeps),
  'GS-DW-31': eachPod('bound in [E, min(E, K + G + kill) + release]', slowKeeps),
};
