import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentedSeconds, gpuMinutes, podsOfScenario, runSeconds, wallSeconds, withinBudget } from './estimate.ts';
import type { Scenario } from './scenario.ts';

const scenario = (id: string, requirements: string[], more: Partial<Scenario> = {}): Scenario => ({
  id,
  title: id,
  document: 'gpustack',
  section: 'Drain window',
  deploy: {
    kind: 'gpustack',
    deployments: [{ name: 'chat', roles: [{ name: 'serve', replicas: 2, size: 2 }], router: {} }],
  },
  cases: { victim: { deployment: 'chat', role: 'serve', index: 0, lastWorkEnds: null } },
  act: [{ at: 0, do: 'delete', cases: ['victim'] }],
  until: { gone: ['victim'], then: 2, atMost: 60 },
  decides: requirements.map((requirement) => ({ requirement, cases: ['victim'] })),
  controls: [],
  ...more,
});

test('documented time runs from the first load to the end of the window', () => {
  const one = scenario('one', ['A']);
  assert.equal(documentedSeconds(one), 3 + 30 + 4 + 2); // rest, unset grace, exit, what comes after it
  const load = { placed: [{ name: 'x', to: { case: 'victim' }, starts: -9.5, ends: 5 }] };
  assert.equal(documentedSeconds(scenario('early', ['A'], { load })), 10 + 30 + 4 + 2);
  assert.equal(documentedSeconds(scenario('short', ['A'], { until: { gone: ['victim'], atMost: 20 } })), 3 + 20);
  assert.equal(documentedSeconds(scenario('fixed', ['A'], { until: { atMost: 20, then: 7 } })), 3 + 7);
});

test('Pods count with their members, the router and the operator; accelerators are held while a model loads', () => {
  const one = scenario('one', ['A']);
  assert.equal(podsOfScenario(one), 4 + 1 + 1);
  assert.equal(gpuMinutes(one), (4 * (180 + documentedSeconds(one))) / 60);
});

test('a run takes as long as its longest lane', () => {
  const all = ['a', 'b', 'c', 'd'].map((id) => scenario(id, [id]));
  const one = wallSeconds(all[0]!, 5);
  const frame = runSeconds([], 5, 2);
  assert.equal(runSeconds(all, 5, 2), frame + 2 * one);
  assert.equal(runSeconds(all.slice(0, 3), 5, 4), frame + one);
});

test('a budget takes what decides most, keeps the order and is kept', () => {
  const rich = scenario('rich', ['A', 'B', 'C']);
  const poor = scenario('poor', ['D']);
  const same = scenario('same', ['A', 'B']);
  const all = [poor, rich, same];
  const two = runSeconds([poor, rich], 5, 1);
  assert.deepEqual(withinBudget(all, two, 5, 1), [poor, rich]);
  assert.deepEqual(withinBudget(all, two - 0.1, 5, 1), [rich]);
  assert.deepEqual(withinBudget(all, 1, 5, 1), []);
  assert.deepEqual(withinBudget(all, 1e6, 5, 1), [poor, rich], 'what decides nothing new is left out');
});
