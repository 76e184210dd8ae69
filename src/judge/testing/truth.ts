import { drainWindow as c } from '../../requirements/drain-window.ts';
import { TimeScale } from '../../time/scale.ts';
import type { Draw, Truth } from './draw.ts';
import { plan } from './load.ts';
import { randomOf } from './random.ts';
import { cut, sglangEnd, vllmEnd } from './engine.ts';

/** Lets a replica leave by the documented rules, or by those of the drawn fault. */
export function simulate(draw: Draw): Truth {
  const scale = new TimeScale(draw.scale);
  const ms = (seconds: number) => scale.toMs(seconds);
  const random = randomOf(draw.seed);
  const { fault, grace: G } = draw;
  const K = draw.beginMs;
  const kill = K + ms(fault === 'kills-early' ? G - 8 : fault === 'never-kills' ? G + 10 : G);
  const ends =
    draw.work === 'ends' ? ms(5.3 + draw.phase * (G - 7.3 - 5.3)) : draw.work === 'outlasts' ? ms(G + 12) : -Infinity;
  const planned = plan(draw, ends, ms, random);
  const onVictim = planned.filter((q) => q.server === 'victim');
  if (fault === 'engine-drops') {
    for (const q of onVictim)
      if (q.over > ms(6)) Object.assign(q, { end: 'reset', last: q.last - ms(3), over: q.last - ms(3) });
  }
  const busyAt = (t: number) => onVictim.some((q) => q.sent < t && t < q.last + draw.lagMs);

  // The hook.
  const reads: Truth['reads'] = [];
  const hookStart = fault === 'hook-missing' ? undefined : K + (fault === 'late-hook' ? ms(4) : 0);
  const alive = hookStart === undefined ? undefined : hookStart + draw.startMs;
  let hookEnd = alive;
  if (alive !== undefined) hookEnd = runHook(draw, alive, ms, busyAt, reads);
  const returned = hookEnd ?? K;
  const followed = returned + draw.signalMs + (fault === 'signal-late' ? ms(4) : 0);
  let S: number | undefined = fault === 'sigterm-first' ? K + draw.signalMs : Math.min(followed, kill);
  if (fault === 'kills-early' && followed > kill) S = undefined;
  // The listener is closed from the signal on: later reads are refused.
  const dead = Math.min(S ?? kill, kill);
  while (reads.length > 0 && (reads.at(-1)?.start ?? 0) >= dead) reads.pop();

  // The engine.
  const end = draw.engine === 'vLLM' ? vllmEnd : sglangEnd;
  const { E, exitCode, servesUntil, cutAt, killed } = end({ draw, S, kill, victim: onVictim, ms, random, busyAt });
  for (const q of onVictim) {
    if (q.sent >= servesUntil)
      Object.assign(q, { server: 'nobody', end: 'refused', last: q.sent, over: q.sent + 2, tokensSeen: 0 });
    else if (q.over > cutAt) cut(q, draw, cutAt, killed, ms, random);
  }
  const settled = onVictim.filter((q) => q.server === 'victim' && q.last <= dead).map((q) => q.last);
  // Terminal status, then the scheduler.
  const bound = fault === 'capacity-early' ? ms(1) : E;
  return {
    draw,
    scale,
    K,
    hookStart,
    alive,
    hookEnd,
    reads,
    S,
    E,
    exitCode,
    x: Math.max(-Infinity, ...settled),
    requests: planned,
    bound,
  };
}

function runHook(
  draw: Draw,
  alive: number,
  ms: (s: number) => number,
  busyAt: (t: number) => boolean,
  reads: Truth['reads'],
): number {
  const { fault, grace: G } = draw;
  if (fault === 'hook-early') return alive + ms(2);
  if (fault === 'hook-waits-for-grace') return alive + ms(G - c.exitReserve);
  let t = alive + ms(fault === 'settle-long' ? 10 : c.settle);
  const limit = alive + ms(G - (fault === 'late-bound' ? 2 : c.exitReserve));
  let idle = 0;
  while (t < limit) {
    const busy = busyAt(t + draw.readMs / 2);
    reads.push({ start: t, end: t + draw.readMs, busy });
    t += draw.readMs;
    idle = busy ? 0 : idle + 1;
    if (idle >= (fault === 'one-idle-read' ? 1 : c.idleReads)) return t;
    t += ms(fault === 'slow-poll' ? 5 : c.poll);
  }
  return t;
}
