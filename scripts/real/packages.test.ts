import { test } from 'node:test';
import assert from 'node:assert/strict';
import { missingPrograms } from './packages.ts';

test('what is missing is told with the package that has it', () => {
  const there = (program: string) => program !== 'runc' && program !== 'nft';
  assert.deepEqual(missingPrograms(true, there), [
    ['nft', 'nftables'],
    ['runc', 'runc'],
  ]);
  assert.deepEqual(missingPrograms(false, there), [['nft', 'nftables']], 'without a kubelet no runtime is needed');
});
