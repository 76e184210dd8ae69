// Defaults, checks and immutable fields of Pods, workloads, Services and budgets.
import { experiment, get, given, named, patch, post, put, quiet } from '../steps.ts';
import {
  BUDGETS,
  budget,
  container,
  deployment,
  DEPLOYMENTS,
  idle,
  pod,
  replicaSet,
  REPLICASETS,
  service,
} from '../objects.ts';

const bad = (main: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
  post('pods', pod('p', container(undefined, main), { schedulerName: 'nobody', ...spec }));
const noop = { exec: { command: ['true'] } };

export const pods = [
  experiment(
    'api.pod-defaults',
    post('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { schedulerName: 'nobody', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x' }] },
    }),
  ),
  experiment(
    'api.pod-defaults-token',
    post(
      'pods',
      idle('p', { automountServiceAccountToken: true }),
      'spec.volumes',
      'spec.containers.volumeMounts',
      'spec.serviceAccountName',
      'spec.serviceAccount',
    ),
  ),
  experiment(
    'api.pod-defaults-parts',
    post(
      'pods',
      idle('p', {
        containers: [
          container(undefined, {
            image: 'some:latest',
            ports: [{ containerPort: 80 }],
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 3 },
            startupProbe: noop,
            lifecycle: { preStop: { httpGet: { port: 80 } }, postStart: noop },
            resources: { limits: { cpu: '1', memory: '64Mi' } },
          }),
        ],
        initContainers: [{ name: 'i', image: 'some', restartPolicy: 'Always' }],
        volumes: [
          { name: 'c', configMap: { name: 'x' } },
          { name: 'e', emptyDir: {} },
          { name: 'd', downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
          { name: 's', secret: { secretName: 'x' } },
          { name: 'h', hostPath: { path: '/x' } },
        ],
      }),
    ),
  ),
  experiment(
    'api.pod-image-policy',
    post(
      'pods',
      idle('p', {
        containers: ['x', 'x:latest', 'x:1', 'x@sha256:' + '0'.repeat(64), 'h:5000/x'].map((image, i) => ({
          name: `c${i}`,
          image,
        })),
      }),
      'spec.containers.image',
      'spec.containers.imagePullPolicy',
    ),
  ),
  experiment(
    'api.pod-qos',
    ...[
      {},
      { requests: { cpu: '1' } },
      { limits: { cpu: '1', memory: '1Mi' } },
      { limits: { cpu: '1' } },
      { limits: { cpu: '1', memory: '1Mi' }, requests: { cpu: '500m' } },
    ].map((resources, i) =>
      post(
        'pods',
        idle(`p${i}`, { containers: [container(undefined, { resources })] }),
        'status',
        'spec.containers.resources',
      ),
    ),
  ),
  experiment(
    'api.pod-no-containers',
    post('pods', idle('p', { containers: [] })),
    post('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }),
  ),
  experiment(
    'api.pod-bad-container',
    bad({ image: '' }),
    bad({ name: 'Not_A_Label' }),
    bad({ name: '' }),
    bad({ imagePullPolicy: 'Sometimes' }),
    post('pods', idle('p', { containers: [container(undefined), container(undefined)] })),
  ),
  experiment('api.pod-bad-image', bad({ image: ' x' })),
  experiment(
    'api.pod-bad-ports',
    bad({ ports: [{ containerPort: 0 }] }),
    bad({ ports: [{ containerPort: 70000 }] }),
    bad({ ports: [{ containerPort: 80, protocol: 'ICMP' }] }),
    bad({ ports: [{ containerPort: 80, name: 'Not_Good' }] }),
    bad({
      ports: [
        { containerPort: 80, name: 'a' },
        { containerPort: 81, name: 'a' },
      ],
    }),
    bad({ ports: [{ name: 'a' }] }),
  ),
  experiment(
    'api.pod-bad-env',
    bad({ env: [{ name: '' }] }),
    bad({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    bad({ env: [{ name: 'A', valueFrom: {} }] }),
    bad({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nonsense' } } }] }),
    bad({ env: [{ name: 'a=b', value: '' }] }),
  ),
  experiment(
    'api.pod-bad-mounts',
    bad({ volumeMounts: [{ name: 'none', mountPath: '/x' }] }),
    bad({ volumeMounts: [{ name: 'v' }] }, { volumes: [{ name: 'v', emptyDir: {} }] }),
    bad(
      {
        volumeMounts: [
          { name: 'v', mountPath: '/x' },
          { name: 'v', mountPath: '/x' },
        ],
      },
      { volumes: [{ name: 'v', emptyDir: {} }] },
    ),
  ),
  experiment(
    'api.pod-bad-volumes',
    bad({}, { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }] }),
    bad(
      {},
      {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
      },
    ),
    bad({}, { volumes: [{ name: 'V_', emptyDir: {} }] }),
    bad({}, { volumes: [{ name: 'v' }] }),
    bad({}, { volumes: [{ name: 'v', configMap: {} }] }),
  ),
  experiment(
    'api.pod-bad-probes',
    bad({ livenessProbe: {} }),
    bad({ livenessProbe: { ...noop, httpGet: { port: 1 } } }),
    bad({ readinessProbe: { ...noop, periodSeconds: -1 } }),
    bad({
      readinessProbe: {
        ...noop,
        initialDelaySeconds: -1,
        timeoutSeconds: -1,
        failureThreshold: -1,
        successThreshold: -1,
      },
    }),
    bad({ livenessProbe: { ...noop, successThreshold: 2 } }),
    bad({ startupProbe: { httpGet: { port: 'none' } } }),
    bad({ livenessProbe: { httpGet: { port: 0, scheme: 'FTP' } } }),
    bad({ readinessProbe: { ...noop, terminationGracePeriodSeconds: 3 } }),
    bad({ livenessProbe: { ...noop, terminationGracePeriodSeconds: 0 } }),
  ),
  experiment(
    'api.pod-bad-hooks',
    bad({ lifecycle: { preStop: {} } }),
    bad({ lifecycle: { preStop: { ...noop, sleep: { seconds: 1 } } } }),
    bad({ lifecycle: { preStop: { exec: { command: [] } } } }),
    bad({ lifecycle: { preStop: { httpGet: {} } } }),
    bad({ lifecycle: { preStop: { sleep: { seconds: -1 } } } }),
    bad({ lifecycle: { preStop: { sleep: { seconds: 100 } } } }),
  ),
  experiment(
    'api.pod-bad-policies',
    bad({}, { restartPolicy: 'Sometimes' }),
    bad({}, { dnsPolicy: 'None' }),
    bad({}, { terminationGracePeriodSeconds: -1 }),
    bad({}, { activeDeadlineSeconds: 0 }),
    bad({}, { nodeName: 'Not A Name' }),
    bad({}, { priorityClassName: 'none' }),
    bad({}, { serviceAccountName: 'none' }),
  ),
  experiment(
    'api.pod-bad-init',
    bad({}, { initContainers: [{ name: 'main', image: 'x' }] }),
    bad({}, { initContainers: [{ name: 'i', image: 'x', restartPolicy: 'Never' }] }),
    bad({}, { initContainers: [{ name: 'i', image: 'x', lifecycle: { preStop: noop } }] }),
    bad(
      {},
      { initContainers: [{ name: 'i', image: 'x', livenessProbe: noop, readinessProbe: noop, startupProbe: noop }] },
    ),
    bad({ restartPolicy: 'Always' }),
  ),
  experiment(
    'api.pod-bad-resources',
    bad({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    bad({ resources: { requests: { 'nvidia.com/gpu': '1' } } }),
    bad({ resources: { limits: { 'nvidia.com/gpu': '500m' } } }),
    bad({ resources: { requests: { cpu: '-1' } } }),
    bad({ resources: { requests: { cpu: 'x' } } }),
    bad({ resources: { requests: { nonsense: '1' } } }),
  ),
  experiment(
    'api.pod-bad-scheduling',
    bad({}, { tolerations: [{ operator: 'Equal', effect: 'NoSchedule', key: 'a b' }] }),
    bad({}, { tolerations: [{ operator: 'Exists', value: 'x', key: 'a' }] }),
    bad({}, { tolerations: [{ key: 'a', effect: 'Never' }] }),
    bad({}, { tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 }] }),
    bad({}, { nodeSelector: { 'a b': 'c' } }),
    bad({}, { readinessGates: [{ conditionType: 'a b' }] }),
  ),
  experiment(
    'api.pod-immutable',
    given('pods', idle('p')),
    patch('pods/p', 'merge', { spec: { restartPolicy: 'Never' } }),
    patch('pods/p', 'merge', { spec: { terminationGracePeriodSeconds: 7 } }),
    patch(
      'pods/p',
      'merge',
      { spec: { activeDeadlineSeconds: 100 } },
      'spec.activeDeadlineSeconds',
      'metadata.generation',
    ),
    patch(
      'pods/p',
      'strategic',
      { spec: { containers: [{ name: 'main', image: 'y' }] } },
      'spec.containers.image',
      'metadata.generation',
    ),
    patch('pods/p', 'strategic', { spec: { containers: [{ name: 'main', command: ['x'] }] } }),
    named('added', patch('pods/p', 'strategic', { spec: { containers: [{ name: 'more', image: 'x' }] } })),
    named('tolerations', patch('pods/p', 'merge', { spec: { tolerations: [{ key: 'b', operator: 'Exists' }] } })),
  ),
  experiment(
    'api.pod-status-of-user',
    post('pods', { ...idle('p'), status: { phase: 'Running' } }, 'status'),
    named('put', put('pods/p', { ...idle('p'), status: { phase: 'Running' } })),
    patch('pods/p/status', 'merge', { status: { phase: 'Running', reason: 'Said' } }, 'status'),
    named('type', patch('pods/p/status', 'merge', { status: { conditions: 'x' } })),
  ),
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
