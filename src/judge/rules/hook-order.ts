import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { before } from '../../time/interval.ts';
import { compare, fromDelete, lifeOf, lower, overheadsOf, secondsFrom } from '../compare.ts';
import { eachPod, evidenceOf, need, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding, Outcome } from '../verdict.ts';

const requireHook = ({ pod }: PodCase) => demand(pod.hook, `${pod.name} has no preStop hook`, 'a Pod with a hook');

/** DW-26: SIGTERM after the hook's return, and then at once. The kubelet's log tells; without it the hook's reads do. */
function signalAfterHook(of: PodCase): Finding {
  const { pod, scale, facts } = of;
  const { D, K, S, G } = lifeOf(of);
  requireHook(of);
  const formula = 'S in [R, R + p], R the return of the hook';
  const soon = scale.toMs(tolerances.signalFollows.value);
  const log = pod.hookLog;
  // Between the return and the signal: what stalled before it moved neither.
  const stalls = facts.widener.stalledBetween(S.at[0] - (log?.endToSignal ?? S.at[0] - D.at[0]), S.at[1]);
  const found = (outcome: Outcome, seen: string, wouldDecide?: string): Finding => ({
    outcome,
    formula,
    seen,
    evidence: evidenceOf({ marks: log?.marks ?? [] }, S, D),
    ...(wouldDecide ? { wouldDecide } : {}),
  });
  // A hook that outlasts the grace is cut by the kubelet: the last read before that is no return.
  const atGrace = S.at[1] >= K.at[0] + G - scale.toMs(1);
  demand(
    !atGrace || (log?.endToSignal ?? -1) >= 0,
    'the signal comes at the grace',
    'a hook that returns before it',
    S.marks,
  );
  if (log?.endToSignal !== undefined) {
    const ms = log.endToSignal;
    const seen = `SIGTERM ${scale.toSeconds(ms).toFixed(2)} s after the hook's return`;
    if (ms < 0) return found('fail', `${seen}: before it`);
    if (ms > scale.toMs(tolerances.late.value) + stalls) return found('fail', seen);
    if (ms <= soon) return found('pass', seen);
    return found('inconclusive', seen, 'a signal within 1 s, or later than 2 s and all stalls, after the hook');
  }
  if (log?.signalledDuring) return found('fail', 'SIGTERM while the hook runs, long before the grace is over');
  demand(
    log === undefined,
    `the kubelet's log tells nothing of the signal to ${pod.name}`,
    "the kubelet's line about the signal",
    log?.marks,
  );
  // The hook reads from inside the Pod until it returns: a read after the signal is a hook that still ran.
  const reads = pod.reads.filter((read) => read.at[1] >= D.at[0]);
  const later = reads.find((read) => read.at[0] > S.at[1]);
  if (later) {
    return {
      ...found('fail', `a read of the hook comes ${secondsFrom(facts, S.at, later.at[0])} after SIGTERM`),
      evidence: evidenceOf(S, { marks: [{ mark: later, what: 'read of the hook' }] }),
    };
  }
  const last = reads.at(-1);
  const { r, p } = overheadsOf(of);
  const cap = scale.toMs(tolerances.overheadCap.value);
  const follows = last !== undefined && S.at[1] - last.at[0] <= scale.toMs(c.poll) + Math.min(cap, r + p);
  if (reads.length >= c.idleReads && last && before(last.at, S.at) !== 'no' && follows) {
    return found(
      'pass',
      `SIGTERM follows the last of ${reads.length} reads of the hook within ${scale.toSeconds(S.at[1] - last.at[0]).toFixed(2)} s`,
    );
  }
  return found(
    'inconclusive',
    `${reads.length} reads of the hook in the log, none after SIGTERM`,
    "the kubelet's log about the hook's end and the signal",
  );
}

