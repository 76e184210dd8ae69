import { drainWindow as c } from '../../requirements/drain-window.ts';
import { secondsFrom } from '../compare.ts';
import { standingAt } from '../facts/request.ts';
import { decide, eachPod, evidenceOf, given, need, demand } from '../rule.ts';
import type { PodCase, Rule, RuleInput } from '../rule.ts';
import { departureOf } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names, repeats } from './cut-requests.ts';

/** LM-03: no router moves a running request. */
function notMoved(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { S } = departureOf(of);
  const formula = 'a cut request never goes on or starts again on another replica';
  const survivors = facts.pods.filter((p) => p.deployment === pod.deployment && p.uid !== pod.uid);
  const healthy = survivors.filter(
    (p) =>
      p.ready &&
      p.ready.at[1] < S.at[0] &&
      !(p.D && p.D.at[0] <= S.at[1]) &&
      !(p.unready && p.unready.at[0] <= S.at[1]),
  );
  demand(
    healthy.length > 0,
    'no other replica is known to be Ready at the signal',
    'a healthy second replica',
    S.marks,
  );
  const own = facts.requests.filter((q) => !q.direct && q.received.some((x) => x.uid === pod.uid));
  const running = own.filter((q) => standingAt(q, S.at, scale) === 'running');
  const again = running.flatMap((q) =>
    q.received.filter((x) => x.uid !== pod.uid && x.at[1] >= S.at[0]).map((mark) => ({ q, mark })),
  );
  const twice = running.filter(repeats);
  if (again.length > 0 || twice.length > 0) {
    const moved = [...new Set([...again.map((a) => a.q), ...twice])];
    const marks = again.map(({ q, mark }) => ({ mark, what: `${q.id} reaches another replica` }));
    return {
      outcome: 'fail',
      formula,
      seen: `${names(moved)} went on elsewhere: ${twice.length} with repeated tokens`,
      evidence: evidenceOf({ marks }, { marks: marksOf(moved) }, S),
    };
  }
  const cut = running.filter((q) => q.cut && (q.end?.data.tokens ?? 0) > 0);
  const whole = running.filter((q) => !q.cut);
  demand(
    whole.length === 0 || cut.length > 0,
    `${names(whole)} did not end at the signal`,
    'a stream that the signal cuts',
    marksOf(whole),
  );
  demand(
    cut.length > 0,
    `no stream through a router is known to be cut on ${pod.name}`,
    'a stream through the router that is open at the signal',
    S.marks,
  );
  demand(
    healthy.some((p) => p.logged),
    'no log of another replica was followed',
    'the log of every replica',
  );
  return {
    outcome: 'pass',
    formula,
    seen: `${names(cut)}: no token after the cut, on no other replica`,
    evidence: evidenceOf({ marks: marksOf(cut) }, S),
  };
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
  demand(
    a?.tokens === b?.tokens && a?.tokenSeconds === b?.tokenSeconds,
    'the two requests differ in length',
    'equal requests',
  );
  demand((small.pod.grace ?? 0) < (large.pod.grace ?? 0), 'the graces are not in order', 'the small grace first');
  const S = need(
    small.pod.S,
    `the log of ${small.pod.name} has no mark of SIGTERM`,
    "the engine's own line about the signal",
  );
  const D = need(large.pod.D, `no delete of ${large.pod.name} is in the history`, 'the action');
  demand(
    small.q.cut && standingAt(small.q, S.at, facts.scale) !== 'ended-before',
    `${names([small.q])} is not cut by the signal`,
    'a request that outlasts the small grace',
  );
  const deadline = D.at[0] + facts.scale.toMs((large.pod.grace ?? 0) - c.exitReserve);
  demand((large.q.due ?? Infinity) < deadline, `${large.q.id} is not due before the larger G - 5`, 'a shorter request');
  const marks = marksOf([small.q, large.q]);
  const seen = `${names([small.q])} at ${small.pod.grace} s, ${names([large.q])} at ${large.pod.grace} s, last byte ${secondsFrom(facts, D.at, large.q.last?.[1] ?? Infinity)} after the delete`;
  demand(
    large.q.kind !== undefined && !['closed-by-harness', 'client-left'].includes(large.q.kind),
    `how ${large.q.id} ends without us is not in the history`,
    'its end',
    marks,
  );
  return {
    outcome: large.q.kind === 'complete' ? 'pass' : 'fail',
    formula,
    seen,
    evidence: evidenceOf({ marks }, S, D),
  };
}

/** What becomes of a request elsewhere: on another replica, or under a longer grace. */
export const movedRequests: Record<string, Rule> = {
  'GS-DW-32': (input) => decide('cut at the small G, whole at the larger', () => longerGrace(input)),
  'GS-LM-03': eachPod('a cut request is not moved', notMoved),
};
