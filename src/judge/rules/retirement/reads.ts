import { holdsIn } from '../../../requirements/holds.ts';
import { secondsFrom } from '../../compare.ts';
import type { ReadLine, Sample } from '../../facts/collected.ts';
import { versionOf } from '../../facts/objects.ts';
import { began, entered } from '../../facts/operation.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { sumOf } from '../../facts/work.ts';
import { demand, evidenceOf, need } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { sightMarks } from './held.ts';

export const drainingOf = (of: OperationCase) =>
  need(
    entered(of.operation, 'Draining'),
    `the operation on ${of.operation.deployment} never came to Draining: ${of.operation.sights.at(-1)?.reason}`,
    'a router that shows that the target has left its selection',
  );

/** Reads of a Pod's gauges over its loopback between two instants: before the delete they are the protocol's. */
export const readsBetween = (pod: PodFacts, from: number, to: number): ReadLine[] =>
  pod.reads.filter((r) => r.at[1] >= from && r.at[0] < to);

/**
 * Before when a Pod was not deleted yet, as far as is known: the state that announces the delete was stored before it.
 * Undefined: it was not deleted. A read of the hook comes five seconds later at the earliest.
 */
export function undeletedUntil({ operation }: OperationCase, pod: PodFacts): number | undefined {
  if (!pod.D) return undefined;
  const deleting = operation.sights.find((s) => s.state === 'Deleting');
  const announced = deleting && pod.leaving && versionOf(deleting.object) < versionOf(pod.leaving.object);
  return Math.max(pod.D.at[0], announced ? deleting.at[0] : -Infinity);
}

export const readMarks = (reads: readonly ReadLine[]) =>
  reads.slice(-3).map((mark) => ({ mark, what: `read of /metrics from ${mark.client}` }));

const readsOf = (of: OperationCase): { pod: PodFacts; reads: ReadLine[] }[] =>
  of.targets.map((pod) => ({
    pod,
    reads: readsBetween(
      pod,
      began(of.operation).at[0],
      undeletedUntil(of, pod) ?? of.facts.all.windowEnded?.at[1] ?? Infinity,
    ),
  }));

/** RP-14: by exec in the member over loopback. A read from elsewhere is one that did not come from inside the Pod. */
function overLoopback(of: OperationCase): Finding {
  const formula = 'reads of the protocol come from inside the member';
  const draining = drainingOf(of);
  const start = began(of.operation);
  const all = readsOf(of);
  const foreign = of.targets.flatMap((pod) =>
    (of.facts.all.pods.get(pod.uid)?.reads ?? []).filter(
      (r) =>
        r.at[0] > start.at[1] &&
        !pod.reads.includes(r) &&
        of.facts.pods.some((other) => other.uid !== pod.uid && other.ip === r.client),
    ),
  );
  const inside = all.flatMap(({ reads }) => reads);
  const seen = `${inside.length} reads over loopback before the delete, ${foreign.length} from other Pods`;
  if (foreign.length > 0 && inside.length === 0)
    return { outcome: 'fail', formula, seen, evidence: evidenceOf(draining, { marks: readMarks(foreign) }) };
  demand(inside.length >= 2, `${seen}`, 'the log of the member, with its access lines');
  return { outcome: 'pass', formula, seen, evidence: evidenceOf(draining, { marks: readMarks(inside) }) };
}

export const idle = (s: Sample): boolean => sumOf(s) === 0;
export const busy = (s: Sample): boolean => (sumOf(s) ?? 0) > 0;

