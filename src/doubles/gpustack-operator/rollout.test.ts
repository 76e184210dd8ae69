import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Pod } from '../../systems/gpustack/readers.ts';
import type { OperatorFault } from './faults.ts';
import { rolloutStep, type RoleState } from './rollout.ts';
import type { Slot } from './snapshot.ts';

interface Sketch {
  hash?: string;
  ready?: boolean;
  leaving?: boolean;
  grace?: number;
}

const slot = (ordinal: number, pod?: Sketch, admitted = true): Slot => ({
  role: 'a',
  ordinal,
  declared: true,
  size: 1,
  surplus: [],
  pods: pod ? [podOf(ordinal, pod)] : [],
  workload: {
    metadata: { name: `w${ordinal}` },
    status: {
      conditions: [
        { type: 'Admitted', status: admitted ? 'True' : 'False', reason: '', message: '', lastTransitionTime: '' },
      ],
    },
  },
});

function podOf(ordinal: number, { hash = 'old', ready = true, leaving = false, grace = 30 }: Sketch): Pod {
  return {
    metadata: {
      name: `p${ordinal}`,
      uid: `u${ordinal}`,
      annotations: { 'modeldeployment.gpustack.ai/pod-spec-hash': hash },
      ...(leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { containers: [], terminationGracePeriodSeconds: grace },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

const step = (slots: Slot[], faults: OperatorFault[] = [], more: Partial<RoleState> = {}) =>
  rolloutStep({
    slots,
    faults: new Set<string>(faults),
    wanted: () => ({ hash: 'new', grace: 60 }),
    sinceLastDelete: Infinity,
    again: new Set(),
    ...more,
  }).map(({ pod, gracePeriodSeconds }) => [pod.metadata.name, gracePeriodSeconds]);

test('one at a time, the highest ordinal first, each with its own grace', () => {
  assert.deepEqual(step([slot(0, {}), slot(1, {}), slot(2, {})]), [['p2', undefined]]);
  assert.deepEqual(step([slot(0, {}), slot(1, {}), slot(2, { hash: 'new' })]), [['p1', undefined]]);
  assert.deepEqual(step([slot(0, { hash: 'new' }), slot(1, { hash: 'new' })]), []);
});

test('nothing is deleted while a Pod leaves, a place is empty, or a replacement is not Ready or not admitted', () => {
  assert.deepEqual(step([slot(0, {}), slot(1, { leaving: true })]), []);
  assert.deepEqual(step([slot(0, {}), slot(1)]), []);
  assert.deepEqual(step([slot(0, {}), slot(1, { hash: 'new', ready: false })]), []);
  assert.deepEqual(step([slot(0, {}), slot(1, { hash: 'new' }, false)]), []);
});

test('a broken replica goes first, so that a bad edit can be mended', () => {
  assert.deepEqual(step([slot(0, { ready: false }), slot(1, {})]), [['p0', undefined]]);
});

test('faults of the rollout', () => {
  const two = [slot(0, {}), slot(1, {}), slot(2, {})];
  assert.deepEqual(step(two, ['rollout-two-at-once']), [
    ['p2', undefined],
    ['p1', undefined],
  ]);
  assert.deepEqual(step(two, ['rollout-deletes-with-no-grace']), [['p2', 1]]);
  assert.deepEqual(step(two, ['grace-edit-new-grace']), [['p2', 60]]);
  assert.deepEqual(step([slot(0, { grace: 60 })], ['grace-edit-new-grace']), [['p0', undefined]]);
  const draining = [slot(0, {}), slot(1, { leaving: true })];
  assert.deepEqual(step(draining, ['rollout-early-next'], { sinceLastDelete: 3 }), [['p0', undefined]]);
  assert.deepEqual(step(draining, ['rollout-early-next'], { sinceLastDelete: 2.9 }), []);
  const done = [slot(0, { hash: 'new' }), slot(1, { hash: 'new' })];
  assert.deepEqual(step(done, ['upgrade-turns-twice'], { again: new Set(['u1']) }), [['p1', undefined]]);
});
