import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, compare, lower, secondsFrom, upper } from '../compare.ts';
import { requestsOn } from '../facts/work.ts';
import { eachPod, evidenceOf, demand } from '../rule.ts';
import type { PodCase, Rule, RuleInput } from '../rule.ts';
import { departureOf, judgeSignal, surelyDue, twoIdleReads } from '../signal.ts';
import type { Departure } from '../signal.ts';
import type { Finding } from '../verdict.ts';

/** The replica had no work from 4 s on, and this is proven by its gauges. */
export function requireIdle({ work, of, D }: Departure): void {
  const by = D.at[0] + of.scale.toMs(c.settle - 1);
  const quiet = work.kind === 'idle' || (work.kind === 'ends' && work.x[1] <= by);
  // Work that the signal cut ran: the hook did not wait for it, and other rules say so.
  demand(
    quiet && work.provenIdle,
    `${of.pod.name} is not proven idle before its first read (${work.kind})`,
    'a read of its gauges at 0, and no request after D + 4',
    work.marks,
  );
}

/** Work ran past the grace: some request was open when the signal came. */
export function requireBusy({ work, of }: Departure): void {
  demand(
    work.kind === 'outlasts',
    `no request on ${of.pod.name} is known to be open at the signal (${work.kind})`,
    'a request on the victim that outlasts the grace, with its end',
    work.marks,
  );
}

/** DW-06: the hook of an idle replica returns about 6 s after the delete, after two reads. */
export function idleHook(of: PodCase): Finding {
  const departure = departureOf(of);
  requireIdle(departure);
  const finding = judgeSignal(departure);
  const reads = of.pod.reads.filter((r) => r.at[1] >= departure.D.at[0] && r.at[0] <= departure.S.at[1]);
  if (finding.outcome !== 'pass' || reads.length >= c.idleReads) return finding;
  return {
    ...finding,
    outcome: 'inconclusive',
    wouldDecide: `two reads of the hook in the engine's log; it shows ${reads.length}`,
  };
}

/** DW-07: the signal follows the end of the last work after two idle reads. */
function afterWork(of: PodCase): Finding {
  const departure = departureOf(of);
  const { work, D, K, G, S } = departure;
  const early = judgeSignal(departure, 'early');
  // Work that was still running at an early signal, or had just ended, is the plainest way to break this.
  const known = work.kind === 'outlasts' || work.x[0] >= K.at[1] + of.scale.toMs(c.settle);
  if (known && early.outcome === 'fail') return early;
  const { scale } = of;
  const inside = work.x[0] >= K.at[1] + scale.toMs(c.settle) && work.x[1] <= D.at[0] + G - scale.toMs(7);
  demand(
    work.kind === 'ends' && inside,
    `the last work on ${of.pod.name} is not known to end in [D + 5, D + G - 7] (${work.kind})`,
    'a request on the victim that ends in between',
    [...D.marks, ...work.marks, ...S.marks],
  );
  const idle = twoIdleReads(departure);
  const finding = judgeSignal(departure);
  if (idle === 'no' && finding.outcome !== 'fail') {
    return { ...finding, outcome: 'fail', seen: `${finding.seen}; fewer than two reads came after the last work` };
  }
  if (idle === 'yes' || finding.outcome !== 'pass') return finding;
  // The bound is granted the latency of an arrival, in which a hook that takes one idle read as enough has room.
  if (S.at[0] < surelyDue(departure)) {
    return {
      ...finding,
      outcome: 'inconclusive',
      wouldDecide: 'two reads of the hook that came after the last work for certain, or a signal a second after it',
    };
  }
  return {
    ...finding,
    note: 'whether the first of the last two reads saw the work cannot be told: the signal keeps the bound either way',
  };
}

/**
 * A busy replica whose `main` was killed (137) before SIGTERM was due at the latest, without a word about the signal.
 * vLLM itself leaves with 0, so the kill came from outside and the signal never. An SGLang kills itself, and one that is
 * broken may do so with requests left: there only a kill before any signal is due tells.
 */
function killedUnsignalled(of: PodCase, by: number): Finding | undefined {
  const { pod, facts } = of;
  const { D, K, G } = beginningOf(of);
  const { E } = pod;
  const due = K.at[0] + G - of.scale.toMs(pod.engine === 'SGLang' ? c.exitReserve + 1 : by);
  if (pod.S || !E || E.exitCode !== 137 || E.at[1] >= due || pod.mode !== 'unified') return undefined;
  const open = requestsOn(pod, facts.requests).filter((q) => q.cut && q.sent && q.sent.at[0] < D.at[0]);
  if (open.length === 0) return undefined;
  const seen = `main of ${pod.name} is killed by ${secondsFrom(facts, D.at, E.at[1])} after its delete while ${open[0]?.id} runs, and never signalled`;
  return { outcome: 'fail', formula: `S <= K + G - ${by}`, seen, evidence: evidenceOf(D, K, E) };
}

