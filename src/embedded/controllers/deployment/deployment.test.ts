import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReady, isTerminal, isTerminating } from '../objects.ts';
import type { Pod } from '../objects.ts';
import { Lab } from '../testing/lab.ts';
import type { Sightings } from '../testing/lab.ts';
import type { Deployment, ReplicaSet } from '../workloads.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (replicas: number, strategy: object, version = '1') => ({
  metadata: { name: 'web' },
  spec: {
    replicas,
    strategy,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { version } },
      spec: { containers: [{ name: 'main', image: 'test' }] },
    },
  },
});

/** Plays the kubelet for every Pod: runs it as soon as it is bound, ends it as soon as it is deleted. */
function playKubelet(lab: Lab, held: (pod: Pod) => boolean = () => false): Sightings<Pod> {
  const begun = new Set<string>();
  const ended = new Set<string>();
  const once = (set: Set<string>, { metadata: { uid = '' } }: Pod) => !set.has(uid) && set.add(uid);
  return lab.watch<Pod>('/api/v1/pods', ({ type, object }) => {
    if (type === 'DELETED') return;
    if (isTerminating(object)) {
      if (!held(object) && once(ended, object)) void lab.end(object).then((pod) => lab.forget(pod));
    } else if (object.spec.nodeName && once(begun, object)) void lab.run(object);
  });
}

/** What `kubectl rollout status` asks for. */
const rolledOut = ({ metadata, spec, status = {} }: Deployment): boolean =>
  (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
  status.updatedReplicas === spec.replicas &&
  status.replicas === spec.replicas &&
  status.availableReplicas === spec.replicas;

/** The largest and smallest numbers of Pods that were there, and that were ready, at any instant of a stretch. */
function extremes(pods: Sightings<Pod>, from: number): { most: number; fewestReady: number } {
  const now = new Map<string, Pod>();
  let most = 0;
  let fewestReady = Infinity;
  for (const { type, object } of pods.all) {
    if (type === 'DELETED') now.delete(object.metadata.name);
    else now.set(object.metadata.name, object);
    if (Number(object.metadata.resourceVersion) < from) continue;
    const active = [...now.values()].filter((pod) => !isTerminating(pod) && !isTerminal(pod));
    most = Math.max(most, active.length);
    fewestReady = Math.min(fewestReady, active.filter(isReady).length);
  }
  return { most, fewestReady };
}

test('a rolling update keeps within its surge and what may be unavailable', async (t) => {
  const lab = await Lab.start(t);
  const pods = playKubelet(lab);
  const deployments = lab.watch<Deployment>('/apis/apps/v1/deployments');
  const sets = lab.watch<ReplicaSet>('/apis/apps/v1/replicasets');
  await lab.node('n1', {});
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  await lab.client.create(DEPLOYMENTS, deployment(3, strategy));
  const first = await deployments.see('rolled out', (seen) => rolledOut(seen.object));
  assert.equal(first.object.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');

  await lab.client.patch(`${DEPLOYMENTS}/web`, deployment(3, strategy, '2'));
  const second = await deployments.see(
    'rolled out anew',
    ({ object }) => object.metadata.generation === 2 && rolledOut(object),
  );
  const conditions = Object.fromEntries((second.object.status?.conditions ?? []).map((c) => [c.type, c.reason]));
  assert.deepEqual(conditions, { Available: 'MinimumReplicasAvailable', Progressing: 'NewReplicaSetAvailable' });
  const { most, fewestReady } = extremes(pods, Number(first.object.metadata.resourceVersion));
  assert.equal(most, 4);
  assert.equal(fewestReady, 3);
  const revisions = new Map(sets.all.map(({ object }) => [object.metadata.name, object.metadata.annotations]));
  assert.deepEqual([...revisions.values()].map((a) => a?.['deployment.kubernetes.io/revision']).sort(), ['1', '2']);
  await lab.client.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 1 } });
  await deployments.see('scaled down', ({ object }) => object.spec.replicas === 1 && rolledOut(object));
  await lab.client.patch(`${DEPLOYMENTS}/web`, deployment(1, strategy, '1'));
  await sets.see('back', ({ object }) => object.metadata.annotations?.['deployment.kubernetes.io/revision'] === '3');
});

test('Recreate ends every old Pod before it makes a new one', async (t) => {
  const lab = await Lab.start(t);
  let hold = true;
  const pods = playKubelet(lab, () => hold);
  const deployments = lab.watch<Deployment>('/apis/apps/v1/deployments');
  await lab.node('n1', {});
  await lab.client.create(DEPLOYMENTS, deployment(1, { type: 'Recreate' }));
  await deployments.see('rolled out', (seen) => rolledOut(seen.object));
  await lab.client.patch(`${DEPLOYMENTS}/web`, deployment(1, { type: 'Recreate' }, '2'));
  const { object: old } = await pods.see('the old Pod leaves', (seen) => isTerminating(seen.object));
  await deployments.see(
    'none is left that counts',
    ({ object }) => object.metadata.generation === 2 && !object.status?.replicas,
  );
  assert.equal(new Set(pods.all.map((seen) => seen.object.metadata.uid)).size, 1);
  hold = false;
  await lab.end(old);
  await deployments.see('rolled out anew', ({ object }) => object.metadata.generation === 2 && rolledOut(object));
});

test('a leaving Pod is replaced at once, and a stray one that matches is adopted', async (t) => {
  const lab = await Lab.start(t);
  const pods = playKubelet(lab, () => true);
  const sets = lab.watch<ReplicaSet>('/apis/apps/v1/replicasets');
  await lab.node('n1', {});
  await lab.pod('default', 'stray', 0, {}, { labels: { app: 'web' } });
  await lab.client.create('/apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: deployment(1, {}).spec.template },
  });
  await sets.see('both ready', ({ object }) => object.status?.availableReplicas === 2);
  const { object: stray } = await pods.see(
    'adopted',
    ({ object }) => object.metadata.ownerReferences?.[0]?.kind === 'ReplicaSet' && object.metadata.name === 'stray',
  );
  await lab.remove(stray);
  const names = () => new Set(pods.all.map((seen) => seen.object.metadata.name));
  await pods.see('a third Pod', () => names().size === 3);
  await sets.see('whole again', ({ object }) => object.status?.availableReplicas === 2 && names().size === 3);
});
