import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOutEmpty } from './omitted.ts';

test('what a typed server leaves out where it is empty is left out, and nothing else', () => {
  const deployment = {
    kind: 'Deployment',
    metadata: { name: 'd', labels: {}, annotations: { a: '' } },
    spec: { replicas: 0, template: { metadata: { annotations: {}, labels: { a: 'b' } } } },
    status: { replicas: 0, readyReplicas: 0, unavailableReplicas: 1 },
  };
  leaveOutEmpty(deployment);
  assert.deepEqual(deployment, {
    kind: 'Deployment',
    metadata: { name: 'd', annotations: { a: '' } },
    spec: { replicas: 0, template: { metadata: { labels: { a: 'b' } } } },
    status: { unavailableReplicas: 1 },
  });
  const set = { kind: 'ReplicaSet', metadata: { name: 'r', ownerReferences: [] }, status: { replicas: 0 } };
  leaveOutEmpty(set);
  assert.deepEqual(set, { kind: 'ReplicaSet', metadata: { name: 'r' }, status: { replicas: 0 } });
});
