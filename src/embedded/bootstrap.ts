import { isStatus } from '../cluster/errors.ts';
import { EMBEDDED_LABEL, PROCESS_NODE_LABEL } from '../cluster/process-node.ts';
import type { KubeClient, KubeObject } from '../cluster/rest.ts';
import { Watch } from '../cluster/watch.ts';
import { condition } from './controllers/objects.ts';
import type { Node } from './controllers/objects.ts';

/** The Node that every embedded cluster begins with. */
export const FIRST_NODE = 'node-1';

/** More than a laptop has: requests are counted, not enforced. Eight accelerators, as on a usual GPU server. */
export const capacity = {
  cpu: '64',
  memory: '256Gi',
  'ephemeral-storage': '100Gi',
  pods: '250',
  'nvidia.com/gpu': '8',
};

const namespaces = ['default', 'kube-system', 'kube-node-lease'];

const priorities = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

/** Creates what a cluster has from its first moment; what is there already is left as it is. */
export async function bootstrap(client: KubeClient, clusterId: string): Promise<void> {
  const namespaceObjects = namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  await Promise.all(namespaceObjects.map((object) => ensure(client, '/api/v1/namespaces', object)));
  const classes = Object.entries(priorities).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  }));
  await Promise.all(classes.map((object) => ensure(client, '/apis/scheduling.k8s.io/v1/priorityclasses', object)));
  await ensure(client, '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: FIRST_NODE,
      labels: {
        [PROCESS_NODE_LABEL]: clusterId,
        [EMBEDDED_LABEL]: 'true',
        'kubernetes.io/hostname': FIRST_NODE,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': process.arch === 'x64' ? 'amd64' : process.arch,
      },
    },
    status: { capacity, allocatable: capacity },
  });
}

async function ensure(client: KubeClient, collection: string, object: KubeObject): Promise<void> {
  try {
    await client.get(`${collection}/${object.metadata.name}`);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    await client.create(collection, object);
  }
}

/** Settles when the first Node is Ready and the scheduler may use it. */
export async function firstNodeReady(client: KubeClient): Promise<void> {
  await new Promise<void>((resolve) => {
    const watch = new Watch<Node>(client, `/api/v1/nodes?fieldSelector=metadata.name%3D${FIRST_NODE}`, {
      event: (_type, { spec, status }) => {
        if (condition(status?.conditions, 'Ready')?.status !== 'True' || (spec?.taints ?? []).length > 0) return;
        // Not at once: the first event can come before the constructor has returned.
        setImmediate(() => {
          watch.stop();
          resolve();
        });
      },
    });
  });
}
