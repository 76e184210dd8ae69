import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, secondsFrom, stallsPast, killWithin } from '../compare.ts';
import { standingAt } from '../facts/request.ts';
import { requestsOn, unaccounted } from '../facts/work.ts';
import { demand, eachPod, evidenceOf } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf } from '../signal.ts';
import type { RequestFacts } from '../facts/request.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names, onSurvivors, repeats, unattributed } from './cut-requests.ts';

const wallMs = (t: { value: number }) => t.value * 1000;

const FORMULA = 'x <= K + G - 1: whole; cut in [K + G, K + G + kill]';

/** LM-02: SGLang drains on after SIGTERM: what ends before G is whole, the rest is cut by the kill at G, and nothing else. */
function drainsToTheKill(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  demand(
    pod.engine === 'SGLang' && pod.mode === 'unified',
    `main of ${pod.name} is no SGLang that serves whole requests`,
    'an SGLang server that is not split',
  );
  const { D, K, G } = beginningOf(of);
  const kill = [K.at[0] + G, K.at[1] + G] as const;
  const own = requestsOn(pod, facts.requests).filter((q) => !q.over || q.over[1] > D.at[0]);
  const fail = (seen: string, requests: readonly RequestFacts[]): Finding => ({
    outcome: 'fail',
    formula: FORMULA,
    seen,
    evidence: evidenceOf({ marks: marksOf(requests) }, pod.S, K),
  });
  // A silent stream is over at its last byte, which says little of when it was cut.
  const cut = own.filter((q) => q.cut && q.over && q.over[0] > D.at[1]);
  const early = cut.filter((q) => q.over && q.over[1] < kill[0] && q.kind !== 'silence');
  if (early.length > 0) return fail(`${names(early)} cut before the kill at G`, early);
  const elsewhere = onSurvivors(facts, pod).filter((q) => q.cut && !repeats(q));
  if (elsewhere.length > 0) return fail(`${names(elsewhere)} cut on another replica`, elsewhere);
  const most = kill[1] + killWithin(facts) + wallMs(tolerances.arrival);
  const late = cut.filter((q) => q.over && q.over[0] > most + stallsPast(facts, kill[0], q.over));
  if (late.length > 0) return fail(`${names(late)} cut later than the kill at G`, late);
  const beyond = own.filter(
    (q) => q.kind === 'complete' && q.last && q.last[0] > most + stallsPast(facts, kill[0], q.last),
  );
  if (beyond.length > 0) return fail(`${names(beyond)} goes on past the kill at G`, beyond);
  const { S } = departureOf(of);
  const stray = unaccounted(pod, own, S.at);
  demand(
    stray === undefined,
    `the gauges of ${pod.name} show more requests than the history knows of`,
    'every request on the victim, with its line in the log',
    stray && [{ mark: stray, what: 'gauges' }],
  );
  const unclear = [...own.filter((q) => q.kind === undefined || q.kind === 'silence'), ...unattributed(facts)];
  demand(
    unclear.length === 0,
    `what became of ${names(unclear)} cannot be told`,
    'the end of every request',
    marksOf(unclear),
  );
  const drained = own.filter(
    (q) => q.kind === 'complete' && standingAt(q, S.at, scale) === 'running' && q.over && q.over[1] < kill[0],
  );
  demand(
    drained.length > 0,
    `no request on ${pod.name} is known to run at SIGTERM and to end before G`,
    'a request that ends at about G - 2',
    S.marks,
  );
  const outlasting = own.filter((q) => (q.due ?? 0) > kill[1] + scale.toMs(1));
  demand(outlasting.length > 0, `no request on ${pod.name} outlasts G`, 'a request that does', marksOf(own));
  const killed = outlasting.filter((q) => q.cut && q.over && q.over[0] <= most);
  demand(
    killed.length === outlasting.length,
    `when ${names(outlasting.filter((q) => !killed.includes(q)))} was cut cannot be told`,
    'its end',
    marksOf(outlasting),
  );
  return {
    outcome: 'pass',
    formula: FORMULA,
    seen: `${names(drained)} ends after SIGTERM, whole; ${names(killed)} cut ${secondsFrom(facts, D.at, killed[0]?.over?.[1] ?? 0)} after the delete of ${pod.name}, G = ${pod.grace} s`,
    evidence: evidenceOf({ marks: marksOf(drained).slice(0, 3) }, S, { marks: marksOf(killed).slice(0, 3) }, K),
  };
}

export const keptDraining: Record<string, Rule> = {
  'GS-LM-02': eachPod(FORMULA, drainsToTheKill),
};