/** DW-08: SIGTERM by G - 3 on a replica that stays busy. */
export function signalByReserve(of: PodCase): Finding {
  const killed = killedUnsignalled(of, c.signalReserve);
  if (killed) return killed;
  const departure = departureOf(of);
  requireBusy(departure);
  const { D, G, S } = departure;
  if (of.given['hang'] === true) {
    const from = D.at[0] + G - of.scale.toMs(7);
    const hung = of.pod.samples.some((s) => s.at[1] >= from && s.at[0] <= S.at[1] && /time/i.test(s.data.error ?? ''));
    demand(
      hung,
      `no read of ${of.pod.name}'s gauges timed out between G - 7 and the signal`,
      'a probe that times out just before G - 5',
    );
  }
  return judgeSignal(departure, 'late', 'S <= K + G - 3 + p');
}

/** DW-27: no SIGTERM before G - 5 while work runs; where work ended before, none before it ended. */
export function noSignalWhileBusy(of: PodCase): Finding {
  const killed = killedUnsignalled(of, c.exitReserve);
  if (killed) return killed;
  const departure = departureOf(of);
  const finding = judgeSignal(departure, 'work');
  if (finding.outcome !== 'fail' && departure.work.kind !== 'ends') requireBusy(departure);
  return finding;
}

/** LM-08: nothing answers on the port that the hook reads: SIGTERM after the first 5 s although work runs. */
function movedPort(of: PodCase): Finding {
  const departure = departureOf(of);
  requireBusy(departure);
  const { D, K, S, r, rMost, p, work } = departure;
  return compare(of, {
    formula: 'S in [D + 5, K + 5 + r + p]',
    name: 'S',
    instant: S,
    low: lower(of, D.at, c.settle),
    high: upper(of, K.at, c.settle, r + p, S.at, rMost + p),
    also: [work],
  });
}

/** DW-11: the first and the last 5 s do not move with G. */
const constants: Rule = (input: RuleInput) => {
  const graces = new Set(input.cases.flatMap((one) => one.pods.map((pod) => pod.grace)));
  const formula = 'idle: S in [D + 6, K + 6 + 2r + p]; busy: S in [D + G - 5, K + G - 3 + p]; three G at least';
  const findings = eachPod(formula, (of) => {
    const departure = departureOf(of);
    demand(
      graces.size >= 3,
      `only ${graces.size} different graces in the history`,
      'departures with three different graces',
    );
    return of.case.lastWorkEnds === undefined ? idleHook(of) : (requireBusy(departure), judgeSignal(departure));
  })(input);
  const planned = new Set(input.cases.map((one) => (one.lastWorkEnds === undefined ? 'idle' : 'busy')));
  if (planned.size === 2) return findings;
  return [
    ...findings,
    {
      outcome: 'inconclusive',
      formula,
      seen: `only ${[...planned].join()} replicas`,
      evidence: [],
      wouldDecide: 'an idle and a busy replica',
    },
  ];
};

/** DW-28: no read starts after G - 5. */
function noLateRead(of: PodCase): Finding {
  const departure = departureOf(of);
  requireBusy(departure);
  const { D, K, S, G, r, rMost, p } = departure;
  const { pod, scale } = of;
  const reads = pod.reads.filter((read) => read.at[1] >= D.at[0] && read.at[0] <= S.at[1]);
  const last = reads.at(-1);
  demand(
    last !== undefined,
    `no read of the hook is in the log of ${pod.name}`,
    "the engine's access log up to the signal",
  );
  // The line comes when the read ends; it began r before.
  const began = {
    at: [last.at[0] - rMost, last.at[1]] as const,
    marks: [{ mark: last, what: 'last read of the hook' }],
  };
  const seconds = scale.toSeconds(G) - c.exitReserve;
  const finding = compare(of, {
    formula: 'read <= K + G - 5 + p',
    name: 'the last read',
    instant: began,
    high: upper(of, K.at, seconds, p, S.at),
  });
  if (finding.outcome !== 'pass') return finding;
  const pause = S.at[1] - last.at[0];
  const cap = scale.toMs(tolerances.overheadCap.value);
  if (pause <= scale.toMs(c.poll) + Math.min(cap, 2 * r + p)) return finding;
  const hung = pod.samples.some((s) => s.at[1] >= last.at[0] && s.at[0] <= S.at[1] && s.data.status !== 200);
  const why = hung ? 'reads failed after it' : 'more than one pause lies between it and the signal';
  return { ...finding, outcome: 'inconclusive', wouldDecide: `a log without loss up to the signal: ${why}` };
}

export const hookTiming: Record<string, Rule> = {
  'GS-DW-06': eachPod('S in [D + 6, K + 6 + 2r + p]', idleHook),
  'GS-DW-07': eachPod('S in [x + 1, x + 2 + 3r + g + p]', afterWork),
  'GS-DW-08': eachPod('S <= K + G - 3 + p', signalByReserve),
  'GS-DW-11': constants,
  'GS-DW-27': eachPod('S >= D + G - 5', noSignalWhileBusy),
  'GS-DW-28': eachPod('read <= K + G - 5 + p', noLateRead),
  'GS-LM-08': eachPod('S in [D + 5, K + 5 + r + p]', movedPort),
};
