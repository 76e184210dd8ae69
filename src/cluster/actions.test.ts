import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import { now } from '../time/clock.ts';
import { actions } from './actions.ts';
import type { Actions } from './actions.ts';
import { FakeApi } from './api.testing.ts';
import { GuardedClient, GuardError } from './guard.ts';
import { OWNED_LABEL } from './ownership.ts';

const api = new FakeApi();
let client: GuardedClient;
let recorder: MemoryRecorder;
let act: Actions;

before(async () => {
  client = new GuardedClient(await api.start(), 'run-1');
});
beforeEach(() => {
  api.objects.clear();
  api.put('/api/v1/namespaces/ours', { [OWNED_LABEL]: 'run-1' });
  api.put('/api/v1/namespaces/ours/pods/a');
  api.sent.length = 0;
  api.answer = () => false;
  recorder = new MemoryRecorder();
  act = actions(client, recorder);
});
after(async () => {
  client.close();
  await api.stop();
});

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'ours', uid: 'u-1' } };

test('a delete is recorded as it is sent, with its answer, and carries the UID and no grace', async () => {
  const from = now();
  const answer = await act.remove('delete-a', pod);
  act.prove('delete-a', 'the Pod has a deletion timestamp');
  assert.equal(answer.status, 200);
  assert.deepEqual(
    recorder.events.map(({ kind, subject }) => [kind, subject]),
    [
      ['action.sent', 'action/delete-a'],
      ['action.answered', 'action/delete-a'],
      ['action.proved', 'action/delete-a'],
    ],
  );
  const [sent] = recorder.of('action.sent');
  assert.ok(sent && sent.at[0] === sent.at[1] && sent.at[0] >= from);
  assert.deepEqual([sent.data.verb, sent.data.target], ['delete', 'Pod/ours/a']);
  const wanted = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'u-1' } };
  assert.deepEqual(api.sent.at(-1)?.body, wanted);
});

test('an eviction, a patch, a create and a read are what the API expects', async () => {
  await act.evict('e', pod);
  await act.patch('p', 'Pod/ours/a', '/api/v1/namespaces/ours/pods/a', [
    { op: 'add', path: '/metadata/annotations', value: {} },
  ]);
  await act.create('c', {
    apiVersion: 'worker.gpustack.ai/v1alpha1',
    kind: 'ModelDeployment',
    metadata: { name: 'md', namespace: 'ours' },
  });
  await act.read('r', 'Pod/ours/a', '/api/v1/namespaces/ours/pods/a');
  assert.deepEqual(api.writes, [
    'POST /api/v1/namespaces/ours/pods/a/eviction',
    'PATCH /api/v1/namespaces/ours/pods/a',
    'POST /apis/worker.gpustack.ai/v1alpha1/namespaces/ours/modeldeployments',
  ]);
  assert.equal(api.sent.find(({ method }) => method === 'PATCH')?.contentType, 'application/json-patch+json');
  assert.deepEqual(
    recorder.of('action.answered').map(({ data }) => [data.id, data.status]),
    [
      ['e', 201],
      ['p', 200],
      ['c', 201],
      ['r', 200],
    ],
  );
});

test('a refusal of the API server is an answer', async () => {
  api.answer = ({ method }, _request, response) => {
    if (method !== 'POST') return false;
    response
      .writeHead(429)
      .end(JSON.stringify({ reason: 'TooManyRequests', message: 'The disruption budget needs 1' }));
    return true;
  };
  assert.deepEqual((await act.evict('e', pod)).status, 429);
  const { data } = recorder.of('action.answered')[0] ?? assert.fail();
  assert.equal(data.reason, 'TooManyRequests');
  assert.match(data.message ?? '', /disruption budget/);
});

test('an API server that is gone answers with status 0', async () => {
  await act.read('warm', 'x', '/api/v1/namespaces/ours');
  await api.stop();
  const answer = await act.read('r', 'Pod/ours/a', '/api/v1/namespaces/ours/pods/a');
  await api.start();
  assert.equal(answer.status, 0);
  assert.match(answer.message ?? '', /no answer: .*ECONNREFUSED/);
});

test('what the guard refuses is thrown and not recorded as sent', async () => {
  await assert.rejects(act.remove('x', { ...pod, metadata: { ...pod.metadata, namespace: 'default' } }), GuardError);
  assert.deepEqual(recorder.events, []);
});
