import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../cluster/rest.ts';
import { stamp } from './objects.ts';
import type { Store } from './store.ts';

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Priorities that every cluster has (scheduling.k8s.io). */
const priorities = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

/** Puts in what a new cluster has. `now`: milliseconds since 1970. */
export function fillStore(store: Store, now: number): void {
  const metadata = (name: string, labels?: Record<string, string>) => ({
    name,
    uid: randomUUID(),
    creationTimestamp: stamp(now),
    ...(labels ? { labels } : {}),
  });
  for (const name of namespaces) {
    const namespace: KubeObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: metadata(name, { 'kubernetes.io/metadata.name': name }),
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    };
    store.put('namespaces', namespace);
  }
  for (const [name, value] of Object.entries(priorities)) {
    store.put('priorityclasses.scheduling.k8s.io', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { ...metadata(name), generation: 1 },
      value,
      preemptionPolicy: 'PreemptLowerPriority',
      description: 'Used for system critical pods.',
    });
  }
}
