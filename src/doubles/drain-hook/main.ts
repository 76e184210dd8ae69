import { startProgram } from '../program.ts';
import { readOptions } from './options.ts';
import { type Opener, opener, readMetrics, sumGauges } from './read.ts';

/**
 * The documented preStop hook as a program of its own: settles, reads the engine's gauges once a second, ends on the
 * second idle read in a row or when the grace is nearly over, and always with 0. It stands for `python3 -c SCRIPT`.
 */
const { podIP, scale, faults, log } = startProgram();
const options = readOptions(process.argv.slice(2), faults);

/**
 * Shortest read timeout on the wall, in milliseconds. The documented 1 s is 200 ms at scale 5; much below that a healthy
 * engine on a machine short of CPU would look hung, which no promise is about.
 */
const TIMEOUT_FLOOR_MS = 150;

// `performance.now()` counts from the start of this process, which is when the kubelet started the hook.
const age = (): number => scale.toSeconds(performance.now());

/** Sleeps to an age in documented seconds; a timer that fires a little early is armed again. */
async function sleepTo(seconds: number): Promise<void> {
  for (let left = seconds - age(); left > 0; left = seconds - age()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(scale.toMs(left))));
  }
}

/** One read: `idle`, `busy`, or `over` where the hook has nothing to wait for. */
async function read(open: Opener): Promise<'idle' | 'busy' | 'over'> {
  const timeoutMs = Math.max(scale.toMs(options.readTimeout), TIMEOUT_FLOOR_MS);
  const result = await readMetrics(open, { ...options, address: podIP, timeoutMs });
  switch (result.kind) {
    case 'timeout':
      log('drain-hook: read timed out');
      return faults.has('hook-timeout-is-idle') ? 'idle' : 'busy';
    case 'failed':
      log(`drain-hook: read failed: ${result.detail}`);
      return faults.has(`hook-${result.why}-is-busy`) ? 'busy' : 'over';
    case 'page': {
      const sum = sumGauges(result.body, options.gauges, {
        firstOnly: faults.has('hook-first-series-only'),
        absentIsZero: faults.has('hook-absent-gauge-is-idle'),
      });
      if (Number.isNaN(sum)) return faults.has('hook-garbage-is-idle') ? 'idle' : 'busy';
      return sum > 0 ? 'busy' : 'idle';
    }
  }
}

async function drain(): Promise<void> {
  if (faults.has('hook-returns-early')) return sleepTo(2);
  if (faults.has('hook-waits-for-grace')) return sleepTo(options.lastRead);
  const open = await opener(options.scheme);
  await sleepTo(options.settle);
  let idle = 0;
  while (age() < options.lastRead) {
    const seen = await read(open);
    if (seen === 'over') return;
    if (seen === 'idle') idle += 1;
    else if (!faults.has('hook-idle-not-in-a-row')) idle = 0;
    if (idle >= options.idleReads) return;
    await sleepTo(age() + options.poll);
  }
}

await drain();
process.exit(0);
