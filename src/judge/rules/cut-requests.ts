import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, compare } from '../compare.ts';
import type { Facts } from '../facts/facts.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import { standingAt } from '../facts/request.ts';
import type { RequestFacts } from '../facts/request.ts';
import { requestsOn, unaccounted } from '../facts/work.ts';
import { demand, eachPod, evidenceOf, need } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Finding } from '../verdict.ts';

export const marksOf = (requests: readonly RequestFacts[]): Instant['marks'] =>
  requests.flatMap((q) => (q.end ? [{ mark: q.end, what: `${q.id} ends as ${q.kind}` }] : []));

export const names = (requests: readonly RequestFacts[]) => {
  const list = requests.slice(0, 4).map((q) => `${q.id} (${q.kind ?? 'no end'})`);
  return `${list.join(', ')}${requests.length > 4 ? ` and ${requests.length - 4} more` : ''}`;
};

/** Requests that other replicas of the deployment served, and no Pod that was leaving. */
export function onSurvivors(facts: Facts, pod: PodFacts): RequestFacts[] {
  const staying = new Set(
    facts.pods.filter((p) => p.deployment === pod.deployment && p.D === undefined).map((p) => p.uid),
  );
  return facts.requests.filter((q) => q.servers.length === 1 && staying.has(q.servers[0] ?? ''));
}

/** Requests that may have been lost on the Pod: through a router, not known to be whole, and no log tells who served them. */
export const unattributed = (facts: Facts): RequestFacts[] =>
  facts.requests.filter((q) => !q.direct && q.servers.length === 0 && (q.cut || q.kind === undefined));

/** DW-12: a request that ends before G - 5 is not cut, and no SIGTERM comes before it ends. */
function waitsBeforeSignal(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { D, G } = beginningOf(of);
  const formula = 'x < D + G - 5: whole, and S >= x';
  const deadline = D.at[0] + G - scale.toMs(c.exitReserve);
  // Running when the hook begins to look; what comes in its last second the hook cannot know.
  const own = requestsOn(pod, facts.requests).filter((q) => q.sent && q.sent.at[0] < D.at[0] + scale.toMs(c.settle));
  const planned = own.filter((q) => q.due !== undefined && q.due < deadline - scale.toMs(1));
  const cut = planned.filter((q) => q.cut && q.over && q.over[1] < deadline && q.over[1] > D.at[0]);
  if (cut.length > 0) {
    return {
      outcome: 'fail',
      formula,
      seen: `${names(cut)} cut before D + G - 5, though due to end before it`,
      evidence: evidenceOf({ marks: marksOf(cut) }, D, pod.S),
    };
  }
  const from = D.at[1] + scale.toMs(c.settle + 3);
  const until = D.at[0] + G - scale.toMs(7);
  const whole = own.filter(
    (q) =>
      q.kind === 'complete' &&
      q.over &&
      q.over[0] > from &&
      q.over[1] < until &&
      q.sent &&
      q.sent.at[0] < D.at[0] + scale.toMs(c.settle),
  );
  const open = planned.filter((q) => (q.cut || q.kind === undefined) && !(q.over && q.over[1] <= D.at[0]));
  demand(
    open.length === 0,
    `the end of ${names(open)} does not tell whether it was cut in time`,
    'the end of every request on the victim',
    marksOf(open),
  );
  const last = whole.sort((a, b) => (a.over?.[1] ?? 0) - (b.over?.[1] ?? 0)).at(-1);
  demand(
    last?.over !== undefined,
    `no request on ${pod.name} is known to run at D + 5 and to end in (8, G - 7)`,
    'a request placed to end there',
    marksOf(own),
  );
  const S = need(pod.S, `the log of ${pod.name} has no mark of SIGTERM`, "the engine's own line about the signal");
  return compare(of, {
    formula,
    name: 'S',
    instant: S,
    low: { pass: last.over[1], fail: last.over[0] },
    also: [{ marks: marksOf(whole) }],
  });
}