/** RP-16: two complete idle reads come before the delete. Work between the first and the second shows one that did not wait. */
function twoIdleReads(of: OperationCase): Finding {
  const formula = 'two idle reads before the delete';
  const draining = drainingOf(of);
  const [target] = of.targets;
  const pod = need(target, 'the target is not in the history', 'a watch of Pods');
  const working = workAfterFirstRead(of, pod);
  const D = pod.D;
  if (working && D && D.at[1] < working.until) {
    return {
      outcome: 'fail',
      formula,
      seen: `${pod.name} deleted ${secondsFrom(of.facts, draining.at, D.at[1])} after Draining, after one idle read: its gauges were above 0 from then on`,
      evidence: evidenceOf(
        draining,
        { marks: readMarks(working.reads) },
        { marks: [{ mark: working.sample, what: 'gauges above 0' }] },
        D,
      ),
    };
  }
  const deleted = need(D, `${pod.name} was not deleted`, 'an operation that ends with the delete');
  const idleFrom =
    pod.samples.filter((s) => busy(s) && s.at[0] < (undeletedUntil(of, pod) ?? deleted.at[0])).at(-1)?.at[1] ??
    draining.at[0];
  const until = undeletedUntil(of, pod) ?? deleted.at[0];
  const reads = readsBetween(pod, Math.max(idleFrom, draining.at[0]), until).filter((r) => r.status === 200);
  const seen = `${reads.length} reads between the last work and the delete of ${pod.name}`;
  demand(reads.length >= 2, seen, 'the log of the member, with its access lines', readMarks(reads));
  demand(
    pod.samples.some((s) => idle(s) && s.at[0] >= idleFrom && s.at[1] < deleted.at[1]),
    `${pod.name} is not known to be idle before the delete`,
    'reads of its gauges',
  );
  return { outcome: 'pass', formula, seen, evidence: evidenceOf(draining, { marks: readMarks(reads) }, deleted) };
}

/** Work that came after the protocol's first idle read; until when it is known to last. */
function workAfterFirstRead(
  of: OperationCase,
  pod: PodFacts,
): { reads: ReadLine[]; sample: Sample; until: number } | undefined {
  const draining = drainingOf(of);
  const before = pod.samples.filter((s) => s.at[1] <= draining.at[1]).at(-1);
  const sample = pod.samples.find((s) => busy(s) && s.at[0] > draining.at[0]);
  if (!sample || (before && busy(before))) return undefined;
  const reads = readsBetween(pod, draining.at[0], sample.at[1]);
  if (reads.length === 0) return undefined;
  const next = pod.samples.find((s) => s.at[0] > sample.at[1] && !busy(s));
  const until = pod.samples.filter((s) => busy(s) && s.at[0] >= sample.at[0] && (!next || s.at[1] < next.at[0])).at(-1)
    ?.at[0];
  return { reads, sample, until: until ?? sample.at[0] };
}

/** RP-17: a second read that finds work holds the operation. */
function secondReadHolds(of: OperationCase): Finding {
  const formula = 'work after the first idle read: not deleted while it lasts';
  const draining = drainingOf(of);
  const pod = need(of.targets[0], 'the target is not in the history', 'a watch of Pods');
  const work = need(
    workAfterFirstRead(of, pod),
    `no work began on ${pod.name} between the first and the second read`,
    'an engine that becomes busy with the first read of the protocol',
  );
  const evidence = evidenceOf(
    draining,
    { marks: readMarks(work.reads) },
    { marks: [{ mark: work.sample, what: 'gauges above 0' }] },
    pod.D,
  );
  if (pod.D && pod.D.at[1] < work.until) {
    const seen = `${pod.name} deleted ${secondsFrom(of.facts, draining.at, pod.D.at[1])} after Draining, its gauges above 0`;
    return { outcome: 'fail', formula, seen, evidence };
  }
  const named = of.operation.sights.filter((s) => s.state === 'Draining' && holdsIn(s.reason).includes('working'));
  const lasts = work.until - work.sample.at[1];
  const seen = `work for ${of.facts.scale.toSeconds(lasts).toFixed(1)} s after the first read, held: ${named.at(-1)?.reason ?? '-'}`;
  demand(
    named.length > 0 && lasts > of.scale.toMs(3),
    seen,
    'a reason that names the work, and work that lasts for 3 s',
    sightMarks(named),
  );
  return {
    outcome: 'pass',
    formula,
    seen,
    evidence: [...evidence, ...evidenceOf({ marks: sightMarks(named.slice(0, 2)) })],
  };
}

/** How often, and from where, the protocol reads its members. */
export const retirementReads: Readonly<Record<string, Rule>> = {
  'GS-RP-14': eachOperation('reads of the protocol come from inside the member', overLoopback),
  'GS-RP-16': eachOperation('two idle reads before the delete', twoIdleReads),
  'GS-RP-17': eachOperation('work after the first idle read: not deleted while it lasts', secondReadHolds),
};
