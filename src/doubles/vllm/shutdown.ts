import { vllm } from '../../engines/vllm.ts';
import type { Program } from '../program.ts';
import type { Engine } from '../openai/engine.ts';
import type { Listener } from '../openai/listener.ts';
import type { VllmDialect } from './dialect.ts';
import type { VllmLog } from './log.ts';
import type { VllmOptions } from './options.ts';

/** Milliseconds of the wall from the signal until an abort is on the wire. Measured: 8 to 255 ms. */
const ABORT_MS = 15;
/** Documented seconds from the signal until the listener closes in the default mode. Measured: 0.1 to 0.3 s. */
const LISTENER_CLOSES = 0.2;
/** Documented seconds from the signal, or from the end of a drain, to the exit. Measured: 0.4 to 1.5 s, 5.6 to 12 s. */
const EXIT = { abort: 1, drain: 6 } as const;

export interface ShutdownParts {
  program: Program;
  options: VllmOptions;
  engine: Engine;
  dialect: VllmDialect;
  listener: Listener;
  log: VllmLog;
}

/** What SIGTERM and SIGINT do, as measured on a real vLLM; a second signal does nothing. */
export function handleSignals({ program, options, engine, dialect, listener, log }: ShutdownParts): void {
  const { behaviour, shutdownTimeout } = options;
  const { faults, scale } = program;
  const drains = shutdownTimeout > 0 && !faults.has('vllm-drain-skipped');
  // However fast time runs, what an abort has to say is said before the exit.
  const exitMs = Math.max(scale.toMs(behaviour.exitSeconds ?? (drains ? EXIT.drain : EXIT.abort)), 2 * ABORT_MS);

  /** Ends the process `exitMs` after `from`, or never. */
  const exitAfter = (from: number) => {
    if (faults.has('engine-slow-exit')) return void setInterval(() => undefined, 2 ** 30); // lives until it is killed
    setTimeout(
      () => {
        log.info('launcher.py:170', '[shutdown] API server: shutting down FastAPI HTTP server');
        log.uvicorn('Application shutdown complete.');
        process.exit(0);
      },
      Math.max(0, from + exitMs - performance.now()),
    );
  };
  const closeListener = () => {
    log.uvicorn('Shutting down');
    listener.close();
    listener.closeIdle();
  };
  /** The listener goes, open connections stay without a byte, and the process stays for them. */
  const goSilent = (from: number) => {
    dialect.refusing = true;
    engine.abortAll('silence');
    setTimeout(() => {
      closeListener();
      log.uvicorn('Waiting for connections to close. (CTRL+C to force quit)');
      listener.whenEmpty(() => exitAfter(from));
    }, scale.toMs(LISTENER_CLOSES));
  };

  const abort = (at: number) => {
    dialect.refusing = true;
    log.info('core.py:910', `[shutdown] EngineCore: aborting in-flight requests count=${engine.unfinished}`);
    log.info('utils.py:300', '[shutdown] Process manager: force killing remaining processes count=1');
    if (behaviour.abort === 'silence') return goSilent(at);
    setTimeout(() => engine.abortAll(behaviour.abort), ABORT_MS);
    setTimeout(closeListener, Math.max(scale.toMs(LISTENER_CLOSES), ABORT_MS));
    exitAfter(at);
  };

  const drain = (at: number) => {
    dialect.refusing = !faults.has('vllm-serves-while-waiting');
    log.info(
      'core.py:920',
      `[shutdown] EngineCore: draining in-flight requests count=${engine.unfinished} timeout=${shutdownTimeout}s`,
    );
    let overran = false;
    const overrun = setTimeout(() => {
      overran = true;
      log.info('utils.py:300', '[shutdown] Process manager: force killing remaining processes count=1');
      goSilent(at);
    }, scale.toMs(shutdownTimeout));
    engine.whenIdle(() => {
      if (overran) return;
      clearTimeout(overrun);
      log.info('core.py:930', '[shutdown] EngineCore: request processing complete; starting resource teardown');
      const idleAt = performance.now();
      exitAfter(idleAt);
      setTimeout(closeListener, Math.max(0, exitMs - scale.toMs(LISTENER_CLOSES)));
    });
  };

  let signalled = false;
  const onSignal = () => {
    if (signalled) return;
    signalled = true;
    // First of all, and written when the call returns: this line is the instant of the signal.
    log.info('launcher.py:140', vllm.signalledMark);
    if (behaviour.ignoreSigterm) return;
    const at = performance.now();
    const mode = drains ? 'drain' : 'abort';
    log.info(
      'launcher.py:150',
      `[shutdown] API server: stopping engine client mode=${mode} timeout=${drains ? shutdownTimeout : 0}s`,
    );
    log.info('core.py:900', '[shutdown] EngineCore: trigger received signal=SIGTERM');
    if (drains) drain(at);
    else abort(at);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
