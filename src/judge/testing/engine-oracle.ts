import type { Truth } from './draw.ts';
import { either, type Truly } from './truly.ts';

/** What the truth says of how SGLang ends; the documented numbers are written out, as in the oracle of the window. */
export function engineOracle(truth: Truth): Record<string, Truly> {
  const { draw, scale, K, S, E, requests } = truth;
  const ms = (seconds: number) => scale.toMs(seconds);
  const { engine, work } = draw;
  const split = engine === 'prefill' || engine === 'decode';
  const kill = K + ms(draw.grace);
  const idle = work === 'idle';
  const left = E < kill - ms(1) - 600;
  const killedThen = Math.abs(E - kill) < 20;
  const victim = requests.filter((q) => q.server === 'victim');
  const lost = victim.filter((q) => q.end !== 'complete' && q.over > 1);
  const lostBefore = lost.filter((q) => q.over < kill - 30);
  const ranAtSignal = S !== undefined && victim.some((q) => q.sent < S && q.over > S);
  const of: Record<string, Truly> = {};

  // Work that ended before the signal leaves an idle replica behind.
  const quiet = split && S !== undefined && (idle || (work === 'ends' && !ranAtSignal));
  const took = E - (S ?? 0);
  // Where work came before, a rule may take the exit for an idle one's or leave it open.
  const known = (truly: Truly): Truly => (idle ? truly : 'close');
  of['GS-DW-16'] = quiet ? known(either(took > ms(23) + 900, left && took <= ms(22.5))) : 'untried';
  of['GS-DW-34'] = quiet ? known(either(left && took < ms(15) - 350, left && took >= ms(15) + 330)) : 'untried';
  of['GS-DW-17'] =
    quiet && draw.grace === 45
      ? S > kill - ms(20) - 30
        ? S > kill - ms(20) + 30
          ? 'untried'
          : 'close'
        : known(either(E > kill - 1, left))
      : 'untried';

  // A signal that came so late that only the kill can have ended it, or so early that it cannot have.
  const late = S !== undefined && S > kill - ms(15) + 30;
  const soon = S !== undefined && S < kill - ms(22) - 30;
  of['GS-DW-37'] = !split
    ? 'untried'
    : idle
      ? 'close'
      : S === undefined
        ? 'close'
        : either(
            lost.some((q) => q.sent < S - 1 && q.over < S - 1),
            late && killedThen && work === 'ends' && !ranAtSignal && lost.length === 0,
          );
  of['GS-LM-06'] = !split
    ? 'untried'
    : S === undefined
      ? 'close'
      : either(
          lostBefore.length > 0 || (late && E > kill + 900) || (soon && E > kill - 1),
          lostBefore.length === 0 && ((late && (killedThen || left)) || (soon && left)),
        );

  const middle = victim.find((q) => q.group === 'middle');
  const last = victim.find((q) => q.group === 'last');
  of['GS-LM-02'] =
    engine !== 'SGLang' || idle
      ? 'untried'
      : S === undefined || work !== 'outlasts'
        ? 'close'
        : either(
            lostBefore.length > 0 || (last?.over ?? 0) > kill + 900,
            killedThen &&
              middle?.end === 'complete' &&
              middle.over > S + 30 &&
              last?.end !== 'complete' &&
              lostBefore.length === 0,
          );
  return of;
}
