import { beginningOf, secondsFrom } from '../../compare.ts';
import { discoveredOf, firstMark, marksOf } from '../../facts/dynamo.ts';
import { demand, eachPod, evidenceOf, given } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks, names } from '../cut-requests.ts';
import { completes } from './frontend.ts';
import { endsSoonAfter, instant, isRefused, requestsGiven, surelyOver, undisturbed } from './given.ts';
import { remainsUntil } from './order.ts';

const RETURNS = 'E in [runtime.shutdown(), runtime.shutdown() + late] while a request runs';

/** ED-02: the endpoint returns at once, so that the component ends although a request still runs on it. */
function returnsAtOnce(of: PodCase): Finding {
  const { facts, pod } = of;
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  const E = instant(pod.E, `the end of ${pod.name}`);
  const ran = requestsGiven(of, 'open').filter(
    (q) => q.sent && q.sent.at[1] < runtime.at[0] && (q.due ?? 0) > surelyOver(of, runtime),
  );
  const evidence = evidenceOf(runtime, E, { marks: requestMarks(ran) });
  const whole = ran.filter((q) => q.kind === 'complete');
  if (whole.length > 0) {
    const seen = `${pod.name} waited for ${names(whole)}, until ${secondsFrom(facts, runtime.at, E.at[1])} after runtime.shutdown()`;
    return { outcome: 'fail', formula: RETURNS, seen, evidence };
  }
  const found = endsSoonAfter(of, RETURNS, E, runtime, [{ marks: requestMarks(ran) }]);
  const running = ran.filter((q) => q.cut && (q.end?.data.tokens ?? 0) > 0);
  demand(running.length > 0, `no request is known to run at runtime.shutdown() of ${pod.name}`, 'one that outlasts it');
  return { ...found, seen: `${found.seen}; ${names(running)}` };
}

const WAITS = 'running at runtime.shutdown(): waited for, and whole';

/**
 * ED-03: a request runs on the component when its endpoints are invalidated, as its own count says; it ends whole, and the
 * component leaves with 0 after that. `given.part` is `frontend` for the one that has a drain of its own.
 */
function roleWaits(of: PodCase): Finding {
  if (given.text(of.given, 'part') === 'frontend') return completes(of);
  const { facts, pod } = of;
  const { K, G } = beginningOf(of);
  const E = instant(pod.E, `the end of ${pod.name}`);
  const open = requestsGiven(of, 'open').filter((q) => q.sent && q.sent.at[1] < K.at[0]);
  const waiting = marksOf(facts, pod, 'waiting').find(({ fields }) => Number(fields['inflight_count']) > 0);
  const evidence = evidenceOf(K, waiting, E, { marks: requestMarks(open) });
  const lost = open.filter((q) => q.cut || isRefused(q));
  if (lost.length > 0) {
    undisturbed(of);
    const { gone } = discoveredOf(facts, pod);
    if (gone) remainsUntil(of, gone, Math.min(K.at[0], pod.D?.at[0] ?? Infinity));
    return { outcome: 'fail', formula: WAITS, seen: `${names(lost)} ran when ${pod.name} was deleted`, evidence };
  }
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  instant(waiting, `that ${pod.name} waits for a request`);
  const whole = open.filter((q) => q.kind === 'complete' && q.over && q.over[0] > runtime.at[1]);
  demand(whole.length > 0, `no request on ${pod.name} is known to end whole after runtime.shutdown()`, 'one that does');
  const seen = `${pod.name} waits for ${String(waiting?.fields['inflight_count'])}; ${names(whole)}; it ended with ${E.exitCode ?? 'an unknown code'}`;
  demand(E.exitCode === 0 && E.at[1] < K.at[0] + G, seen, 'an end by itself, with 0', E.marks);
  return { outcome: 'pass', formula: WAITS, seen, evidence };
}

/** Which endpoints wait. */
export const dynamoEndpoints: Record<string, Rule> = {
  'DY-ED-02': eachPod(RETURNS, returnsAtOnce),
  'DY-ED-03': eachPod(WAITS, roleWaits),
};