/** DW-29: the kubelet starts the hook at the delete. */
function hookAtDelete(of: PodCase): Finding {
  const { pod, scale, facts } = of;
  const D = need(pod.D, `no delete of ${pod.name} is in the history`, 'the action that deletes it');
  const formula = 'hook in [D, D + 1]';
  if (!pod.hook)
    return { outcome: 'fail', formula, seen: `${pod.name} has no preStop hook at all`, evidence: evidenceOf(D) };
  const begin = pod.hookLog?.start;
  const stalls = facts.widener.stalledBetween(D.at[0], begin?.at[1] ?? D.at[1] + scale.toMs(c.settle));
  const late = scale.toMs(tolerances.late.value) + stalls;
  const soon = scale.toMs(tolerances.hookStarts.value);
  if (begin) {
    return compare(of, {
      formula,
      name: 'the start of the hook',
      instant: begin,
      high: { pass: D.at[0] + soon, fail: D.at[1] + late },
      also: [begin],
    });
  }
  // Without the kubelet's log: a first read in time proves a start in time, a late one proves nothing.
  const first = pod.reads.find((read) => read.at[1] >= D.at[0]);
  const by = D.at[0] + scale.toMs(c.settle) + soon + scale.toMs(tolerances.overheadCap.value);
  const seen = first
    ? `first read of the hook ${secondsFrom(facts, D.at, first.at[1])} after the delete`
    : 'no read of the hook is in the log';
  const ok = first !== undefined && first.at[1] <= by && first.at[0] >= D.at[0] + scale.toMs(c.settle);
  const marks = first ? [{ mark: first, what: 'first read of the hook' }] : [];
  return {
    outcome: ok ? 'pass' : 'inconclusive',
    formula: 'first read <= D + 5 + 1 + p',
    seen,
    evidence: evidenceOf(D, { marks }),
    ...(ok ? {} : { wouldDecide: "the kubelet's log about the start of the hook" }),
  };
}

/** DW-05: no signal in the first 5 s, and what reaches the engine in them is served. */
function servesNormally(of: PodCase): Finding[] {
  const { pod, scale, facts } = of;
  const { D, S, G } = lifeOf(of);
  const window = [D.at[1], D.at[0] + scale.toMs(c.settle)] as const;
  const signal = compare(of, { formula: 'S >= D + 5', name: 'S', instant: S, low: lower(of, D.at, c.settle) });
  const deadline = D.at[0] + G - scale.toMs(c.exitReserve);
  const reached = facts.requests.filter((q) => {
    const log = q.received.find((x) => x.uid === pod.uid);
    // Sent straight to it in this time, or logged by it in this time.
    if (q.direct && q.servers.includes(pod.uid) && q.sent) return q.sent.at[0] > window[0] && q.sent.at[1] < window[1];
    return log !== undefined && log.at[0] > window[0] && log.at[1] < window[1];
  });
  const served = reached.map((q): Finding => {
    const end = q.end;
    const seen = `${q.id} reaches ${pod.name} in the first 5 s and ends as ${q.kind ?? 'unknown'}`;
    const base = {
      formula: 'a request that reaches the engine in (D, D + 5) and ends before D + G - 5 completes',
      seen,
      evidence: evidenceOf(D, { marks: end ? [{ mark: end, what: `${q.id}: ${q.kind}` }] : [] }),
    };
    if (q.kind === 'complete') return { ...base, outcome: 'pass' };
    const inTime = q.due !== undefined && q.due < deadline;
    const lost = q.cut || q.kind === 'refused' || q.kind === 'http-error';
    if (lost && inTime && q.over && q.over[1] < deadline) return { ...base, outcome: 'fail' };
    return {
      ...base,
      outcome: 'inconclusive',
      wouldDecide: 'a request that is planned to end before G - 5, with its end',
    };
  });
  if (signal.outcome === 'fail') return [signal, ...served.filter((f) => f.outcome === 'fail')];
  demand(
    served.length > 0,
    `no request is known to reach ${pod.name} between its delete and D + 5`,
    'a request sent straight to the victim at about D + 2',
    [...D.marks, ...S.marks],
  );
  const interval = fromDelete(facts, D.at, S.at);
  return [interval ? { ...signal, interval } : signal, ...served];
}

/** The order that the rows about the hook itself promise. */
export const hookOrder: Record<string, Rule> = {
  'GS-DW-05': eachPod('S >= D + 5', servesNormally),
  'GS-DW-26': eachPod('S in [R, R + p]', signalAfterHook),
  'GS-DW-29': eachPod('hook in [D, D + 1]', hookAtDelete),
};
