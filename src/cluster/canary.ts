import { Worker } from 'node:worker_threads';
import { clockOrigin } from '../time/clock.ts';
import { Delays } from '../time/delays.ts';
import { LATE_MS, TICK_MS } from '../time/stall.ts';
import type { OnStall, StallMeter } from '../time/stall.ts';

/** Milliseconds of work in each tick: a thread that only sleeps is woken promptly even where no core is free. */
const WORK_MS = 0.2;

/**
 * The canary's own thread, as text so that it needs neither a file beside the bundle nor a TypeScript loader. It tells of
 * each late tick at once, and of all delays once a second.
 */
const CANARY = `
const { parentPort, workerData: { stop, tickMs, workMs, lateMs } } = require('node:worker_threads');
const flag = new Int32Array(stop);
const work = (rounds) => { let x = 1; for (let i = 0; i < rounds; i += 1) x = Math.imul(x, 31) + i | 0; return x; };
let rounds = 20000;
for (let i = 0; i < 20; i += 1) { // the fastest of some tries is what an undisturbed core does
  const from = performance.now();
  work(rounds);
  const took = performance.now() - from;
  if (took < workMs / 2) rounds *= 2;
  else if (took < workMs * 1.5) break;
}
let delays = [];
let last = performance.now();
let told = last;
while (Atomics.wait(flag, 0, 0, tickMs) === 'timed-out') {
  work(rounds);
  const at = performance.now();
  const late = at - last - tickMs - workMs;
  delays.push(late);
  if (late > lateMs) parentPort.postMessage({ from: last + performance.timeOrigin, to: at + performance.timeOrigin });
  if (at - told > 1000) {
    parentPort.postMessage({ delays });
    delays = [];
    told = at;
  }
  last = at;
}
`;

type Told = { from: number; to: number } | { delays: number[] };

/**
 * Measures all the time how late a thread that sleeps and works a little is, which shows a machine that has no core to
 * spare for the processes under test, and tells of each stall from the tick before it.
 */
export function meterMachine(onStall: OnStall): StallMeter {
  const stop = new SharedArrayBuffer(4);
  const delays = new Delays();
  const worker = new Worker(CANARY, {
    eval: true,
    execArgv: [],
    workerData: { stop, tickMs: TICK_MS, workMs: WORK_MS, lateMs: LATE_MS },
  });
  worker.unref();
  worker.on('message', (told: Told) => {
    if ('delays' in told) told.delays.forEach((ms) => delays.add(ms));
    else onStall(told.from - clockOrigin(), told.to - clockOrigin());
  });
  return {
    stop() {
      const flag = new Int32Array(stop);
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
    summary: () => delays.summary(),
  };
}
