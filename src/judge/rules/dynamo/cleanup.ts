import { commandsOn, firstMark } from '../../facts/dynamo.ts';
import type { End, Instant } from '../../facts/pod.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { endedAlone, endsSoonAfter, instant, requestsGiven, surelyOver } from './given.ts';

/** What stood in the folder of temporary files before the signal, and what of it was there after the exit. */
interface Files {
  before: string[];
  left: string[];
  marks: Instant['marks'];
}

const lines = (text: string): string[] => text.split('\n').filter((name) => name !== '');

/**
 * The container that starts again finds the files of the one before it in what outlives both, a volume; its own have other
 * names.
 */
function filesOf(of: PodCase, E: End): Files {
  const { facts, pod } = of;
  const looks = commandsOn(facts, pod, 'list-files');
  const first = instant(looks[0], `a look at the files of ${pod.name} before its end`);
  const second = instant(
    looks.find((look) => look.at[0] > E.at[1]),
    `a look at the files of ${pod.name} after its end`,
  );
  const before = lines(first.said);
  demand(first.at[1] < E.at[0] && before.length > 0, `${pod.name} had no temporary files`, 'some before the signal');
  const after = new Set(lines(second.said));
  return { before, left: before.filter((name) => after.has(name)), marks: [...first.marks, ...second.marks] };
}

function endOf({ pod }: PodCase): End {
  const E = instant(pod.E, `the end of ${pod.name}`);
  need(E.exitCode, `the exit code of ${pod.name} is not known`, 'its status after the end');
  return E;
}

const REMOVED = '"Cleaning up worker"; files before the signal: none of them after the exit';

/** CL-01: the vLLM worker says that it cleans up, and neither its folders nor its engine's memory are left. */
function vllmCleansUp(of: PodCase): Finding {
  const { facts, pod } = of;
  const E = endOf(of);
  const cleanup = instant(firstMark(facts, pod, 'cleanup'), `${pod.name} clean up`);
  const { before, left, marks } = filesOf(of, E);
  const evidence = evidenceOf(cleanup, E, { marks });
  if (left.length > 0)
    return { outcome: 'fail', formula: REMOVED, seen: `${pod.name} left ${left.join(', ')}`, evidence };
  const seen = `${before.join(', ')} of ${pod.name} are gone; it ended with ${E.exitCode}`;
  demand(E.exitCode === 0, seen, 'an end with 0', E.marks);
  return { outcome: 'pass', formula: REMOVED, seen, evidence };
}

const CANCELLED = 'E <= drained + late, with a task pending; files before the signal: none of them after the exit';

/** CL-02: a task that is far from done does not keep the SGLang worker, and its engine leaves nothing. */
function sglangCleansUp(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const E = endOf(of);
  const teardown = instant(firstMark(facts, pod, 'teardown'), `${pod.name} end its wait for requests`);
  const pending = need(
    given.number(of.given, 'pendingFor'),
    'how long the task takes is not given',
    'given.pendingFor',
  );
  const most = surelyOver(of, teardown);
  const tasks = requestsGiven(of, 'pending').filter(
    (q) => q.sent && q.sent.at[1] < teardown.at[0] && q.sent.at[0] + scale.toMs(pending) > most,
  );
  demand(tasks.length > 0, `no task of ${pod.name} is known to be pending at its end`, 'one that lasts longer');
  const found = endsSoonAfter(of, CANCELLED, E, teardown);
  if (found.outcome !== 'pass') return found;
  const { left, marks } = filesOf(of, E);
  if (left.length > 0)
    return {
      ...found,
      outcome: 'fail',
      seen: `${pod.name} left ${left.join(', ')}`,
      evidence: evidenceOf(E, { marks }),
    };
  const engine = instant(firstMark(facts, pod, 'engine-shut-down'), `the engine of ${pod.name} shut down`);
  demand(E.exitCode === 0, `${pod.name} ended with ${E.exitCode}`, 'an end with 0', E.marks);
  return { ...found, seen: `${found.seen}; nothing left`, evidence: evidenceOf(teardown, engine, E, { marks }) };
}

const GOES_ON = 'the error of the engine is logged, and the exit goes on, with 0';

/** CL-03: the shutdown of the TensorRT-LLM engine fails, and the worker still ends as it should. */
function trtllmCleansUp(of: PodCase): Finding {
  const { facts, pod } = of;
  const E = endOf(of);
  const teardown = firstMark(facts, pod, 'teardown');
  const evidence = evidenceOf(teardown, E);
  const ended = `${pod.name} ended with ${E.exitCode}`;
  endedAlone(of, E);
  if (E.exitCode !== 0) return { outcome: 'fail', formula: GOES_ON, seen: ended, evidence };
  const error = instant(firstMark(facts, pod, 'cleanup-error'), `the error of the clean-up of ${pod.name}`);
  const seen = `"${String(error.fields['message'])}"; ${ended}`;
  return { outcome: 'pass', formula: GOES_ON, seen, evidence: evidenceOf(teardown, error, E) };
}

/** What each backend's worker cleans up. */
export const dynamoCleanup: Record<string, Rule> = {
  'DY-CL-01': eachPod(REMOVED, vllmCleansUp),
  'DY-CL-02': eachPod(CANCELLED, sglangCleansUp),
  'DY-CL-03': eachPod(GOES_ON, trtllmCleansUp),
};
