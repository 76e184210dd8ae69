// Variables, logs and exec.
import { OBEDIENT, configMap, container, pod, shell } from '../objects.ts';
import { exec, experiment, get, given, quiet, until } from '../steps.ts';
import { ready, ended, once, runs, says, init, fieldEnv, lines } from './life-parts.ts';

export const reads = [
  experiment(
    'kubelet.env',
    given('configmaps', configMap('c', { K: 'v', L: 'w' })),
    given('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { S: 'secret' } }),
    ...says(
      'echo $A $B $C $P_K $P_L $S "$D" $E',
      {},
      {
        envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }],
        env: [
          { name: 'A', value: 'a' },
          { name: 'B', value: '$(A)b' },
          { name: 'C', valueFrom: { configMapKeyRef: { name: 'c', key: 'K' } } },
          { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'S' } } },
          { name: 'D', value: '$$(A) $(NONE)' },
          { name: 'E', valueFrom: { configMapKeyRef: { name: 'c', key: 'none', optional: true } } },
        ],
      },
    ),
  ),
  experiment(
    'kubelet.env-args',
    given(
      'pods',
      pod(
        'p',
        container(['echo', '$(A)', '$$(A)', '$(NONE)'], { args: ['x $(A)'], env: [{ name: 'A', value: 'a' }] }),
        once,
      ),
    ),
    ended('Succeeded'),
    get('pods/p/log'),
  ),
  experiment(
    'kubelet.downward',
    ...says(
      'echo $N $NS $NODE $SA $POD $L; [ -n "$UID_" ] && [ -n "$IP" ] && [ -n "$HOST" ] && echo all',
      { serviceAccountName: 'default' },
      {
        env: [
          fieldEnv('N', 'metadata.name'),
          fieldEnv('NS', 'metadata.namespace'),
          fieldEnv('NODE', 'spec.nodeName'),
          fieldEnv('SA', 'spec.serviceAccountName'),
          fieldEnv('UID_', 'metadata.uid'),
          fieldEnv('IP', 'status.podIP'),
          fieldEnv('HOST', 'status.hostIP'),
          fieldEnv('L', "metadata.labels['none']"),
          { name: 'POD', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
        ],
        resources: { limits: { memory: '64Mi' } },
      },
    ),
  ),
  experiment(
    'kubelet.downward-resources',
    ...says(
      'echo $A $B $C $D',
      {},
      {
        resources: { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '1500m' } },
        env: [
          ['A', 'requests.cpu', '1m'],
          ['B', 'limits.cpu', '0'],
          ['C', 'requests.memory', '1Mi'],
          ['D', 'requests.cpu', '1'],
        ].map(([name, resource, divisor]) => ({ name, valueFrom: { resourceFieldRef: { resource, divisor } } })),
      },
    ),
  ),
  experiment('kubelet.hostname', ...says('echo $HOSTNAME')),
  experiment(
    'kubelet.log',
    runs(lines),
    ended('Succeeded'),
    get('pods/p/log'),
    get('pods/p/log?tailLines=1'),
    get('pods/p/log?tailLines=0'),
    get('pods/p/log?limitBytes=5'),
    get('pods/p/log?timestamps=true&tailLines=1'),
    get('pods/p/log?sinceSeconds=1000&tailLines=2'),
    get('pods/p/log?sinceTime=2100-01-01T00:00:00Z'),
    get('pods/p/log?container=none'),
    get('pods/p/log?follow=true'),
    get('pods/p/log?previous=true'),
    get('pods/p/log?stream=Stderr'),
  ),
  experiment(
    'kubelet.log-previous',
    given('pods', pod('p', container(shell('echo begun; sleep 1; exit 1')))),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1 }] } })),
    get('pods/p/log?previous=true'),
  ),
  experiment(
    'kubelet.log-not-started',
    given(
      'pods',
      pod('p', container(OBEDIENT), { initContainers: [init('i', 'sleep 1000')], terminationGracePeriodSeconds: 0 }),
    ),
    quiet(until('pods/p', { status: { initContainerStatuses: [{ state: { running: {} } }] } })),
    get('pods/p/log'),
    get('pods/p/log?container=i'),
  ),
  experiment(
    'kubelet.exec',
    given('pods', pod('p')),
    ready(),
    exec('p', 'echo', 'hello'),
    exec('p', 'sh', '-c', 'echo out; echo err >&2; exit 7'),
    exec('p', 'no-such-program'),
    exec('p', 'sh', '-c', 'kill -KILL $$'),
    { do: 'exec', pod: 'p', container: 'none', command: ['true'], label: 'wrong container' },
    { do: 'exec', pod: 'none', command: ['true'], label: 'wrong pod' },
  ),
  experiment('kubelet.exec-ended', runs('exit 0'), ended('Succeeded'), exec('p', 'true')),
  experiment(
    'kubelet.exec-pending',
    given('pods', pod('p', container(OBEDIENT), { schedulerName: 'nobody' })),
    exec('p', 'true'),
  ),
];
