import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, compare, secondsFrom } from '../compare.ts';
import type { Facts } from '../facts/facts.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import { standingAt } from '../facts/request.ts';
import type { RequestFacts } from '../facts/request.ts';
import { requestsOn } from '../facts/work.ts';
import { decide, eachPod, evidenceOf, given, need, require } from '../rule.ts';
import type { PodCase, Rule, RuleInput } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Finding } from '../verdict.ts';

const marksOf = (requests: readonly RequestFacts[]): Instant['marks'] =>
  requests.flatMap((q) => (q.end ? [{ mark: q.end, what: `${q.id} ends as ${q.kind}` }] : []));

const names = (requests: readonly RequestFacts[]) => {
  const list = requests.slice(0, 4).map((q) => `${q.id} (${q.kind ?? 'no end'})`);
  return `${list.join(', ')}${requests.length > 4 ? ` and ${requests.length - 4} more` : ''}`;
};

/** Requests that other replicas of the deployment served, and no Pod that was leaving. */
function onSurvivors(facts: Facts, pod: PodFacts): RequestFacts[] {
  const staying = new Set(facts.pods.filter((p) => p.deployment === pod.deployment && p.D === undefined).map((p) => p.uid));
  return facts.requests.filter((q) => q.servers.length === 1 && staying.has(q.servers[0] ?? ''));
}

/** Requests that may have been on the Pod: through a router, cut, and no log tells who served them. */
const unattributed = (facts: Facts): RequestFacts[] =>
  facts.requests.filter((q) => !q.direct && q.servers.length === 0 && q.cut);

/** DW-12: a request that ends before G - 5 is not cut, and no SIGTERM comes before it ends. */
function waitsBeforeSignal(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { D, G } = beginningOf(of);
  const formula = 'x < D + G - 5: whole, and S >= x';
  const deadline = D.at[0] + G - scale.toMs(c.exitReserve);
  const own = requestsOn(pod, facts.requests).filter((q) => q.sent && q.sent.at[0] < deadline);
  const planned = own.filter((q) => q.due !== undefined && q.due < deadline - scale.toMs(1));
  const cut = planned.filter((q) => q.cut && q.over && q.over[1] < deadline && q.over[1] > D.at[0]);
  if (cut.length > 0) {
    return { outcome: 'fail', formula, seen: `${names(cut)} cut before D + G - 5, though due to end before it`, evidence: evidenceOf({ marks: marksOf(cut) }, D, pod.S) };
  }
  const from = D.at[1] + scale.toMs(c.settle + 3);
  const until = D.at[0] + G - scale.toMs(7);
  const whole = own.filter((q) => q.kind === 'complete' && q.over && q.over[0] > from && q.over[1] < until && q.sent && q.sent.at[0] < D.at[0] + scale.toMs(c.settle));
  const open = planned.filter((q) => (q.cut || q.kind === undefined) && !(q.over && q.over[1] <= D.at[0]));
  require(open.length === 0, `the end of ${names(open)} does not tell whether it was cut in time`, 'the end of every request on the victim', marksOf(open));
  const last = whole.sort((a, b) => (a.over?.[1] ?? 0) - (b.over?.[1] ?? 0)).at(-1);
  require(last?.over !== undefined, `no request on ${pod.name} is known to run at D + 5 and to end in (8, G - 7)`, 'a request placed to end there', marksOf(own));
  const S = need(pod.S, `the log of ${pod.name} has no mark of SIGTERM`, "the engine's own line about the signal");
  return compare(of, { formula, name: 'S', instant: S, low: { pass: last.over[1], fail: last.over[0] }, also: [{ marks: marksOf(whole) }] });
}

