import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { age, humanDuration } from './age.ts';
import { jsonPath } from './json-path.ts';
import { podSummary } from './pod-status.ts';

const now = Date.parse('2026-11-30T10:00:00Z');

test('durations read as kubectl writes them', () => {
  const seconds: [number, string][] = [
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [130, '2m10s'],
    [599, '9m59s'],
    [600, '10m'],
    [3 * 3600 - 1, '179m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [9 * 3600, '9h'],
    [48 * 3600, '2d'],
    [50 * 3600, '2d2h'],
    [9 * 86_400, '9d'],
    [3 * 365 * 86_400, '3y'],
  ];
  for (const [n, text] of seconds) assert.equal(humanDuration(n * 1000), text);
  assert.equal(age('2026-11-30T09:59:00Z', now), '60s');
  assert.equal(age(undefined, now), '<unknown>');
});

test('simple paths find their values', () => {
  const object = {
    spec: { roles: [{ name: 'a' }, { name: 'b' }], 'x.y': 1 },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
  };
  assert.deepEqual(jsonPath(object, '.spec.roles[*].name'), ['a', 'b']);
  assert.deepEqual(jsonPath(object, '.spec.roles[1].name'), ['b']);
  assert.deepEqual(jsonPath(object, '.spec.roles[-1].name'), ['b']);
  assert.deepEqual(jsonPath(object, '{.status.conditions[?(@.type=="Ready")].status}'), ['True']);
  assert.deepEqual(jsonPath(object, ".spec['x.y']"), [1]);
  assert.deepEqual(jsonPath(object, '.spec.x\\.y'), [1]);
  for (const path of ['.spec.none', '.spec.roles[9].name', '.spec[', '.spec.roles.name'])
    assert.deepEqual(jsonPath(object, path), []);
});

const main = (state: object, more: object = {}) => ({ name: 'main', ready: false, restartCount: 0, state, ...more });
const pod = (status: object, spec: object = {}, metadata: object = {}): KubeObject => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'main' }], ...spec },
  status,
});
const text = (p: KubeObject) => podSummary(p, now).status;

test('the status of a Pod reads as kubectl shows it', () => {
  const running = { running: {} };
  const ended = (exitCode: number, reason?: string) => ({ terminated: { exitCode, ...(reason ? { reason } : {}) } });
  assert.equal(text(pod({ phase: 'Pending' })), 'Pending');
  assert.equal(text(pod({ phase: 'Running', containerStatuses: [main(running)] })), 'Running');
  const crash = main({ waiting: { reason: 'CrashLoopBackOff' } });
  assert.equal(text(pod({ phase: 'Running', containerStatuses: [crash] })), 'CrashLoopBackOff');
  assert.equal(text(pod({ phase: 'Succeeded', containerStatuses: [main(ended(0, 'Completed'))] })), 'Completed');
  assert.equal(text(pod({ phase: 'Failed', containerStatuses: [main(ended(3))] })), 'ExitCode:3');
  assert.equal(text(pod({ phase: 'Failed', reason: 'Evicted' })), 'Evicted');
  assert.equal(
    text(pod({ phase: 'Running', containerStatuses: [main(running)] }, {}, { deletionTimestamp: 'x' })),
    'Terminating',
  );
  const gated = {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
  };
  assert.equal(text(pod(gated)), 'SchedulingGated');
  const inits = { initContainers: [{ name: 'i1' }, { name: 'i2' }] };
  const first = [
    { name: 'i1', state: ended(0) },
    { name: 'i2', state: running },
  ];
  assert.equal(text(pod({ phase: 'Pending', initContainerStatuses: first }, inits)), 'Init:1/2');
  const failing = [{ name: 'i1', state: { waiting: { reason: 'CrashLoopBackOff' } } }];
  assert.equal(text(pod({ phase: 'Pending', initContainerStatuses: failing }, inits)), 'Init:CrashLoopBackOff');
});

test('sidecars count as containers, restarts tell when the last one was', () => {
  const sidecar = { initContainers: [{ name: 'side', restartPolicy: 'Always' }] };
  const status = {
    phase: 'Running',
    containerStatuses: [
      main(
        { running: {} },
        { ready: true, restartCount: 2, lastState: { terminated: { finishedAt: '2026-11-30T09:58:00Z' } } },
      ),
    ],
    initContainerStatuses: [{ name: 'side', ready: true, started: true, restartCount: 1, state: { running: {} } }],
  };
  assert.deepEqual(podSummary(pod(status, sidecar), now), { ready: '2/2', status: 'Running', restarts: '3 (2m ago)' });
});
