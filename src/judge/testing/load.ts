import type { Draw, TrueRequest } from './draw.ts';

/** The load: the last work, a request that ends early on a busy replica, a direct one after the delete, steady arrivals. */
export function plan(draw: Draw, ends: number, ms: (s: number) => number, random: () => number): TrueRequest[] {
  const requests: TrueRequest[] = [];
  const add = (group: string, via: 'router' | 'pod', server: 'victim' | 'survivor', sent: number, until: number) => {
    const tokens = Math.max(1, Math.round((until - sent) / ms(0.25)));
    const last = sent + tokens * ms(0.25);
    requests.push({
      id: `${group}-${requests.length}`,
      group,
      via,
      sent,
      tokens,
      tokenSeconds: 0.25,
      server,
      end: 'complete',
      last,
      over: last + 1,
      tokensSeen: tokens,
    });
  };
  if (draw.work !== 'idle') {
    add('last', 'router', 'victim', -ms(5) - random() * 50, ends);
    add('last', 'router', 'survivor', -ms(5), ends);
  }
  if (draw.work === 'outlasts') add('early', 'router', 'victim', -ms(4.5), ms(draw.grace - 7));
  // SGLang lets it end after its signal.
  if (draw.work === 'outlasts' && draw.engine !== 'vLLM') add('middle', 'router', 'victim', -ms(4), ms(draw.grace - 2));
  if (draw.work !== 'idle') add('late', 'pod', 'victim', ms(1.5), ms(2.5));
  if (draw.work !== 'ends' || draw.grace > 30) return requests;
  const learns =
    draw.fault === 'router-keeps' ? ms(draw.grace + 20) : draw.fault === 'router-late' ? ms(8) : 5 + random() * 15;
  let turn = 0;
  // Short, so that they do not change when the last work ends.
  for (let t = -ms(4); t < ms(Math.min(9.5, draw.grace - 1)); t += ms(0.3)) {
    const victim = turn++ % 2 === 0 && t < learns;
    requests.push({
      id: `steady-${turn}`,
      group: 'steady',
      via: 'router',
      sent: t,
      tokens: 1,
      tokenSeconds: 0.25,
      server: victim ? 'victim' : 'survivor',
      end: 'complete',
      last: t + ms(0.25),
      over: t + ms(0.25) + 1,
      tokensSeen: 1,
    });
  }
  return requests;
}
