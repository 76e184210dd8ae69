// Defaults and immutable fields of Pods.
import { container, idle } from '../objects.ts';
import { experiment, given, named, patch, post, put } from '../steps.ts';
import { noop } from './pods-parts.ts';

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
];
