import { verifyBundle } from '../../src/history/bundle.ts';
import { exitCodes } from '../exit-codes.ts';
import { verdictsHold } from './judge.ts';

/**
 * `quiesce verify BUNDLE...`: finds any byte that changed since the bundle was written. Its verdicts are judged again,
 * since they have no hash: they are derived, and another version may have judged otherwise.
 */
export function verifyCommand(folders: string[]): number {
  let broken = 0;
  for (const folder of folders) {
    const changes = verifyBundle(folder);
    // Of a history that is changed itself the verdicts are no matter.
    if (changes.length === 0 && !verdictsHold(folder)) {
      changes.push('verdicts.json: changed: judging again gives other bytes');
    }
    if (changes.length === 0) console.log(`${folder}: unchanged`);
    for (const change of changes) console.log(`${folder}: ${change}`);
    broken += changes.length;
  }
  return broken ? exitCodes.fail : exitCodes.pass;
}
