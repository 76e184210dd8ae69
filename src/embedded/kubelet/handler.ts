import type { TimeScale } from '../../time/scale.ts';
import type { Place } from './downward.ts';
import { httpGet } from './http-get.ts';
import type { ContainerSpec, Handler } from './pod.ts';
import type { Sandbox } from './sandbox.ts';
import { pause } from './stamps.ts';

/** A request of a hook has no time of its own: the grace bounds it. Milliseconds of the wall. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** Characters kept of what a hook or a probe prints. */
const KEPT_OUTPUT = 2048;

export interface HandlerContext {
  spec: ContainerSpec;
  place: Place;
  sandbox: Sandbox;
  scale: TimeScale;
  /** Ends a sleep. */
  signal: AbortSignal;
  /** First sign of life of the handler's process, milliseconds after its start. */
  alive?: (afterMs: number) => void;
}

/** Runs a lifecycle hook to its end; undefined is success, a text says what failed. Never rejects. */
export async function runHandler(handler: Handler, context: HandlerContext): Promise<string | undefined> {
  const { spec, place, sandbox, scale, signal } = context;
  try {
    if (handler.exec) {
      const { code, output } = await runToEnd(sandbox, handler.exec.command, context.alive);
      return code === 0
        ? undefined
        : `command '${handler.exec.command.join(' ')}' exited with ${code}: ${output.trim()}`;
    }
    if (handler.httpGet) await httpGet(spec, place, handler.httpGet, NO_TIMEOUT_MS);
    else if (handler.sleep) await pause(scale.toMs(handler.sleep.seconds), signal);
    else return 'the hook has no handler that the process kubelet serves';
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Runs a command in a container to its end, or to `timeoutMs` of the wall. @throws StartError, or an Error at the timeout */
export async function runToEnd(
  sandbox: Sandbox,
  command: string[],
  alive?: (afterMs: number) => void,
  timeoutMs?: number,
): Promise<{ code: number; output: string }> {
  let output = '';
  const process = await sandbox.run(command, {
    output: (_, chunk) => {
      if (output.length < KEPT_OUTPUT) output += chunk.toString('utf8', 0, KEPT_OUTPUT);
    },
  });
  if (alive) void process.alive.then(alive);
  let late = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          late = true;
          process.kill();
        }, timeoutMs);
  const { code } = await process.exited;
  clearTimeout(timer);
  if (late) throw new Error(`command timed out: "${command.join(' ')}" timed out after ${(timeoutMs ?? 0) / 1000}s`);
  return { code, output };
}
