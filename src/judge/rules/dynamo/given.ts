import type { RequestFacts } from '../../facts/request.ts';
import type { End, Instant } from '../../facts/pod.ts';
import type { Interval } from '../../../time/interval.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { compare, upper } from '../../compare.ts';
import type { Side } from '../../compare.ts';
import { commandsOn, killingOf, stampedSpan } from '../../facts/dynamo.ts';
import { given, need, undecided } from '../../rule.ts';
import type { PodCase } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { marksOf as requestMarks } from '../cut-requests.ts';

/** The requests of the groups that `given` names under `key`: no log of a real frontend tells which worker served one. */
export function requestsGiven({ facts, given }: PodCase, key: string): RequestFacts[] {
  const named = [given[key]].flat().filter((name) => typeof name === 'string');
  if (named.length === 0) undecided(`the decision does not say which requests are "${key}"`, `given.${key}`);
  if (facts.requests.some((q) => !q.planned)) undecided('a request was never planned', 'a history without gaps');
  const own = facts.requests.filter((q) => q.planned && named.includes(q.planned.group));
  const torn = own.find((q) => !q.end || (!q.sent && q.kind !== 'never-sent'));
  if (torn) undecided(`the history does not show all of ${torn.id}`, 'a history without gaps');
  // From then on nothing that becomes of it tells of the server.
  const stayed = own.filter((q) => q.kind !== 'client-left');
  if (stayed.length === 0 && own.length > 0)
    undecided(`no client of "${key}" stayed to the end`, 'one that does', requestMarks(own));
  return stayed;
}

/** An instant that a rule cannot do without. */
export const instant = <T extends Instant>(found: T | undefined, what: string): T =>
  need(found, `the history does not show ${what}`, 'a log followed to its end, and a watch of the discovery records');

/** It was not served: an error before any token. */
export const isRefused = (q: RequestFacts): boolean =>
  q.kind === 'http-error' || q.kind === 'refused' || (q.kind === 'error-frame' && (q.end?.data.tokens ?? 0) === 0);

/** Exit code of a process that SIGKILL ended, which no handler can answer. */
const KILLED = 128 + 9;

/** Exit codes of a process that a SIGTERM or a SIGKILL ended. */
const SIGNALLED = [128 + 15, KILLED];

/**
 * A container whose system port has closed loses its liveness, and gets a SIGTERM of the kubelet: the code of a signal is that
 * one's then, and tells nothing of the program. That the history shows no such end, or a later one, does not exclude it: its event
 * may be lost. Any other code is the program's own.
 */
export function endedAlone({ facts, pod }: PodCase, E: End): void {
  if (!SIGNALLED.includes(E.exitCode ?? 0)) return;
  const killing = killingOf(facts, pod);
  if (killing && killing.at[0] <= E.at[1])
    undecided(`the kubelet ended ${pod.name}, too`, 'an end without it', killing.marks);
  const seen = `${pod.name} ended with ${E.exitCode}, of a signal that may be the kubelet's`;
  undecided(seen, 'an end with a code of its own', E.marks);
}

/**
 * Ends the rule where the code of an end says nothing of what the program does at a signal: it had ended before, it was killed
 * before `limit` (milliseconds), when the kubelet would, or it had not become ready, so that its handlers may not have been there yet.
 */
export function endedOfItself({ pod }: PodCase, E: End, signalled: Instant, limit = Infinity): void {
  if (E.at[1] < signalled.at[0])
    undecided(`main of ${pod.name} had ended before its signal`, 'an end that follows it', E.marks);
  if (E.exitCode === KILLED && E.at[1] < limit)
    undecided(`main of ${pod.name} ended by a SIGKILL that was not due`, 'an end by itself', E.marks);
  if (!pod.ready || pod.ready.at[1] > signalled.at[0])
    undecided(
      `main of ${pod.name} ended with ${E.exitCode ?? 'an unknown code'} and was not ready yet when it was signalled: its handlers may not have been there`,
      'a signal to one that is ready',
      [...signalled.marks, ...E.marks],
    );
}

/** Ends the rule where fewer signals of ours reached it than `given.again` says: nothing tells what it does at a further one. */
export function signalledAgain({ facts, pod, given: said }: PodCase): void {
  const again = given.number(said, 'again') ?? 0;
  const sent = again === 0 ? [] : commandsOn(facts, pod, 'signal').filter(({ at }) => !pod.E || at[0] < pod.E.at[1]);
  if (sent.length < again)
    undecided(
      `${sent.length} further signals reached ${pod.name}`,
      `${again} of them`,
      sent.flatMap(({ marks }) => marks),
    );
}

/** No answer came to an end: it hung until the harness left. */
export const hangs = (q: RequestFacts): boolean => q.kind === 'silence' || q.kind === 'closed-by-harness';

/** Milliseconds by which a program's stamps may be off: one that is told in whole ones. */
const STAMP_MS = 1;

/** Milliseconds by which two instants of a log or a watch may seem too close. */
export const STAMPS_MS = tolerances.stamps.value * 1000;

/** Not before `anchor` + `seconds`. */
export const notBefore = ({ scale }: PodCase, anchor: Interval, seconds: number): Side => ({
  pass: anchor[1] + scale.toMs(seconds) - STAMPS_MS,
  fail: anchor[0] + scale.toMs(seconds),
});

/** Milliseconds from an end until it is seen: the kubelet's status, and its way to us. */
const SEEING_MS = (tolerances.statusDelay.value + tolerances.arrival.value) * 1000;

/** When a component that waits for nothing more after `anchor` has ended for certain: twice what it may take. */
export const surelyOver = ({ scale }: PodCase, anchor: Instant): number =>
  anchor.at[1] + 2 * (scale.toMs(tolerances.late.value) + SEEING_MS);

/** E <= `anchor` + late, as far as an end can be seen; `also` are further facts that the finding rests on. */
export function endsSoonAfter(
  of: PodCase,
  formula: string,
  E: Instant,
  anchor: Instant,
  also: readonly Pick<Instant, 'marks'>[] = [],
): Finding {
  const high = upper(of, anchor.at, tolerances.late.value, SEEING_MS, E.at, SEEING_MS);
  return compare(of, {
    formula,
    name: 'E',
    instant: E,
    high: { ...high, pass: high.pass + SEEING_MS },
    also: [anchor, ...also],
  });
}

/**
 * Where two instants are lines of one program that stamps them itself: the later one as far from the earlier as the stamps
 * say, whatever held them up on their way to us.
 */
export function byStamps(from: Instant, to: Instant): { from: Interval; to: Instant } {
  const span = stampedSpan(from, to);
  if (span === undefined) return { from: from.at, to };
  const start = from.at[1];
  return { from: [start, start], to: { ...to, at: [start + span - STAMP_MS, start + span + STAMP_MS] } };
}

/** Ends the rule where a Pod of the same graph that nobody deleted ended, too: what was lost may be its doing. */
export function undisturbed({ facts, pod }: PodCase): void {
  const other = facts.pods.find(
    (p) => p.deployment === pod.deployment && p.uid !== pod.uid && p.D === undefined && p.E !== undefined,
  );
  if (other) undecided(`${other.name} ended, too`, 'a run in which only the departing Pods end', other.E?.marks);
}

/** Whether `b` is certainly not after `a`. */
export const reversed = (a: Instant, b: Instant): boolean => b.at[1] + STAMPS_MS < a.at[0];
