import type { Truth } from './draw.ts';
import { engineOracle } from './engine-oracle.ts';
import { either, type Truly } from './truly.ts';

/**
 * Decides each requirement from the true instants alone. It shares no code with the judges; only the documented numbers
 * are the same, written out.
 */
export function oracle(truth: Truth): Record<string, Truly> {
  const { draw, scale, K, S, E, requests, reads } = truth;
  const ms = (seconds: number) => scale.toMs(seconds);
  const G = ms(draw.grace);
  const { fault, startMs: p, readMs: r, lagMs: g, signalMs } = draw;
  const small = ms(0.3) + 5;
  // The gauges fall some time after the client has seen the end.
  const x = truth.x + draw.lagMs;
  const slack = 2 * r + p + signalMs;
  const victim = requests.filter((q) => q.server === 'victim');
  const last = victim.find((q) => q.group === 'last');
  const outlasts = draw.work === 'outlasts';
  const idle = draw.work === 'idle';
  const onVllm = draw.engine === 'vLLM';
  const split = draw.engine === 'prefill' || draw.engine === 'decode';
  // Whether the last work was still running when the signal, or the end, came.
  const stop = S ?? E;
  const ran = victim.filter(
    (q) =>
      q.over > stop ||
      q.last >= stop - 1 ||
      ['abort', 'error-frame', 'silence'].includes(q.end) ||
      (q.end === 'reset' && fault !== 'engine-drops'),
  );
  const dropped = victim.filter((q) => fault === 'engine-drops' && q.end === 'reset');
  // A request that comes in the hook's last second is unknown to it.
  const longWork = ran.some((q) => q.group === 'last');
  const worked = !idle && last !== undefined;
  const idleReads = reads.filter((read) => !read.busy && read.start > truth.x).length;
  const killedEarly = S === undefined;

  const busyEarly = killedEarly || (S !== undefined && longWork && S < G - ms(5));
  const of: Record<string, Truly> = {};

  of['GS-DW-05'] = idle
    ? S !== undefined && S < ms(5) - 1
      ? 'broken'
      : 'untried'
    : killedEarly
      ? 'close'
      : either((S ?? 0) < ms(5) - 1 || requests.some((q) => q.group === 'late' && q.end !== 'complete'), true);
  of['GS-DW-06'] =
    fault === 'engine-drops'
      ? 'close'
      : !idle || S === undefined
        ? 'untried'
        : either(
            S < ms(6) - 1 || reads.length < 2 || S > K + ms(6) + slack + ms(2.5) + 400,
            S <= K + ms(6) + slack + 1,
          );
  if (draw.work === 'ends' && worked && S !== undefined && fault !== 'engine-drops' && !fault.startsWith('router')) {
    const bound = truth.x + ms(2) + 3 * r + g + p + signalMs;
    of['GS-DW-07'] = longWork
      ? 'broken'
      : either(S < truth.x + ms(1) - small || S > bound + ms(3) + 500, S >= x + ms(1) && S <= bound && idleReads >= 2);
  } else of['GS-DW-07'] = idle ? 'untried' : 'close';
  if (outlasts) {
    of['GS-DW-08'] = killedEarly
      ? onVllm
        ? 'broken'
        : 'close'
      : fault === 'engine-drops'
        ? 'close'
        : either((S ?? 0) > K + G - ms(3) + p + 70, (S ?? 0) <= K + G - ms(3) + p && longWork);
    of['GS-DW-27'] =
      fault === 'engine-drops' || (killedEarly && !onVllm) ? 'close' : either(busyEarly, (S ?? 0) >= G - ms(5));
    of['GS-DW-28'] =
      killedEarly || fault === 'engine-drops'
        ? 'close'
        : either(
            reads.some((read) => read.start > K + G - ms(5) + p + 1),
            (S ?? 0) >= G - ms(5),
          );
    of['GS-LM-01'] =
      fault === 'router-retries'
        ? 'close'
        : either(
            killedEarly || dropped.length > 0 || (S ?? 0) < G - ms(5) || (S ?? 0) > K + G - ms(3) + p + 70,
            (S ?? 0) <= K + G - ms(3) + p,
          );
  } else {
    of['GS-DW-08'] = of['GS-DW-28'] = of['GS-LM-01'] = idle ? 'untried' : 'close';
    of['GS-DW-27'] = idle
      ? 'untried'
      : fault === 'engine-drops' || (killedEarly && !onVllm)
        ? 'close'
        : either(busyEarly, S !== undefined && S >= Math.min(x, G - ms(5)));
  }
  of['GS-DW-01'] = idle
    ? 'untried'
    : fault === 'engine-drops' || killedEarly
      ? 'close'
      : either(busyEarly || (S ?? 0) < Math.min(truth.x, G - ms(5)) - small, (S ?? 0) >= Math.min(x, G - ms(5)));
  const forced = draw.ignoresSigterm || E >= K + G - 1 || fault === 'kills-early';
  of['GS-DW-09'] =
    truth.exitCode !== 137 || !forced || !onVllm
      ? 'untried'
      : either(
          E < K + G - ms(1.5) - 350 || E > K + G + ms(1) + 600,
          Math.abs(E - K - G) < 20 && S !== undefined && S < K + G - ms(1),
        );
  of['GS-DW-10'] =
    fault === 'engine-drops'
      ? 'close'
      : !idle || S === undefined || split
        ? 'untried'
        : either(E > K + G - 1, E < K + G - ms(1) - 600 && E < S + ms(onVllm ? 2 : 5.1));
  of['GS-DW-12'] =
    draw.work !== 'ends' || last === undefined
      ? idle
        ? 'untried'
        : 'close'
      : killedEarly
        ? 'close'
        : either(
            dropped.length > 0 ||
              (longWork && last.sent + last.tokens * ms(0.25) < G - ms(6) - 30 && (S ?? 0) < G - ms(5) - 60),
            S !== undefined && S > truth.x + 1 && last.end === 'complete',
          );
  of['GS-DW-14'] = idle
    ? 'untried'
    : either(truth.bound < E - 1 || E > K + G + ms(2.5) + 1700, truth.bound >= E && E <= K + G + 20);
  of['GS-DW-26'] =
    S === undefined || truth.hookEnd === undefined
      ? 'close'
      : either(S < truth.hookEnd - 1 || S > truth.hookEnd + ms(3), S <= truth.hookEnd + ms(0.5) + 40);
  of['GS-DW-29'] = either(truth.hookStart === undefined || truth.hookStart > ms(3), (truth.hookStart ?? 0) <= 80);
  const routed = requests.filter((q) => q.group === 'steady' && (q.server === 'victim' || q.server === 'nobody'));
  const late = Math.max(0, ...routed.map((q) => q.sent));
  of['GS-DW-04'] =
    routed.length === 0 ? 'untried' : either(late >= ms(6) && S !== undefined && S > ms(6), late <= ms(1.9));
  if (S !== undefined && S < ms(5)) of['GS-DW-04'] = 'close';
  of['GS-LM-03'] =
    S === undefined || !victim.some((q) => q.group === 'last' && q.over > S)
      ? idle
        ? 'untried'
        : 'close'
      : either(
          requests.some((q) => q.movedTo),
          true,
        );
  if (!onVllm && of['GS-LM-03'] === 'holds' && !victim.some((q) => q.group === 'last' && q.end !== 'complete'))
    of['GS-LM-03'] = 'close';
  if (draw.ignoresSigterm) of['GS-LM-01'] = of['GS-LM-01'] === 'broken' ? 'broken' : (of['GS-LM-01'] ?? 'close');
  if (!onVllm) of['GS-LM-01'] = 'untried';
  return { ...of, ...engineOracle(truth) };
}
