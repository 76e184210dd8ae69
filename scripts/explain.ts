import { exitCodes } from './exit-codes.ts';

/** Codes of a bundle that are no fault of what was typed. */
const diskErrors = new Set<string | undefined>(['BUNDLE_DISK_FULL', 'BUNDLE_WRITE_FAILED', 'BUNDLE_CLOSED']);

/** The one message of an error that ends the command, and its exit code. */
export function explain(error: unknown): { text: string; code: number } {
  const { code, message, stack } = error as { code?: string; message?: string; stack?: string };
  if (!(error instanceof Error)) return { text: `quiesce: ${String(error)}`, code: exitCodes.harnessError };
  if (diskErrors.has(code)) return { text: `quiesce: ${message}`, code: exitCodes.harnessError };
  if (code === 'QUIESCE_USAGE' || code?.startsWith('BUNDLE_') || code === 'QUIESCE_KUBECONFIG') {
    return { text: `quiesce: ${message}`, code: exitCodes.usage };
  }
  if (code?.startsWith('QUIESCE_')) return { text: `quiesce: ${message}`, code: exitCodes.harnessError };
  return { text: `quiesce: this is a fault of quiesce itself: ${stack ?? message}`, code: exitCodes.harnessError };
}