/** LM-01: exactly the requests that run at the signal are cut, then, and the signal lies in [G - 5, G - 3]. */
function cutAtSignal(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { D, G } = beginningOf(of);
  const formula = 'cut = the requests that run at S; S in [D + G - 5, K + G - 3 + p]';
  const own = requestsOn(pod, facts.requests);
  const early = own.filter((q) => q.cut && q.over && q.over[0] > D.at[1] && q.over[1] < D.at[0] + G - scale.toMs(c.exitReserve) && q.kind !== 'silence');
  if (early.length > 0) {
    return { outcome: 'fail', formula, seen: `${names(early)} cut before D + G - 5`, evidence: evidenceOf({ marks: marksOf(early) }, D, pod.S) };
  }
  const departure = departureOf(of);
  const { S } = departure;
  const standing = new Map(own.map((q) => [q, standingAt(q, S.at, scale)]));
  const at = (what: string) => own.filter((q) => standing.get(q) === what);
  const elsewhere = onSurvivors(facts, pod).filter((q) => q.cut);
  const lost = [...at('ended-before').filter((q) => q.kind !== 'complete'), ...elsewhere.filter((q) => !repeats(q))];
  const fail = (seen: string, requests: RequestFacts[]): Finding => ({ outcome: 'fail', formula, seen, evidence: evidenceOf({ marks: marksOf(requests) }, S, D) });
  if (lost.length > 0) return fail(`more is lost than runs at the signal: ${names(lost)}`, lost);
  const running = at('running');
  const unclear = [...at('unclear'), ...unattributed(facts), ...elsewhere.filter(repeats)];
  require(unclear.length === 0, `whether ${names(unclear)} ran on ${pod.name} at the signal cannot be told`, 'the end of every request, and the log of every replica', marksOf(unclear));
  require(running.length > 0, `no request on ${pod.name} is known to run at the signal`, 'a request that outlasts the grace', S.marks);
  const whole = at('ended-before');
  require(whole.length > 0, `no request on ${pod.name} is known to end before the signal`, 'a request that ends at about G - 7', S.marks);
  const range = judgeSignal(departure, 'both', formula);
  if (range.outcome !== 'pass') return range;
  const kept = running.filter((q) => !cutThen(q, S.at[1], scale.toMs(tolerances.fewSeconds.value)));
  return {
    ...range,
    seen: `${running.length} run at the signal, ${running.length - kept.length} of them cut then; ${whole.length} ended before it, all whole; ${range.seen}`,
    evidence: evidenceOf({ marks: marksOf(running).slice(0, 3) }, S, { marks: marksOf(whole).slice(0, 2) }, D),
    ...(kept.length > 0 ? { note: `less is lost than the document admits: ${names(kept)} went on after the signal` } : {}),
  };
}

/** Tokens came twice: it may have begun on another Pod than the one that its log names. */
const repeats = (q: RequestFacts) => (q.end?.data.repeated ?? 0) > 0;

/** Whether a request that ran at the signal was cut then: its last byte came no later than a little after it. */
const cutThen = (q: RequestFacts, S: number, few: number) => q.cut && (q.last === undefined || q.last[0] <= S + few);

