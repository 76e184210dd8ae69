import { sglang } from '../../engines/sglang.ts';
import type { Engine } from '../openai/engine.ts';
import type { Program } from '../program.ts';
import type { SglangLog } from './log.ts';
import type { SglangOptions } from './options.ts';

interface Parts {
  program: Program;
  options: SglangOptions;
  engine: Engine;
  log: SglangLog;
}

/** What the rest of the server learns of a signal. */
export interface Shutdown {
  readonly draining: boolean;
}

/**
 * What SIGTERM does: nothing at once. A watchdog that looks every 5 s finds it, the drain goes on every 5 s until no
 * request is left, without a deadline and with new requests let in, and the server kills its own process tree. A split
 * server waits a fixed time for its scheduler before that.
 */
export function handleSigterm({ program, options, engine, log }: Parts): Shutdown {
  const { faults, scale } = program;
  const shutdown = { draining: false };
  const every = scale.toMs(sglang.watchdog);

  const kill = () => {
    log.say(`kill_process_tree called: parent_pid=${process.pid}, include_parent=True, pid=${process.pid}`);
    process.kill(process.pid, 'SIGKILL');
  };
  const drained = () => {
    if (faults.has('engine-slow-exit')) return; // lives until it is killed
    if (options.mode === 'unified' || faults.has('sglang-skips-wait')) return kill();
    const wait = faults.has('sglang-scheduler-hangs') ? 3 * sglang.schedulerWait : sglang.schedulerWait;
    setTimeout(kill, scale.toMs(wait));
  };
  const drain = () => {
    if (options.forceShutdown && !faults.has('sglang-force-ignored')) {
      log.say('Signal SIGTERM received while force shutdown flag set. Force exiting.');
      return drained();
    }
    const rids = engine.openIds;
    log.say(
      `Gracefully exiting... Remaining number of requests ${engine.unfinished}. Remaining requests remaining_rids=${JSON.stringify(rids)}.`,
    );
    if (engine.unfinished === 0) drained();
    else setTimeout(drain, every);
  };

  const watchdog = setInterval(() => {
    if (!shutdown.draining) return;
    clearInterval(watchdog);
    drain();
  }, every);
  process.on('SIGTERM', () => {
    // Written when the call returns: this line is the instant of the signal.
    log.say(`${sglang.signalledMark}15 frame=None. Draining requests and shutting down...`);
    if (options.behaviour.ignoreSigterm) return;
    shutdown.draining = true;
    if (faults.has('sglang-aborts-at-sigterm')) engine.abortAll('flush');
  });
  return shutdown;
}
