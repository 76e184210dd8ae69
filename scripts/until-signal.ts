import { exitCodes } from './exit-codes.ts';

/** The exit code of the first signal that asks for the end. A second one ends at once: the reaper clears away the rest. */
export function untilSignal(): Promise<number> {
  return new Promise((resolve) => {
    const codes = {
      SIGINT: exitCodes.interrupted,
      SIGTERM: exitCodes.terminated,
      SIGHUP: exitCodes.terminated,
    } as const;
    for (const [signal, code] of Object.entries(codes)) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(code));
        resolve(code);
      });
    }
  });
}
