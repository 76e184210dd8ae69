import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FakeApi } from './api.testing.ts';
import { GuardedClient, GuardError } from './guard.ts';
import type { GuardRule } from './guard.ts';
import { OWNED_LABEL } from './ownership.ts';
import type { RequestOptions } from './rest.ts';

const api = new FakeApi();
let client: GuardedClient;
const ours = { [OWNED_LABEL]: 'run-1' };
const theirs = { [OWNED_LABEL]: 'run-2' };

before(async () => {
  client = new GuardedClient(await api.start(), 'run-1');
  api.put('/api/v1/namespaces/ours', ours);
  api.put('/api/v1/namespaces/theirs', theirs);
  api.put('/api/v1/namespaces/default');
  api.put('/api/v1/nodes/ours', ours);
  api.put('/api/v1/nodes/theirs');
  for (const namespace of ['ours', 'default']) api.put(`/api/v1/namespaces/${namespace}/pods/a`);
});
beforeEach(() => (api.sent.length = 0));
after(async () => {
  client.close();
  await api.stop();
});

const pod = '/api/v1/namespaces/ours/pods/a';
const eviction = (deleteOptions?: object) => ({
  kind: 'Eviction',
  metadata: { name: 'a', namespace: 'ours' },
  deleteOptions,
});

const refused: [string, GuardRule, string, string, unknown?][] = [
  ['a forced delete', 'grace', 'DELETE', pod, { gracePeriodSeconds: 0 }],
  ['a delete with a lowered grace', 'grace', 'DELETE', pod, { gracePeriodSeconds: 1, preconditions: { uid: 'u' } }],
  ['a delete with a grace in its query', 'grace', 'DELETE', `${pod}?gracePeriodSeconds=0`],
  [
    'a delete of a collection with a grace',
    'grace',
    'DELETE',
    '/api/v1/namespaces/ours/pods',
    { gracePeriodSeconds: 0 },
  ],
  ['an eviction with a grace', 'grace', 'POST', `${pod}/eviction`, eviction({ gracePeriodSeconds: 0 })],
  ['a delete in a namespace without label', 'ownership', 'DELETE', '/api/v1/namespaces/default/pods/a'],
  ["a patch in another run's namespace", 'ownership', 'PATCH', '/api/v1/namespaces/theirs/pods/a', {}],
  [
    'a create in a namespace without label',
    'ownership',
    'POST',
    '/api/v1/namespaces/default/pods',
    { metadata: { labels: ours } },
  ],
  [
    'a create in a namespace that is not there',
    'ownership',
    'POST',
    '/api/v1/namespaces/none/pods',
    { metadata: { labels: ours } },
  ],
  ['an eviction elsewhere', 'ownership', 'POST', '/api/v1/namespaces/default/pods/a/eviction', eviction()],
  ['a delete of a namespace without label', 'ownership', 'DELETE', '/api/v1/namespaces/default'],
  ["a delete of another run's namespace", 'ownership', 'DELETE', '/api/v1/namespaces/theirs'],
  ['a patch of a node without label', 'ownership', 'PATCH', '/api/v1/nodes/theirs', { spec: { unschedulable: true } }],
  ['a patch of its status', 'ownership', 'PATCH', '/api/v1/nodes/theirs/status', {}],
  ['a delete of all nodes', 'ownership', 'DELETE', '/api/v1/nodes'],
  ['a patch that makes a node ours', 'ownership', 'PATCH', '/api/v1/nodes/theirs', { metadata: { labels: ours } }],
  ['a namespace without label', 'label', 'POST', '/api/v1/namespaces', { metadata: { name: 'new' } }],
  ["a node with another run's label", 'label', 'POST', '/api/v1/nodes', { metadata: { name: 'new', labels: theirs } }],
  ['giving a node away', 'label', 'PATCH', '/api/v1/nodes/ours', { metadata: { labels: theirs } }],
  ['taking the label away', 'label', 'PATCH', '/api/v1/nodes/ours', { metadata: { labels: { [OWNED_LABEL]: null } } }],
  ['taking all labels away', 'label', 'PATCH', '/api/v1/nodes/ours', { metadata: { labels: null } }],
  [
    'the same by JSON patch',
    'label',
    'PATCH',
    '/api/v1/nodes/ours',
    [{ op: 'remove', path: '/metadata/labels/quiesce.dev~1run' }],
  ],
  [
    'replacing all labels by JSON patch',
    'label',
    'PATCH',
    '/api/v1/nodes/ours',
    [{ op: 'replace', path: '/metadata/labels', value: {} }],
  ],
  [
    'moving it away',
    'label',
    'PATCH',
    '/api/v1/nodes/ours',
    [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }],
  ],
  ['replacing a node by one without label', 'label', 'PUT', '/api/v1/nodes/ours', { metadata: { name: 'ours' } }],
  ["labelling a Pod as another run's", 'label', 'PATCH', pod, { metadata: { labels: theirs } }],
  ['a path that names no resource', 'path', 'POST', '/-/control', {}],
];

for (const [what, rule, method, path, body] of refused) {
  test(`refuses ${what}, and sends nothing`, async () => {
    const options: RequestOptions = body === undefined ? {} : { body };
    await assert.rejects(
      client.request(method, path, options),
      (error) => error instanceof GuardError && error.rule === rule,
    );
    assert.deepEqual(api.writes, []);
  });
}

const allowed: [string, string, string, unknown?][] = [
  ['a plain delete', 'DELETE', pod],
  ['a delete with a precondition', 'DELETE', pod, { preconditions: { uid: 'u' }, propagationPolicy: 'Background' }],
  ['an eviction', 'POST', `${pod}/eviction`, eviction({ preconditions: { uid: 'u' } })],
  ['a create in our namespace', 'POST', '/api/v1/namespaces/ours/pods', { metadata: { name: 'b' } }],
  ['a patch of what an operator created there', 'PATCH', pod, { metadata: { annotations: { a: 'b' } } }],
  [
    'a grace that is the subject of the test',
    'PATCH',
    pod,
    [{ op: 'replace', path: '/spec/roles/0/terminationGracePeriodSeconds', value: 0 }],
  ],
  ['a patch of our node', 'PATCH', '/api/v1/nodes/ours', { spec: { unschedulable: true } }],
  ['a patch of its status', 'PATCH', '/api/v1/nodes/ours/status?fieldManager=q', { status: {} }],
  ['our own namespace', 'POST', '/api/v1/namespaces', { metadata: { name: 'new', labels: ours } }],
  ['a delete of our namespace', 'DELETE', '/api/v1/namespaces/ours'],
  ['a review', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }],
  [
    'an apply of a new object of the cluster',
    'PATCH',
    '/apis/scheduling.k8s.io/v1/priorityclasses/p',
    { metadata: { labels: ours } },
  ],
];

for (const [what, method, path, body] of allowed) {
  test(`lets ${what} pass`, async () => {
    await client.request(method, path, body === undefined ? {} : { body }).catch((error: { status?: number }) => {
      assert.equal(error.status, 404); // the fake creates nothing by PATCH
    });
    assert.deepEqual(api.writes, [`${method} ${path}`]);
  });
}

test('a bare write cannot slip past', () => {
  assert.throws(() => client.open('DELETE', pod), GuardError);
});
