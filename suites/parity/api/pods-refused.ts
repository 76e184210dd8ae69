// Pods that are refused, and in which words.
import { container, idle } from '../objects.ts';
import { experiment, post } from '../steps.ts';
import { bad, noop } from './pods-parts.ts';

export const podsRefused = [
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
];
