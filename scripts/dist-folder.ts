import { basename, join } from 'node:path';

/** Folder of the bundled programs: that of this bundle, or `dist` where this runs from its source. */
export const distFolder = (): string => {
  const here = import.meta.dirname;
  return basename(here) === 'dist' ? here : join(here, '../dist');
};