/** LM-01: exactly the requests that run at the signal are cut, then, and the signal lies in [G - 5, G - 3]. */
function cutAtSignal(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { D, G } = beginningOf(of);
  const formula = 'cut = the requests that run at S; S in [D + G - 5, K + G - 3 + p]';
  demand(pod.engine !== 'SGLang', `${pod.name} runs SGLang`, 'an engine that aborts at its signal');
  const own = requestsOn(pod, facts.requests);
  const early = own.filter(
    (q) =>
      q.cut &&
      q.over &&
      q.over[0] > D.at[1] &&
      q.over[1] < D.at[0] + G - scale.toMs(c.exitReserve) &&
      q.kind !== 'silence',
  );
  if (early.length > 0) {
    return {
      outcome: 'fail',
      formula,
      seen: `${names(early)} cut before D + G - 5`,
      evidence: evidenceOf({ marks: marksOf(early) }, D, pod.S),
    };
  }
  const departure = departureOf(of);
  const { S } = departure;
  const standing = new Map(own.map((q) => [q, standingAt(q, S.at, scale)]));
  const at = (what: string) => own.filter((q) => standing.get(q) === what);
  const elsewhere = onSurvivors(facts, pod).filter((q) => q.cut);
  const endedWhole = (q: RequestFacts) => q.kind === 'complete' || q.kind === 'client-left';
  const lost = [...at('ended-before').filter((q) => !endedWhole(q)), ...elsewhere.filter((q) => !repeats(q))];
  const fail = (seen: string, requests: RequestFacts[]): Finding => ({
    outcome: 'fail',
    formula,
    seen,
    evidence: evidenceOf({ marks: marksOf(requests) }, S, D),
  });
  if (lost.length > 0) return fail(`more is lost than runs at the signal: ${names(lost)}`, lost);
  // Of one whose client left nobody knows what the signal would have done to it.
  const running = at('running').filter((q) => q.kind !== 'client-left');
  const range = judgeSignal(departure, 'both', formula);
  if (range.outcome === 'fail' && running.length > 0) return range;
  const stray = unaccounted(pod, own, S.at);
  demand(
    stray === undefined,
    `the gauges of ${pod.name} show more requests than the history knows of`,
    'every request on the victim, with its line in the log',
    stray && [{ mark: stray, what: 'gauges' }],
  );
  const unclear = [...at('unclear'), ...unattributed(facts), ...elsewhere.filter(repeats)];
  demand(
    unclear.length === 0,
    `whether ${names(unclear)} ran on ${pod.name} at the signal cannot be told`,
    'the end of every request, and the log of every replica',
    marksOf(unclear),
  );
  demand(
    running.length > 0,
    `no request on ${pod.name} is known to run at the signal`,
    'a request that outlasts the grace',
    S.marks,
  );
  const whole = at('ended-before').filter((q) => q.kind === 'complete');
  demand(
    whole.length > 0,
    `no request on ${pod.name} is known to end before the signal`,
    'a request that ends at about G - 7',
    S.marks,
  );
  if (range.outcome !== 'pass') return range;
  const kept = running.filter((q) => !cutThen(q, S.at[1], scale.toMs(tolerances.fewSeconds.value)));
  return {
    ...range,
    seen: `${running.length} run at the signal, ${running.length - kept.length} of them cut then; ${whole.length} ended before it, all whole; ${range.seen}`,
    evidence: evidenceOf({ marks: marksOf(running).slice(0, 3) }, S, { marks: marksOf(whole).slice(0, 2) }, D),
    ...(kept.length > 0
      ? { note: `less is lost than the document admits: ${names(kept)} went on after the signal` }
      : {}),
  };
}

/** Tokens came twice: it may have begun on another Pod than the one that its log names. */
export const repeats = (q: RequestFacts) => (q.end?.data.repeated ?? 0) > 0;

/** Whether a request that ran at the signal was cut then: its last byte came no later than a little after it. */
const cutThen = (q: RequestFacts, S: number, few: number) => q.cut && (q.last === undefined || q.last[0] <= S + few);

export const cutRequests: Record<string, Rule> = {
  'GS-DW-12': eachPod('x < D + G - 5: whole, and S >= x', waitsBeforeSignal),
  'GS-LM-01': eachPod('cut = the requests that run at S, in [D + G - 5, K + G - 3]', cutAtSignal),
};
