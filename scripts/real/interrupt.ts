import { exitCodes } from '../exit-codes.ts';

const controller = new AbortController();
let code: number | undefined;

/** Aborted by the first SIGINT, SIGTERM or SIGHUP: commands that run end, and what was done is undone. */
export const interrupt = controller.signal;

/** The exit code that the interrupt asks for, once there was one. */
export const interruptCode = (): number | undefined => code;

/** From now on a signal no longer ends this process at once. */
export function listenForInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      code ??= signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
      controller.abort(new Error(`interrupted by ${signal}`));
    });
}
