import type { DifferenceName } from '../../requirements/differences.ts';
import { drainWindow as c } from '../../requirements/drain-window.ts';
import { toldApart } from '../difference.ts';
import { actionsOn } from '../facts/life.ts';
import { condition } from '../facts/objects.ts';
import type { Instant } from '../facts/pod.ts';
import { requestsOn } from '../facts/work.ts';
import { eachPod, evidenceOf, given, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Departure } from '../signal.ts';
import type { Finding } from '../verdict.ts';

/** The mark that proves what deleted the Pod. @throws Undecided */
export function proofOf(of: PodCase, { D }: Departure): Instant['marks'] {
  const { pod, facts, decision } = of;
  const ours = actionsOn(facts.all, pod);
  const ourVerb = (verb: string) =>
    ours.find((a) => a.sent?.verb === verb && a.answered !== undefined && a.answered.data.status < 300);
  const disrupted = (reason: string) =>
    pod.sightings.find(
      (s) =>
        condition(s.object, 'DisruptionTarget')?.status === 'True' &&
        condition(s.object, 'DisruptionTarget')?.reason === reason,
    );
  switch (decision.part) {
    case 'delete': {
      const action = ourVerb('delete');
      demand(
        action?.answered !== undefined && !ours.some((a) => a.sent?.verb === 'evict'),
        `no accepted delete of ${pod.name} by us is in the history`,
        'action.sent and action.answered of the delete',
      );
      return [{ mark: action.answered, what: `delete of ${pod.name} answered ${action.answered.data.status}` }];
    }
    case 'eviction': {
      const action = ourVerb('evict');
      const mark = disrupted('EvictionByEvictionAPI');
      demand(
        action?.answered !== undefined && mark !== undefined,
        `the eviction of ${pod.name} is not proven`,
        'the 201 of the eviction and the condition DisruptionTarget, EvictionByEvictionAPI',
      );
      return [
        { mark: action.answered, what: `eviction answered ${action.answered.data.status}` },
        { mark, what: 'DisruptionTarget: EvictionByEvictionAPI' },
      ];
    }
    case 'preemption': {
      const mark = disrupted('PreemptionByScheduler');
      demand(
        mark !== undefined && ours.length === 0,
        `the preemption of ${pod.name} is not proven`,
        'the condition DisruptionTarget, PreemptionByScheduler, and no delete of ours',
      );
      return [{ mark, what: 'DisruptionTarget: PreemptionByScheduler' }];
    }
    case 'rollout': {
      const edits = [...facts.all.actions.values()].filter(
        (a) => ['edit', 'patch', 'update'].includes(a.sent?.verb ?? '') && a.answered && a.answered.data.status < 300,
      );
      const named = given.text(of.given, 'edit');
      const edit = edits.find((a) => (named === undefined || a.id === named) && a.sent && a.sent.at[0] <= D.at[1]);
      const versions = (facts.all.objects.get('ModelDeployment') ?? []).filter(
        (s) => s.object.metadata.name === pod.deployment,
      );
      const before = edit?.sent ? versions.filter((s) => s.at[1] <= (edit.sent?.at[0] ?? 0)) : [];
      const generation = (list: typeof versions) => Math.max(...list.map((s) => s.object.metadata.generation ?? 0));
      const rose = versions.find((s) => before.length > 0 && (s.object.metadata.generation ?? 0) > generation(before));
      demand(
        edit?.answered !== undefined && rose !== undefined && ours.length === 0,
        `the rollout that deletes ${pod.name} is not proven`,
        'an accepted edit, a higher generation of the ModelDeployment after it, and no delete of ours',
      );
      return [
        { mark: edit.answered, what: 'edit accepted' },
        { mark: rose, what: `generation ${rose.object.metadata.generation}` },
      ];
    }
    default:
      demand(
        false,
        `the decision names the cause "${decision.part ?? ''}"`,
        'part: delete, eviction, preemption or rollout',
      );
      return [];
  }
}

/** DW-01: whatever deleted its Pod, the replica drains before its engine is signalled. */
export function drainsFirst(of: PodCase): Finding {
  const departure = departureOf(of);
  const { pod, facts, scale } = of;
  const { D, work } = departure;
  const proof = proofOf(of, departure);
  const open = requestsOn(pod, facts.requests).filter(
    (q) =>
      q.sent &&
      q.sent.at[1] < D.at[0] &&
      (q.over === undefined || q.over[0] > D.at[1] || (q.cut && q.over[1] > D.at[0])),
  );
  demand(
    open.length > 0,
    `no stream on ${pod.name} is known to be open at its delete`,
    'a stream on the victim from before the delete',
    [...D.marks, ...proof],
  );
  const finding = judgeSignal(departure, 'work');
  const evidence = evidenceOf({ marks: proof }, D, departure.S, work);
  const early = finding.outcome === 'fail';
  const waited = work.kind === 'outlasts' || (work.kind === 'ends' && work.x[0] > D.at[1] + scale.toMs(c.settle + 2));
  demand(
    early || waited,
    `the work on ${pod.name} ends before D + 7: a hook that waits for nothing would pass`,
    'a stream that ends later',
    work.marks,
  );
  const told = { ...finding, evidence };
  return given.text(of.given, 'difference') === ABSENT ? ofAbsentGauges(departure, told) : told;
}

const ABSENT: DifferenceName = 'hook-absent-gauge-is-idle';

/** For a replica that works and shows none of the gauges: only then a signal that comes too early is the known difference. */
function ofAbsentGauges({ of: { pod }, D, S }: Departure, finding: Finding): Finding {
  const seen = pod.samples.filter((s) => s.data.status === 200 && s.at[0] >= D.at[0] && s.at[1] < S.at[0]);
  const [first] = seen;
  demand(
    first !== undefined && seen.every(({ data }) => Object.values(data.values).every((value) => value === null)),
    `the gauges of ${pod.name} were not absent between its delete and its signal`,
    'reads of its gauges that are answered and show none of them',
  );
  const evidence = [
    ...evidenceOf({ marks: [{ mark: first, what: 'answered without the gauges' }] }),
    ...finding.evidence,
  ];
  return toldApart({ ...finding, evidence: evidence.slice(0, 8) }, ABSENT);
}

export const causes: Record<string, Rule> = {
  'GS-DW-01': eachPod('S >= min(x, D + G - 5), whatever deleted the Pod', drainsFirst),
};
