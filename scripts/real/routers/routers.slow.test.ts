import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bundleDoubles } from '../../../src/doubles/testing/bundled.ts';
import { onBench, type Subject } from './bench.ts';
import { commandOf, type RealRouter } from './install.ts';
import { lostLabel, probes } from './probes.ts';

/**
 * The same probes against a real router and its double. Where they differ the double is wrong, but for what the document
 * says otherwise: a double that has a fault for it is compared with the fault on.
 */
let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm-router', 'sglang-gateway')));
after(() => programs.remove());

const missing = (name: RealRouter) =>
  commandOf(name) ? false : `the real ${name} is not installed: node --import tsx scripts/real/routers/install.ts`;

const double = (name: RealRouter, faults: string[] = []): Subject => ({
  ...{ file: process.execPath, args: [programs.paths[name]!], faults },
});

for (const [name, what, args, faults] of [
  // The document says that vllm-router never retries: at its defaults the real one does as this fault has it.
  ['vllm-router', 'at its defaults', [], ['router-retries-before-start']],
  ['vllm-router', 'as documented', ['--disable-retries'], []],
  ['sglang-gateway', 'at its defaults', [], []],
] as const) {
  describe(`${name} ${what}`, { skip: missing(name), concurrency: 2 }, () => {
    for (const [title, { more = [], probe }] of Object.entries(probes)) {
      test(title, async () => {
        const retries = args.length > 0 && more.includes('--disable-retries') ? [] : args;
        const real = await onBench(commandOf(name)!, [...more, ...retries], probe);
        const own = await onBench(double(name, [...faults]), [...more, ...retries], probe);
        assert.deepEqual(own, real);
      });
    }
  });
}

describe('a label that is lost', { concurrency: 2 }, () => {
  test('vllm-router drops the replica', { skip: missing('vllm-router') }, async () => {
    const real = await onBench(commandOf('vllm-router')!, [], lostLabel);
    assert.deepEqual(await onBench(double('vllm-router'), [], lostLabel), real);
  });

  // The operator's image has a patch for it; without the patch the gateway does as this fault has it.
  test('sglang-router 0.3.2 keeps it', { skip: missing('sglang-gateway') }, async () => {
    const real = await onBench(commandOf('sglang-gateway')!, [], lostLabel);
    assert.deepEqual(await onBench(double('sglang-gateway', ['router-ignores-labels']), [], lostLabel), real);
    assert.deepEqual(await onBench(double('sglang-gateway'), [], lostLabel), { chosen: false });
  });
});
