import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, compare, killWithin, secondsFrom, stallsPast } from '../compare.ts';
import type { End } from '../facts/pod.ts';
import { decide, eachPod, evidenceOf, need, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { idleHook, requireIdle } from './hook-timing.ts';

const wallMs = (t: { value: number }) => t.value * 1000;

export const endOf = ({ pod }: PodCase): End =>
  need(
    pod.E,
    `the end of main of ${pod.name} is not in the history`,
    'a status of the Pod with its terminated container',
  );

/** DW-09: at G the kubelet kills what is left of `main`. A kill before G comes without any signal: S may be missing. */
export function killedAtG(of: PodCase): Finding {
  const { facts, pod, scale } = of;
  const { K, G } = beginningOf(of);
  const E = endOf(of);
  demand(
    pod.engine !== 'SGLang',
    `${pod.name} runs SGLang, which kills itself in the end: its code tells nothing of who did`,
    'an engine that leaves with another code by itself',
    E.marks,
  );
  demand(
    E.exitCode === 137,
    `main of ${pod.name} ended with ${E.exitCode ?? 'an unknown code'}, not 137: it may have left by itself`,
    'an engine that ignores SIGTERM',
    E.marks,
  );
  const due = [K.at[0] + G, K.at[1] + G] as const;
  const stalls = stallsPast(facts, due[0], E.at);
  const kill = killWithin(facts);
  const finding = compare(of, {
    formula: 'E in [K + G, K + G + kill]',
    name: 'E',
    instant: E,
    // Known alive up to the last answer before its end; seen ended some time after it.
    low: { pass: due[0] - wallMs(tolerances.alive), fail: due[0] },
    high: { pass: due[0] + kill + wallMs(tolerances.statusDelay), fail: due[1] + kill + stalls },
    also: [pod.S],
  });
  if (finding.outcome !== 'pass') return finding;
  const inTime = pod.S !== undefined && pod.S.at[1] < due[0] - scale.toMs(1);
  demand(
    inTime,
    `no SIGTERM before the kill is known for ${pod.name}`,
    "the engine's own line about the signal",
    E.marks,
  );
  return finding;
}

/** DW-10: an idle engine leaves by itself a few seconds after its hook returns. */
function exitsByItself(of: PodCase): Finding {
  const departure = departureOf(of);
  requireIdle(departure);
  const { K, G, S } = departure;
  const { scale, facts, pod } = of;
  demand(
    pod.mode === 'unified',
    `${pod.name} is one half of a split pair (${pod.mode}), which takes longer`,
    'an engine that serves whole requests',
  );
  const E = endOf(of);
  const limit = G - scale.toMs(1);
  const few = scale.toMs(tolerances.fewSeconds.value);
  const seeing = wallMs(tolerances.statusDelay) + wallMs(tolerances.arrival);
  const stalls = facts.widener.stalledBetween(S.at[0], E.at[1]);
  const most = scale.toMs(tolerances.fewSecondsAtMost.value);
  const finding = compare(of, {
    formula: 'E < K + G - 1; E <= S + few',
    name: 'E',
    instant: E,
    low: { pass: S.at[0], fail: S.at[0] },
    high: {
      pass: Math.min(K.at[0] + limit, S.at[0] + most + seeing),
      fail: Math.min(K.at[1] + limit, S.at[1] + most) + stalls,
    },
    also: [S],
  });
  const slow = E.at[0] - S.at[1] > few;
  if (finding.outcome !== 'pass' || !slow) return finding;
  return {
    ...finding,
    note: `it leaves ${scale.toSeconds(E.at[0] - S.at[1]).toFixed(1)} s after the signal: more than the 2 s of a measured vLLM${pod.engine === 'SGLang' ? ', within the 5 s of SGLang’s watchdog and of its drain' : ''}`,
  };
}

/** DW-13: an idle replica with a large G leaves as early as one with a small G. */
const ceiling: Rule = (input) => {
  const formula = 'S in [D + 6, K + 6 + 2r + p] and E <= S + few, whatever G; |E1 - E2| <= 1';
  const graces = input.cases.flatMap((one) => one.pods.map((pod) => pod.grace ?? 0));
  const single = eachPod(formula, (of) => {
    demand(
      Math.max(...graces) >= 2 * Math.min(...graces),
      `graces of ${graces.join(', ')} s`,
      'one grace that is twice another',
    );
    return [idleHook(of), exitsByItself(of)];
  })(input);
  return [
    ...single,
    ...decide(formula, () => {
      const { facts } = input;
      const ends = input.cases
        .flatMap((one) => one.pods)
        .flatMap((pod) => (pod.E && pod.D ? [{ pod, E: pod.E, D: pod.D }] : []));
      demand(ends.length >= 2, 'fewer than two ends are in the history', 'the end of two idle replicas at least');
      const spans = ends.map(({ E, D }) => [E.at[0] - D.at[1], E.at[1] - D.at[0]] as const);
      const apart = Math.max(...spans.map(([lo]) => lo)) - Math.min(...spans.map(([, hi]) => hi));
      const stalls = Math.max(...ends.map(({ E, D }) => facts.widener.stalledBetween(D.at[0], E.at[1])));
      const wall = wallMs(tolerances.statusDelay) + wallMs(tolerances.processStart);
      const late = apart > facts.scale.toMs(tolerances.sameExit.value) + wall + stalls;
      const seen = ends
        .map(({ pod, E, D }) => `${pod.name} (G = ${pod.grace} s) ${secondsFrom(facts, D.at, E.at[1])}`)
        .join(', ');
      return {
        outcome: late ? 'fail' : 'pass',
        formula: 'the ends of idle replicas lie within 1 s of each other',
        seen,
        evidence: evidenceOf(...ends.map(({ E }) => E)),
      };
    }),
  ];
};

export const exitTiming: Record<string, Rule> = {
  'GS-DW-09': eachPod('E in [K + G, K + G + kill]', killedAtG),
  'GS-DW-10': eachPod('E < K + G - 1; E <= S + few', exitsByItself),
  'GS-DW-13': ceiling,
};
