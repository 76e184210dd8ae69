import { basename, join } from 'node:path';

/** The clone that this runs from, bundled in `dist` or as source in `scripts/real`. */
export const root =
  basename(import.meta.dirname) === 'dist' ? join(import.meta.dirname, '..') : join(import.meta.dirname, '../..');