/** LM-03: no router moves a running request. */
function notMoved(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { S } = departureOf(of);
  const formula = 'a cut request never goes on or starts again on another replica';
  const survivors = facts.pods.filter((p) => p.deployment === pod.deployment && p.uid !== pod.uid);
  const healthy = survivors.filter((p) => p.ready && p.ready.at[1] < S.at[0] && !(p.D && p.D.at[0] <= S.at[1]) && !(p.unready && p.unready.at[0] <= S.at[1]));
  require(healthy.length > 0, 'no other replica is known to be Ready at the signal', 'a healthy second replica', S.marks);
  const own = facts.requests.filter((q) => !q.direct && q.received.some((x) => x.uid === pod.uid));
  const running = own.filter((q) => standingAt(q, S.at, scale) === 'running');
  const again = running.flatMap((q) => q.received.filter((x) => x.uid !== pod.uid && x.at[1] >= S.at[0]).map((mark) => ({ q, mark })));
  const twice = running.filter(repeats);
  if (again.length > 0 || twice.length > 0) {
    const moved = [...new Set([...again.map((a) => a.q), ...twice])];
    const marks = again.map(({ q, mark }) => ({ mark, what: `${q.id} reaches another replica` }));
    return { outcome: 'fail', formula, seen: `${names(moved)} went on elsewhere: ${twice.length} with repeated tokens`, evidence: evidenceOf({ marks }, { marks: marksOf(moved) }, S) };
  }
  const cut = running.filter((q) => q.cut && (q.end?.data.tokens ?? 0) > 0);
  const whole = running.filter((q) => !q.cut);
  require(whole.length === 0 || cut.length > 0, `${names(whole)} did not end at the signal`, 'a stream that the signal cuts', marksOf(whole));
  require(cut.length > 0, `no stream through a router is known to be cut on ${pod.name}`, 'a stream through the router that is open at the signal', S.marks);
  require(healthy.some((p) => p.logged), 'no log of another replica was followed', 'the log of every replica');
  return { outcome: 'pass', formula, seen: `${names(cut)}: no token after the cut, on no other replica`, evidence: evidenceOf({ marks: marksOf(cut) }, S) };
}

/** DW-32: the same request is cut at a small grace and whole at a larger one. */
function longerGrace({ facts, cases, given: facts2 }: RuleInput): Finding {
  const formula = 'cut where it outlasts the small G; whole where it ends before the larger G - 5';
  const find = (key: string, index: number) => {
    const group = need(given.text(facts2, key), `the decision names no request "${key}"`, `given.${key}`);
    const pod = need(cases[index]?.pods[0], `case ${index + 1} has no Pod`, 'two cases, the small grace first');
    const q = facts.requests.find((one) => one.planned?.group === group && one.servers.includes(pod.uid));
    return { pod, q: need(q, `no request of ${group} is known on ${pod.name}`, 'the request, and the log of its Pod') };
  };
  const small = find('cut', 0);
  const large = find('whole', 1);
  const [a, b] = [small.q.planned, large.q.planned];
  require(a?.tokens === b?.tokens && a?.tokenSeconds === b?.tokenSeconds, 'the two requests differ in length', 'equal requests');
  require((small.pod.grace ?? 0) < (large.pod.grace ?? 0), 'the graces are not in order', 'the small grace first');
  const S = need(small.pod.S, `the log of ${small.pod.name} has no mark of SIGTERM`, "the engine's own line about the signal");
  const D = need(large.pod.D, `no delete of ${large.pod.name} is in the history`, 'the action');
  require(small.q.cut && standingAt(small.q, S.at, facts.scale) === 'running', `${names([small.q])} is not cut by the signal`, 'a request that outlasts the small grace');
  const deadline = D.at[0] + facts.scale.toMs((large.pod.grace ?? 0) - c.exitReserve);
  require((large.q.due ?? Infinity) < deadline, `${large.q.id} is not due before the larger G - 5`, 'a shorter request');
  const marks = marksOf([small.q, large.q]);
  const seen = `${names([small.q])} at ${small.pod.grace} s, ${names([large.q])} at ${large.pod.grace} s, last byte ${secondsFrom(facts, D.at, large.q.last?.[1] ?? Infinity)} after the delete`;
  require(large.q.kind !== undefined && large.q.kind !== 'closed-by-harness', `the end of ${large.q.id} is not in the history`, 'its end', marks);
  return { outcome: large.q.kind === 'complete' ? 'pass' : 'fail', formula, seen, evidence: evidenceOf({ marks }, S, D) };
}

export const cutRequests: Record<string, Rule> = {
  'GS-DW-12': eachPod('x < D + G - 5: whole, and S >= x', waitsBeforeSignal),
  'GS-DW-32': (input) => decide('cut at the small G, whole at the larger', () => longerGrace(input)),
  'GS-LM-01': eachPod('cut = the requests that run at S, in [D + G - 5, K + G - 3]', cutAtSignal),
  'GS-LM-03': eachPod('a cut request is not moved', notMoved),
};

