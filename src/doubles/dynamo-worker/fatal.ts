import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import type { Seconds } from '../../time/scale.ts';
import type { Engine } from './engine.ts';
import type { Parts } from './parts.ts';
import { beginShutdown } from './runtime.ts';

/** Documented seconds by which faults are late. */
const LATE: Seconds = 12;

/** Watches the engine of a vLLM worker: it is asked every two seconds, and its death ends the process with 1. */
export async function monitorEngine(parts: Parts, engine: Engine): Promise<void> {
  const { program, tell } = parts;
  const { faults, scale } = program;
  const pause = (seconds: Seconds) => new Promise((resolve) => setTimeout(resolve, scale.toMs(seconds)));
  while (!engine.dead) await pause(dynamo.healthCheckInterval);
  if (faults.has('vllm-monitor-late')) await pause(LATE);
  tell('ERROR', `${lines.healthFailed}: EngineCore encountered an issue. See stack trace (above) for the root cause.`);
  if (faults.has('vllm-runtime-before-engine')) beginShutdown(parts, parts.endpoints.length);
  const seconds = dynamo.engineShutdown + (faults.has('vllm-engine-shutdown-unbounded') ? LATE : 0);
  const timedOut = pause(seconds).then(() => tell('WARN', lines.engineTimedOut));
  await Promise.race([engine.shutDown(), timedOut]);
  if (!faults.has('vllm-runtime-before-engine')) beginShutdown(parts, parts.endpoints.length);
  process.exit(exitCode(parts));
}

/** What a TensorRT-LLM worker does about an error that its engine does not survive. */
export async function endByFatalError(parts: Parts, engine: Engine): Promise<void> {
  const { program, tell } = parts;
  const { faults } = program;
  const runtime = () => beginShutdown(parts, parts.endpoints.length);
  const cause = faults.has('trtllm-hides-cause') ? '' : 'Executor worker returned error: process ended unexpectedly';
  tell('WARN', `${lines.fatal}: ${cause}`);
  if (!faults.has('trtllm-cleans-up-before-runtime')) runtime();
  try {
    await engine.shutDown();
  } catch (error) {
    tell('ERROR', `${lines.fatalCleanupError}: ${(error as Error).message}`);
  }
  if (faults.has('trtllm-cleans-up-before-runtime')) runtime();
  tell('CRITICAL', lines.forcedExit);
  process.exit(exitCode(parts));
}

const exitCode = ({ program }: Parts): number => (program.faults.has('worker-hides-fatal-error') ? 0 : 1);
