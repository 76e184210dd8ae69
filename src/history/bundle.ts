/** A bundle: the folder of one scenario's run. Written once, read and verified as often as one likes. */
export { BundleError } from './errors.ts';
export type { BundleCode } from './errors.ts';
export { readBundle } from './reader.ts';
export type { Bundle, LinedEvent } from './reader.ts';
export { verifyBundle } from './verify.ts';
export { BundleWriter, openBundle } from './writer.ts';
export type { BundleOptions } from './writer.ts';
