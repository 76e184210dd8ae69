import { dynamo } from '../../../requirements/dynamo.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, upper } from '../../compare.ts';
import { commandsOn, firstMark, marksOf, stampedSpan } from '../../facts/dynamo.ts';
import type { End, Instant } from '../../facts/pod.ts';
import { demand, eachPod, evidenceOf, need } from '../../rule.ts';
import type { PodCase, Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { byStamps, instant, reversed, STAMPS_MS } from './given.ts';

/** The death of the engine, the end of the worker, and its code. */
function fatalOf(of: PodCase): { death: Instant; E: End; code: number } {
  const { facts, pod } = of;
  const [killed] = commandsOn(facts, pod, 'kill-engine');
  const death = instant(killed, `the death of the engine of ${pod.name}`);
  const E = instant(pod.E, `the end of ${pod.name}`);
  return { death, E, code: need(E.exitCode, `the exit code of ${pod.name} is not known`, 'its status after the end') };
}

/** Two lines of one log in the wrong order, by its own stamps where it has them; of one millisecond, by their place in it. */
function swapped(a: Instant, b: Instant): boolean {
  const span = stampedSpan(a, b);
  if (span === undefined) return reversed(a, b);
  return span === 0 ? placeOf(b) < placeOf(a) : span < 0;
}

const placeOf = ({ marks: [first] }: Instant): number => first?.mark.event.seq ?? NaN;

const withCode = (found: Finding, pod: string, code: number): Finding =>
  code === 1
    ? { ...found, seen: `${found.seen}; exit code 1` }
    : { ...found, outcome: 'fail', seen: `${pod} ended with ${code}, not 1, after the death of its engine` };

const SEEN = 'seen <= death + 2 + c; exit code 1';

/** ER-01. */
function seenInTime(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { death, E, code } = fatalOf(of);
  const seen = instant(firstMark(facts, pod, 'engine-failed'), `${pod.name} see the death of its engine`);
  const { healthCheck, arrival, processStart, late } = tolerances;
  const seconds = dynamo.healthCheckInterval + healthCheck.value;
  const overhead = (arrival.value + processStart.value) * 1000;
  const high = upper(of, death.at, seconds, overhead, seen.at, overhead + scale.toMs(late.value));
  const found = compare(of, {
    formula: SEEN,
    name: 'seen',
    instant: seen,
    since: { at: death.at, what: `the death of the engine of ${pod.name}` },
    // The command that kills takes its time to start.
    high: { ...high, pass: high.pass + processStart.value * 1000 },
    also: [death, E],
  });
  return withCode(found, pod.name, code);
}

const ORDER = 'error logged, engine shutdown, runtime.shutdown(), exit 1: in this order';

/** ER-04: the engine whose shutdown does not end tells by the line that gives it up where that shutdown stands. */
function vllmOrder(of: PodCase): Finding {
  const { facts, pod } = of;
  const { E, code } = fatalOf(of);
  const error = instant(firstMark(facts, pod, 'engine-failed'), `${pod.name} log the error`);
  const gaveUp = instant(firstMark(facts, pod, 'engine-timed-out'), `${pod.name} shut its engine down`);
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  const evidence = evidenceOf(error, gaveUp, runtime, E);
  const wrong = swapped(error, gaveUp)
    ? 'the engine is shut down before the error is logged'
    : swapped(gaveUp, runtime)
      ? 'runtime.shutdown() comes before the shutdown of the engine has ended'
      : undefined;
  if (wrong) return { outcome: 'fail', formula: ORDER, seen: wrong, evidence };
  const found: Finding = { outcome: 'pass', formula: ORDER, seen: 'the error, the engine, the runtime', evidence };
  return withCode(found, pod.name, code);
}

const BOUND = 'E <= seen + 30 + timer';

/** ER-05: an engine whose shutdown never ends delays `runtime.shutdown()`, and the exit behind it, by no more than its bound. */
function boundedShutdown(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { E } = fatalOf(of);
  const error = instant(firstMark(facts, pod, 'engine-failed'), `${pod.name} see the death of its engine`);
  const gaveUp = instant(
    firstMark(facts, pod, 'engine-timed-out'),
    `that the shutdown of the engine of ${pod.name} hung`,
  );
  const { timer, late } = tolerances;
  const { from, to } = byStamps(error, gaveUp);
  const overhead = scale.toMs(timer.value) + 2 * STAMPS_MS;
  const found = compare(of, {
    formula: BOUND,
    name: 'the end of the wait for the engine',
    instant: to,
    since: { at: from, what: `${pod.name} has seen the death of its engine` },
    high: upper(of, from, dynamo.engineShutdown, overhead, to.at, scale.toMs(late.value)),
    also: [error, E],
  });
  const soon = E.at[0] < gaveUp.at[1] + scale.toMs(late.value) + tolerances.statusDelay.value * 1000;
  demand(soon, `${pod.name} does not end when it waits no longer for its engine`, 'an end right behind it', E.marks);
  return found;
}

/** The line that tells of a failed clean-up; 1.6.1 has that of an ordinary one where its engine object tells it. */
const failedCleanup = ({ facts, pod }: PodCase): Instant =>
  instant(
    firstMark(facts, pod, 'fatal-cleanup-error') ?? firstMark(facts, pod, 'cleanup-error'),
    `the clean-up of ${pod.name} fail`,
  );

const FATAL = 'runtime.shutdown(), then the clean-up, then exit 1, although the clean-up fails';

/** ER-02: the error of the clean-up tells where it stands. */
function trtllmOrder(of: PodCase): Finding {
  const { facts, pod } = of;
  const { E, code } = fatalOf(of);
  const runtime = instant(firstMark(facts, pod, 'runtime'), `${pod.name} begin runtime.shutdown()`);
  const failed = failedCleanup(of);
  const evidence = evidenceOf(runtime, failed, E);
  if (swapped(runtime, failed))
    return { outcome: 'fail', formula: FATAL, seen: 'the clean-up comes before runtime.shutdown()', evidence };
  const seen = 'the runtime, then the clean-up, which fails';
  return withCode({ outcome: 'pass', formula: FATAL, seen, evidence }, pod.name, code);
}

const LINES = 'the warning with its cause first, the error of the clean-up, the critical line last';

/** ER-06. */
function trtllmLines(of: PodCase): Finding {
  const { facts, pod } = of;
  const { E } = fatalOf(of);
  const warning = instant(firstMark(facts, pod, 'fatal'), `the warning of ${pod.name}`);
  const failed = failedCleanup(of);
  const critical = instant(firstMark(facts, pod, 'forced-exit'), `the last line of ${pod.name}`);
  const evidence = evidenceOf(warning, failed, critical, E);
  const first = String(warning.fields['message']);
  const before = [...marksOf(facts, pod, 'runtime'), failed, critical].some((line) => swapped(warning, line));
  const wrong = !/ due to: \S/.test(first)
    ? `"${first}" names no cause`
    : before
      ? 'the warning is not the first line'
      : swapped(failed, critical)
        ? 'the critical line is not the last one'
        : undefined;
  if (wrong) return { outcome: 'fail', formula: LINES, seen: wrong, evidence };
  return { outcome: 'pass', formula: LINES, seen: `"${first}", the error, the critical line`, evidence };
}

const RESTARTS = 'exit code not 0, and the container starts again';

/** ER-03: any code restarts a container under `Always`: the code itself has to tell of the error, too. */
function restarts(of: PodCase): Finding {
  const { pod } = of;
  const { death, E, code } = fatalOf(of);
  const evidence = evidenceOf(death, E);
  if (code === 0)
    return { outcome: 'fail', formula: RESTARTS, seen: `${pod.name} ended with 0 after a fatal error`, evidence };
  const again = pod.sightings.find(({ object }) =>
    object.status?.containerStatuses?.some((c) => c.name === 'main' && (c.restartCount ?? 0) > 0 && c.state?.running),
  );
  demand(again !== undefined, `nobody saw main of ${pod.name} run again`, 'a longer window', E.marks);
  return { outcome: 'pass', formula: RESTARTS, seen: `${pod.name} ended with ${code}, and runs again`, evidence };
}

/** Shutdowns that an error starts. */
export const dynamoErrors: Record<string, Rule> = {
  'DY-ER-01': eachPod(SEEN, seenInTime),
  'DY-ER-02': eachPod(FATAL, trtllmOrder),
  'DY-ER-03': eachPod(RESTARTS, restarts),
  'DY-ER-04': eachPod(ORDER, vllmOrder),
  'DY-ER-05': eachPod(BOUND, boundedShutdown),
  'DY-ER-06': eachPod(LINES, trtllmLines),
};
