import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, OwnerReference } from '../../../cluster/rest.ts';
import { isTerminating } from '../objects.ts';
import type { Pod } from '../objects.ts';
import { Lab } from '../testing/lab.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

const owning = ({ metadata: { name, uid } }: KubeObject, blockOwnerDeletion = false): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: uid ?? '',
  blockOwnerDeletion,
});

async function family(lab: Lab, block = false): Promise<{ parent: KubeObject; child: KubeObject }> {
  const parent = await lab.client.create(MAPS, { metadata: { name: 'parent' } });
  const ownerReferences = [owning(parent, block)];
  const child = await lab.client.create(MAPS, { metadata: { name: 'child', ownerReferences } });
  return { parent, child };
}

test('background: the owner goes, then what it owned', async (t) => {
  const lab = await Lab.start(t);
  const maps = lab.watch(MAPS);
  await family(lab);
  await lab.client.remove(`${MAPS}/parent`, { propagationPolicy: 'Background' });
  await maps.see('child gone', ({ type, object }) => type === 'DELETED' && object.metadata.name === 'child');
  assert.deepEqual(
    maps.all.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name),
    ['parent', 'child'],
  );
});

test('foreground: the owner waits for what blocks it', async (t) => {
  const lab = await Lab.start(t);
  const maps = lab.watch(MAPS);
  await family(lab, true);
  await lab.client.remove(`${MAPS}/parent`, { propagationPolicy: 'Foreground' });
  await maps.see('parent gone', ({ type, object }) => type === 'DELETED' && object.metadata.name === 'parent');
  assert.deepEqual(
    maps.all.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name),
    ['child', 'parent'],
  );
});

test('orphan: what was owned stays, without its owner', async (t) => {
  const lab = await Lab.start(t);
  const maps = lab.watch(MAPS);
  await family(lab);
  await lab.client.remove(`${MAPS}/parent`, { propagationPolicy: 'Orphan' });
  await maps.see('parent gone', ({ type, object }) => type === 'DELETED' && object.metadata.name === 'parent');
  const child = await lab.client.get(`${MAPS}/child`);
  assert.equal(child.metadata.ownerReferences?.length ?? 0, 0);
});

test('one owner of two gone: the other keeps the object', async (t) => {
  const lab = await Lab.start(t);
  const maps = lab.watch(MAPS);
  const a = await lab.client.create(MAPS, { metadata: { name: 'a' } });
  const b = await lab.client.create(MAPS, { metadata: { name: 'b' } });
  await lab.client.create(MAPS, { metadata: { name: 'child', ownerReferences: [owning(a), owning(b)] } });
  await lab.client.remove(`${MAPS}/a`);
  const { object } = await maps.see('one owner', (seen) => seen.object.metadata.ownerReferences?.length === 1);
  assert.equal(object.metadata.ownerReferences?.[0]?.name, 'b');
  assert.ok(!maps.all.some((seen) => seen.type === 'DELETED' && seen.object.metadata.name === 'child'));
});

test('objects of a custom kind own and are owned', async (t) => {
  const lab = await Lab.start(t);
  await lab.client.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const things = '/apis/example.com/v1/namespaces/default/things';
  const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'owner' } };
  const { metadata } = await lab.client.create(things, body);
  const owner = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid: metadata.uid };
  const maps = lab.watch(MAPS);
  await lab.client.create(MAPS, { metadata: { name: 'owned', ownerReferences: [owner] } });
  await maps.see('owned', ({ object }) => object.metadata.name === 'owned');
  await lab.client.remove(`${things}/owner`);
  await maps.see('owned gone', ({ type }) => type === 'DELETED');
});

test('a namespace ends its Pods with their grace, then everything in it is gone', async (t) => {
  const lab = await Lab.start(t);
  await lab.namespace('short');
  const pods = lab.watch<Pod>('/api/v1/namespaces/short/pods');
  const namespaces = lab.watch('/api/v1/namespaces');
  const accounts = lab.watch('/api/v1/namespaces/short/serviceaccounts');
  await accounts.see('default account', ({ object }) => object.metadata.name === 'default');
  await lab.node('n1', {});
  await lab.client.create('/api/v1/namespaces/short/configmaps', { metadata: { name: 'a' } });
  await lab.pod('short', 'p', 0, { terminationGracePeriodSeconds: 20 });
  const { object } = await pods.see('bound', (seen) => seen.object.spec.nodeName === 'n1');
  const pod = await lab.run(object);
  await lab.client.remove('/api/v1/namespaces/short');
  const leaving = await pods.see('leaving', (seen) => isTerminating(seen.object));
  assert.equal(leaving.object.metadata.deletionGracePeriodSeconds, 20);
  assert.ok(!namespaces.all.some(({ type }) => type === 'DELETED'));
  await lab.forget(await lab.end(pod));
  await namespaces.see(
    'gone',
    ({ type, object: namespace }) => type === 'DELETED' && namespace.metadata.name === 'short',
  );
});

test('Pods of a Node that is gone are removed after the quarantine', async (t) => {
  const lab = await Lab.start(t, 100);
  const pods = lab.watch<Pod>('/api/v1/pods');
  await lab.node('n1', {});
  await lab.pod('default', 'p', 0);
  const { object } = await pods.see('bound', (seen) => seen.object.spec.nodeName === 'n1');
  await lab.run(object);
  await lab.client.remove('/api/v1/nodes/n1');
  await pods.see('failed', (seen) => seen.object.status?.phase === 'Failed');
  await pods.see('gone', (seen) => seen.type === 'DELETED');
});
