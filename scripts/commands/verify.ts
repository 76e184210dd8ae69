import { verifyBundle } from '../../src/history/bundle.ts';
import { exitCodes } from '../exit-codes.ts';

/** `quiesce verify BUNDLE...`: finds any byte that changed since the bundle was written. */
export function verifyCommand(folders: string[]): number {
  let broken = 0;
  for (const folder of folders) {
    const changes = verifyBundle(folder);
    if (changes.length === 0) console.log(`${folder}: unchanged`);
    for (const change of changes) console.log(`${folder}: ${change}`);
    broken += changes.length;
  }
  return broken ? exitCodes.fail : exitCodes.pass;
}
