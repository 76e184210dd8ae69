import { beginningOf, secondsFrom } from '../../compare.ts';
import { firstMark, interruptOf, signalledOf } from '../../facts/dynamo.ts';
import { demand, eachPod, evidenceOf, given, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { completes, unhealthy } from './frontend.ts';
import { endedAlone, endedOfItself, instant, requestsGiven, signalledAgain } from './given.ts';
import { inOrder, leavesFirst } from './order.ts';

const STARTS = 'a request that runs at SIGTERM ends whole, and the exit code is 0';
const IDLE = 'idle at SIGTERM: its runtime is shut down, and the exit code is 0';

/**
 * SG-01: the component neither dies of the signal nor has to be killed: it finishes, and leaves with 0. `given.idle`: nothing runs
 * on it, so that its own lines tell that it took the steps.
 */
function leavesGracefully(of: PodCase): Finding {
  const { facts, pod } = of;
  const idle = of.given['idle'] === true;
  const formula = idle ? IDLE : STARTS;
  const { D, K, G } = beginningOf(of);
  const E = instant(pod.E, `the end of ${pod.name}`);
  const code = need(E.exitCode, `the exit code of ${pod.name} is not known`, 'its status after the end');
  endedOfItself(of, E, K, K.at[0] + G);
  const open = idle ? [] : requestsGiven(of, 'open');
  const running = open.filter((q) => q.sent && q.sent.at[1] < K.at[0] && (q.due ?? 0) > K.at[1]);
  const evidence = evidenceOf(D, K, E, { marks: requestMarks(running) });
  const seen = `${pod.name} ended with ${code} ${secondsFrom(facts, D.at, E.at[1])} after its delete`;
  if (code !== 0) return { outcome: 'fail', formula, seen, evidence };
  demand(E.at[1] < K.at[0] + G, `${seen}, when it would have been killed`, 'an earlier end');
  const S = instant(signalledOf(facts, pod), `the signal of ${pod.name}`);
  if (idle) {
    const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} shut its runtime down`);
    return { outcome: 'pass', formula, seen: `${seen}; nothing ran on it`, evidence: evidenceOf(D, S, runtime, E) };
  }
  const whole = running.filter((q) => q.kind === 'complete' && q.over && q.over[0] > S.at[1]);
  demand(
    whole.length > 0,
    `no request is known to run at the signal of ${pod.name} and to end whole`,
    'one that does',
    S.marks,
  );
  signalledAgain(of);
  return { outcome: 'pass', formula, seen: `${seen}; ${names(whole)} ran at the signal`, evidence };
}

const SAME = 'SIGINT: the steps of SIGTERM, and exit code 0';

/** SG-02: our own SIGINT, without a delete, starts what SIGTERM starts; `given.part` is `worker` or `frontend`. */
function sameOfInterrupt(of: PodCase): Finding[] {
  const { facts, pod } = of;
  const sent = instant(interruptOf(facts, pod), `a signal of ours to ${pod.name}`);
  const E = instant(pod.E, `the end of main of ${pod.name}`);
  const code = need(E.exitCode, `the exit code of ${pod.name} is not known`, 'its status after the end');
  const exit: Finding = {
    outcome: code === 0 ? 'pass' : 'fail',
    formula: SAME,
    seen: `main of ${pod.name} ended with ${code} after SIGINT`,
    evidence: evidenceOf(sent, E),
  };
  endedAlone(of, E);
  endedOfItself(of, E, sent);
  // What died of the signal took no step; that it did is the finding.
  if (code !== 0) return [exit];
  const steps = given.text(of.given, 'part') === 'frontend' ? [unhealthy, completes] : [inOrder, leavesFirst];
  return [exit, ...steps.map((step) => step(of))];
}

/** What a signal starts. */
export const dynamoSignals: Record<string, Rule> = {
  'DY-SG-01': eachPod(STARTS, leavesGracefully),
  'DY-SG-02': eachPod(SAME, sameOfInterrupt),
};
