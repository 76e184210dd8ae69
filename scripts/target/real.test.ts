import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenarioById, scenarios } from '../../suites/scenarios.ts';
import { chooseReal, whyNotReal, withPart } from './real.ts';

const programs = { part: 'dynamo', version: '1.6.1' } as const;
const leaves = scenarioById('dynamo-worker-leaves')!;

test('what contradicts a real program is refused with the next step', async () => {
  const refuses = (options: object, text: RegExp) =>
    assert.rejects(chooseReal('dynamo', { target: 'embedded', fault: [], ...options }), text);
  await refuses({ target: 'kubernetes' }, /--target kubernetes[\s\S]*leave --target out/);
  await refuses({ timeScale: 5 }, /--time-scale 5[\s\S]*real time/);
  await refuses({ fault: ['worker-grace-short'] }, /--fault worker-grace-short[\s\S]*only doubles have them/);
});

test('without a selection the scenarios of its document are tried; another one is refused', () => {
  const all = withPart('dynamo', scenarios, []);
  assert.ok(all.includes(leaves) && all.every(({ document }) => document === 'dynamo'));
  assert.throws(() => withPart('dynamo', scenarios, ['*']), /with --real dynamo/);
});

test('a scenario is unsupported where the programs are missing, or have no part in it', () => {
  assert.equal(whyNotReal(programs, leaves), undefined);
  assert.equal(whyNotReal({ ...programs, missing: 'not set up' }, leaves), 'not set up');
  assert.match(whyNotReal(programs, { id: 'dynamo-other' }) ?? '', /dynamo-other needs parts/);
});
