import { holdsIn } from '../../requirements/holds.ts';
import { operationOn } from '../facts/operation.ts';
import { demand, eachPod, evidenceOf, need } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';
import { drainsFirst } from './causes.ts';
import { sightMarks } from './retirement/held.ts';

/** LM-11: what the protocol refuses keeps its drain window for whatever else deletes its Pod: here, our own delete. */
function refusedStillDrains(of: PodCase): Finding {
  const { pod, facts } = of;
  const D = need(pod.D, `no delete of ${pod.name} is in the history`, 'the action that deletes it');
  const operation = need(
    operationOn(facts, pod),
    `no retirement names ${pod.name}`,
    'a scale-down of a prefill or decode role behind a router',
  );
  const refused = operation.sights.filter(
    (s) => s.state === 'Draining' && holdsIn(s.reason).includes('split') && s.at[1] < D.at[0],
  );
  demand(
    refused.length > 0,
    `${pod.name} is not known to be refused before its delete: ${operation.sights.at(-1)?.reason ?? ''}`,
    'status.retirement with the reason of a refusal, seen before the delete',
    sightMarks(operation.sights.slice(-1)),
  );
  const letGo = operation.sights.find((s) => s.state === 'Deleting' || s.state === 'Settling');
  demand(
    letGo === undefined,
    `the protocol itself lets ${pod.name} go`,
    'a replica that the protocol refuses',
    letGo && sightMarks([letGo]),
  );
  const finding = drainsFirst({ ...of, decision: { ...of.decision, part: 'delete' } });
  return {
    ...finding,
    seen: `${finding.seen}; refused before it: ${refused[0]?.reason ?? ''}`,
    evidence: [...evidenceOf({ marks: sightMarks(refused).slice(0, 1) }), ...finding.evidence].slice(0, 8),
  };
}

/** What the page admits of prefill and decode replicas. */
export const splitLimits: Record<string, Rule> = {
  'GS-LM-11': eachPod('refused, and S >= min(x, D + G - 5) once we delete it', refusedStillDrains),
};
