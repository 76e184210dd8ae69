/** Stable codes of what can be wrong with a bundle. */
export type BundleCode =
  | 'BUNDLE_NOT_EMPTY' // the folder holds something else already
  | 'BUNDLE_NOT_WRITABLE' // the folder cannot be made or written
  | 'BUNDLE_LOCKED' // another run writes into it now
  | 'BUNDLE_DISK_FULL' // no space left while writing; the bundle is readable up to its last whole line
  | 'BUNDLE_WRITE_FAILED' // any other error of the disk
  | 'BUNDLE_CLOSED' // an event came after the bundle was closed
  | 'BUNDLE_UNREADABLE' // no manifest or no history there
  | 'BUNDLE_DAMAGED' // a manifest that is not one
  | 'BUNDLE_NEWER'; // written by a newer version

/** A bundle that cannot be written or read: what was seen, and the next step. */
export class BundleError extends Error {
  readonly code: BundleCode;
  readonly seen: string;
  readonly next: string;

  constructor(code: BundleCode, seen: string, next: string, cause?: unknown) {
    super(`${seen} (${code}). ${next}`, cause === undefined ? undefined : { cause });
    this.name = 'BundleError';
    this.code = code;
    this.seen = seen;
    this.next = next;
  }
}

/** The code of a system error, such as `ENOSPC`; empty for anything else. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Says what writing at `path` met: a full disk, a folder without permission, or something else. */
export function writeError(error: unknown, path: string): BundleError {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const next = 'Free some space or choose another folder with --out; what was written until now can be judged.';
    return new BundleError('BUNDLE_DISK_FULL', `no space left while writing ${path}`, next, error);
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
    return new BundleError(
      'BUNDLE_NOT_WRITABLE',
      `${path} cannot be written: ${code}`,
      'Choose another folder with --out.',
      error,
    );
  }
  const seen = `writing ${path} failed: ${error instanceof Error ? error.message : String(error)}`;
  return new BundleError('BUNDLE_WRITE_FAILED', seen, 'Look at the disk, then run again.', error);
}
