/** A bundle: the folder of one scenario's run. Written once, read and verified as often as one likes. */
export { BundleError } from './errors.ts';
export { makeFolder } from './make-folder.ts';
export { readBundle } from './reader.ts';
export { verifyBundle } from './verify.ts';
export { openBundle } from './writer.ts';
export { writeWhole } from './whole-file.ts';
