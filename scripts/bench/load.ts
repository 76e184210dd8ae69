import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Recorder } from '../../src/history/event.ts';
import { startLoad } from '../../src/load/driver.ts';
import type { Ledger } from '../../src/load/ledger.ts';
import { planLoad } from '../../src/load/plan.ts';
import { now } from '../../src/time/clock.ts';
import { TimeScale } from '../../src/time/scale.ts';

/** The load of the measurement that `load-generation` facts rest on: 100 requests a second of 5.12 s, 512 open at once. */
const RATE = 100;
const TOKENS = 138;
const TOKEN_SECONDS = 5.12 / TOKENS;

export interface LoadBench {
  streams: number;
  /** Milliseconds. */
  startDelay: { p50: number; p99: number; max: number };
  tokensPerSecond: number;
  /** Share of one core that this process used while all streams were open. */
  cpuShare: number;
  ledger: Ledger;
}

/** Drives open streams against a server in another process for `seconds` at full height. */
export async function benchLoad(seconds = 5): Promise<LoadBench> {
  const server = fork(fileURLToPath(new URL('sse-server.mjs', import.meta.url)), { execArgv: [] });
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const rising = TOKENS * TOKEN_SECONDS;
    const to = { router: 'bench' };
    const steady = {
      name: 'bench',
      to,
      rate: RATE,
      arrivals: 'poisson',
      starts: 0,
      ends: rising + seconds,
      tokens: TOKENS,
    } as const;
    const scale = new TimeScale(1);
    const plan = planLoad({ steady: [steady], tokenSeconds: TOKEN_SECONDS, seed: 1, scale });
    let tokens = 0;
    const recorder: Recorder = { record: (kind) => void (tokens += kind === 'request.chunk' ? 1 : 0) };
    const zeroAt = now() + 200;
    const load = startLoad({
      plan,
      zeroAt,
      scale,
      resolve: () => ({ host: '127.0.0.1', port }),
      recorder,
      silenceMs: 2000,
      sampleEveryMs: 0,
    });
    await new Promise((resolve) => setTimeout(resolve, zeroAt + rising * 1000 - now()));
    const height = load.open().length;
    const cpu = process.cpuUsage();
    const from = now();
    const before = tokens;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const { user, system } = process.cpuUsage(cpu);
    const wallMs = now() - from;
    const tokensPerSecond = ((tokens - before) * 1000) / wallMs;
    const ledger = await load.done;
    return {
      streams: height,
      startDelay: ledger.startDelay,
      tokensPerSecond,
      cpuShare: (user + system) / 1000 / wallMs,
      ledger,
    };
  } finally {
    server.disconnect();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { streams, startDelay, tokensPerSecond, cpuShare, ledger } = await benchLoad();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(`open streams      ${streams}`);
  console.log(`tokens a second   ${Math.round(tokensPerSecond)}`);
  console.log(`start delay       p50 ${ms(startDelay.p50)}, p99 ${ms(startDelay.p99)}, max ${ms(startDelay.max)}`);
  console.log(`CPU of one core   ${Math.round(cpuShare * 100)} %`);
  console.log(`complete          ${ledger.ends.complete} of ${ledger.planned}`);
}
