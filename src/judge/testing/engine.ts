import type { Draw, TrueRequest } from './draw.ts';

interface Ending {
  draw: Draw;
  S: number | undefined;
  kill: number;
  victim: TrueRequest[];
  ms: (seconds: number) => number;
  random: () => number;
  busyAt: (t: number) => boolean;
}

/** How an engine ends: until when it takes requests, when it cuts those that are open, and whether a kill does. */
interface End {
  E: number;
  exitCode: number;
  servesUntil: number;
  cutAt: number;
  killed: boolean;
}

/** A signal that comes with the kill leaves 2 s more. */
const untilKilled = (S: number | undefined, kill: number, ms: Ending['ms']) => (S === kill ? kill + ms(2) : kill);

/** vLLM aborts at its signal and leaves at once, unless it goes silent. */
export function vllmEnd({ draw, S, kill, ms, random, busyAt }: Ending): End {
  const stays = draw.ignoresSigterm || (draw.abort === 'silence' && S !== undefined && busyAt(S));
  const E = S === undefined || stays ? untilKilled(S, kill, ms) : Math.min(kill, S + ms(0.3 + random()));
  const killed = S === undefined || draw.ignoresSigterm;
  return {
    E,
    exitCode: S !== undefined && !stays && E < kill ? 0 : 137,
    servesUntil: Math.min(S ?? kill, kill),
    cutAt: killed ? E : S,
    killed,
  };
}

/** SGLang looks for its signal every 5 s, then for the end of its requests; a split one waits 15 s more. */
export function sglangEnd({ draw, S, kill, victim, ms, random }: Ending): End {
  const { fault, engine, watchdog } = draw;
  let E = untilKilled(S, kill, ms);
  if (S !== undefined && !draw.ignoresSigterm) {
    if (fault === 'engine-aborts')
      for (const q of victim) if (q.sent < S && q.over > S) cut(q, { ...draw, abort: 'abort' }, S, false, ms, random);
    let look = S + watchdog * ms(5);
    while (look < kill && victim.some((q) => q.sent < look && q.last > look)) look += ms(5);
    const wait = engine === 'SGLang' || fault === 'skips-wait' ? 0 : fault === 'scheduler-hangs' ? 45 : 15;
    E = Math.min(E, look + ms(wait));
  }
  return { E, exitCode: 137, servesUntil: E, cutAt: E, killed: true };
}

/** Ends a request at an instant, in the way of the engine and the draw. */
export function cut(
  q: TrueRequest,
  draw: Draw,
  at: number,
  killed: boolean,
  ms: (s: number) => number,
  random: () => number,
): void {
  const token = ms(q.tokenSeconds);
  const seen = Math.max(0, Math.floor((at - q.sent) / token));
  const lastToken = q.sent + seen * token;
  q.tokensSeen = Math.min(seen, q.tokens);
  q.freed = at;
  if (killed) return void Object.assign(q, { end: 'reset', last: lastToken, over: at + 2 });
  if (draw.fault === 'router-retries' && q.via === 'router') {
    const over = at + 20 + q.tokens * token;
    return void Object.assign(q, { end: 'damaged', last: over, over, movedTo: 'survivor' });
  }
  if (draw.abort === 'silence')
    return void Object.assign(q, { end: 'silence', last: lastToken, over: lastToken + 700 });
  const told = at + 5 + random() * 30;
  Object.assign(q, { end: draw.abort, last: told, over: told + 1 });
}
