// Defaults, checks and immutable fields of other kinds.
import { BUDGETS, DEPLOYMENTS, REPLICASETS, budget, deployment, replicaSet, service } from '../objects.ts';
import { experiment, get, given, named, patch, post, put, quiet } from '../steps.ts';

export const kinds = [
  experiment(
    'api.deployment-defaults',
    post(DEPLOYMENTS, deployment('d', { replicas: 0 })),
    post(REPLICASETS, replicaSet('r', { replicas: 0 })),
  ),
  experiment(
    'api.deployment-bad',
    post(DEPLOYMENTS, deployment('d', { selector: { matchLabels: { app: 'other' } } })),
    post(DEPLOYMENTS, deployment('d', { selector: undefined })),
    post(DEPLOYMENTS, deployment('d', { replicas: -1 })),
    post(DEPLOYMENTS, deployment('d', { strategy: { type: 'Slow' } })),
    post(
      DEPLOYMENTS,
      deployment('d', { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    ),
    post(DEPLOYMENTS, deployment('d', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } })),
    post(DEPLOYMENTS, deployment('d', {}, { restartPolicy: 'Never' })),
    post(DEPLOYMENTS, deployment('d', { template: {} })),
    post(DEPLOYMENTS, deployment('d', { minReadySeconds: 600 })),
    post(DEPLOYMENTS, deployment('d', { selector: {} })),
  ),
  experiment(
    'api.deployment-selector-immutable',
    given(DEPLOYMENTS, deployment('d', { replicas: 0 })),
    patch(`${DEPLOYMENTS}/d`, 'merge', {
      spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } },
    }),
    patch(`${DEPLOYMENTS}/d`, 'merge', { spec: { selector: null } }),
  ),
  experiment(
    'api.deployment-generation',
    post(DEPLOYMENTS, deployment('d', { replicas: 0, paused: true }), 'metadata.generation'),
    named('label', patch(`${DEPLOYMENTS}/d`, 'merge', { metadata: { labels: { x: 'y' } } }, 'metadata.generation')),
    named('spec', patch(`${DEPLOYMENTS}/d`, 'merge', { spec: { paused: false } }, 'metadata.generation')),
    named('status', patch(`${DEPLOYMENTS}/d/status`, 'merge', { status: { replicas: 3 } }, 'metadata.generation')),
  ),
  experiment(
    'api.service-defaults',
    post('services', service('s')),
    post('services', service('h', { clusterIP: 'None' }), 'spec', 'status'),
    post('services', service('n', { type: 'NodePort', ports: [{ port: 80, nodePort: 31999 }] }), 'spec'),
    post('services', service('e', { type: 'ExternalName', externalName: 'x.y', selector: null, ports: null }), 'spec'),
  ),
  experiment(
    'api.service-bad',
    post('services', service('s', { ports: [] })),
    post('services', service('s', { ports: [{ port: 0 }] })),
    post('services', service('s', { ports: [{ port: 1 }, { port: 2 }] })),
    post('services', service('s', { type: 'Odd' })),
    post(
      'services',
      service('s', {
        ports: [
          { port: 1, name: 'a' },
          { port: 2, name: 'a' },
        ],
      }),
    ),
    post('services', service('s', { ports: [{ port: 1, protocol: 'X' }] })),
    post('services', service('s', { clusterIP: 'nonsense' })),
    post('services', service('s', { type: 'ExternalName' })),
    post(
      'services',
      service('s', {
        ports: [
          { port: 1, name: 'a' },
          { port: 1, name: 'b' },
        ],
      }),
    ),
  ),
  experiment(
    'api.service-immutable',
    given('services', service('s')),
    patch('services/s', 'merge', { spec: { clusterIP: 'None' } }),
    patch('services/s', 'merge', { spec: { clusterIP: '10.96.1.1' } }),
    named('ports', patch('services/s', 'merge', { spec: { ports: [{ port: 81, name: 'x' }] } }, 'spec.ports')),
  ),
  experiment(
    'api.budget-bad',
    post(BUDGETS, budget('b', { minAvailable: 1, maxUnavailable: 1, selector: {} })),
    post(BUDGETS, budget('b', { minAvailable: -1 })),
    post(BUDGETS, budget('b', { maxUnavailable: '150%' })),
    post(BUDGETS, budget('b', { maxUnavailable: 'x' })),
    post(BUDGETS, budget('b', { minAvailable: 1 }), 'spec', 'status', 'metadata.generation'),
    quiet(patch(`${BUDGETS}/b`, 'merge', { spec: { minAvailable: 2 } })),
    get(`${BUDGETS}/b`, 'spec', 'metadata.generation'),
  ),
  experiment(
    'api.priority-class',
    post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'parity-x' },
      value: 7,
    }),
    post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'parity-x' },
      value: 2000000000,
    }),
    post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-x' },
      value: 1,
    }),
    get('/apis/scheduling.k8s.io/v1/priorityclasses', 'items.metadata.name', 'items.value', 'items.preemptionPolicy'),
  ),
  experiment(
    'api.lease',
    post('coordination.k8s.io/v1:leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 10 },
    }),
    post('coordination.k8s.io/v1:leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'm' },
      spec: { leaseDurationSeconds: 0 },
    }),
    put('coordination.k8s.io/v1:leases/l', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: {},
    }),
  ),
];
