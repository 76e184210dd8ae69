// A Pod's life under a kubelet: phases, conditions, container states, restarts, volumes, variables, logs, exec.
import {
  elapsed,
  events,
  eventsOnly,
  exec,
  experiment,
  get,
  given,
  gone,
  named,
  quiet,
  remove,
  rest,
  trace,
  traced,
  until,
  within,
} from '../steps.ts';
import { configMap, container, OBEDIENT, pod, shell } from '../objects.ts';

const ready = (name = 'p') =>
  quiet(until(`pods/${name}`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
const ended = (phase: string, name = 'p') => quiet(until(`pods/${name}`, { status: { phase } }));
const once = { restartPolicy: 'Never' };
const status = (name = 'p') => get(`pods/${name}`, 'status');
const states = [
  'status.containerStatuses.state',
  'status.containerStatuses.lastState',
  'status.containerStatuses.restartCount',
  'status.phase',
];
const path = ['status.phase', 'status.conditions.type', 'status.conditions.status', 'status.conditions.reason'];
const runs = (line: string, spec: Record<string, unknown> = {}, main: Record<string, unknown> = {}) =>
  given('pods', pod('p', container(shell(line), main), { ...once, ...spec }));
const says = (line: string, spec = {}, main = {}) => [runs(line, spec, main), ended('Succeeded'), get('pods/p/log')];
const init = (name: string, line: string, more = {}) => ({ name, image: '{image}', command: shell(line), ...more });
const fieldEnv = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const lines = 'echo one; echo two >&2; echo three; echo -n four';

export const life = [
  experiment(
    'kubelet.running',
    given('pods', pod('p')),
    ready(),
    status(),
    events('p', 'Scheduled', 'Pulled', 'Created', 'Started'),
  ),
  experiment('kubelet.states-of-start', trace('p', 'pods/p', ...path), given('pods', pod('p')), ready(), traced('p')),
  experiment('kubelet.succeeds', runs('exit 0'), ended('Succeeded'), status(), events('p', 'Started')),
  experiment('kubelet.fails', runs('exit 3'), ended('Failed'), status()),
  experiment(
    'kubelet.two-containers',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        ...once,
        containers: [container(shell('exit 0')), container(shell('sleep 2; exit 4'), { name: 'other' })],
      }),
    ),
    ended('Failed'),
    status(),
  ),
  experiment(
    'kubelet.one-of-two-ends',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        ...once,
        containers: [container(shell('exit 0')), container(OBEDIENT, { name: 'other' })],
      }),
    ),
    quiet(
      until('pods/p', {
        status: { containerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { started: true }] },
      }),
    ),
    status(),
  ),
  experiment('kubelet.killed-by-itself', runs('kill -KILL $$'), ended('Failed'), get('pods/p', ...states)),
  experiment(
    'kubelet.term-by-itself',
    runs('kill -TERM $$; sleep 5; exit 9'),
    {
      do: 'until',
      path: 'pods/p',
      match: { status: { containerStatuses: [{ state: { terminated: {} } }] } },
      quiet: true,
    },
    get('pods/p', 'status.phase'),
  ),
  experiment(
    'kubelet.restarts',
    given('pods', pod('p', container(shell('exit 1')))),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1 }] } })),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1, state: { terminated: {} } }] } })),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.crash-loop',
    given('pods', pod('p', container(shell('exit 1')))),
    named('first', until('pods/p', { status: { containerStatuses: [{ restartCount: 1 }] } })),
    within(
      60,
      named(
        'backing off',
        until('pods/p', { status: { containerStatuses: [{ restartCount: 1, state: { waiting: {} } }] } }, 'status'),
      ),
    ),
    within(60, named('second', until('pods/p', { status: { containerStatuses: [{ restartCount: 2 }] } }))),
    elapsed('first', 'second', 4),
    eventsOnly('p', 'BackOff'),
  ),
  experiment(
    'kubelet.restart-on-failure',
    given(
      'pods',
      pod(
        'p',
        container(shell('[ -e data/x ] && exit 0; touch data/x; exit 1'), {
          volumeMounts: [{ name: 'v', mountPath: '/data' }],
        }),
        { restartPolicy: 'OnFailure', volumes: [{ name: 'v', emptyDir: {} }] },
      ),
    ),
    ended('Succeeded'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.init',
    given('pods', pod('p', container(OBEDIENT), { initContainers: [init('a', 'exit 0'), init('b', 'exit 0')] })),
    ready(),
    status(),
    eventsOnly('p', 'Created', 'Started'),
  ),
  experiment(
    'kubelet.init-states',
    trace('p', 'pods/p', ...path),
    given('pods', pod('p', container(OBEDIENT), { initContainers: [init('a', 'sleep 2')] })),
    ready(),
    traced('p'),
  ),
  experiment(
    'kubelet.init-fails',
    given('pods', pod('p', container(OBEDIENT), { ...once, initContainers: [init('a', 'exit 2')] })),
    ended('Failed'),
    status(),
  ),
  experiment(
    'kubelet.init-retries',
    given('pods', pod('p', container(OBEDIENT), { initContainers: [init('a', 'exit 2')] })),
    quiet(until('pods/p', { status: { initContainerStatuses: [{ restartCount: 1, state: { terminated: {} } }] } })),
    status(),
  ),
  experiment(
    'kubelet.sidecar',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        initContainers: [init('side', 'trap "exit 0" TERM; sleep 1000 & wait', { restartPolicy: 'Always' })],
      }),
    ),
    ready(),
    status(),
  ),
  experiment(
    'kubelet.sidecar-of-job',
    given(
      'pods',
      pod('p', container(shell('sleep 2; exit 0')), {
        ...once,
        initContainers: [init('side', 'trap "exit 0" TERM; sleep 1000 & wait', { restartPolicy: 'Always' })],
      }),
    ),
    ended('Succeeded'),
    status(),
  ),
  experiment(
    'kubelet.sidecar-startup',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        initContainers: [
          init('side', 'sleep 2; touch tmp/up; trap "exit 0" TERM; sleep 1000 & wait', {
            restartPolicy: 'Always',
            startupProbe: { exec: { command: ['cat', 'tmp/up'] }, periodSeconds: 1, failureThreshold: 20 },
          }),
        ],
      }),
    ),
    quiet(until('pods/p', { status: { initContainerStatuses: [{ state: { running: {} } }] } })),
    get(
      'pods/p',
      'status.containerStatuses.state',
      'status.initContainerStatuses.started',
      'status.initContainerStatuses.ready',
    ),
    ready(),
    status(),
  ),
  experiment(
    'kubelet.deadline',
    runs('sleep 1000', { activeDeadlineSeconds: 2 }),
    ended('Failed'),
    status(),
    eventsOnly('p', 'DeadlineExceeded'),
  ),
  experiment(
    'kubelet.no-command',
    given('pods', pod('p', container(['no-such-program']), once)),
    ended('Failed'),
    status(),
    eventsOnly('p', 'Failed'),
  ),
  experiment(
    'kubelet.no-image',
    given('pods', pod('p', container(OBEDIENT, { image: 'localhost/quiesce-none:1', imagePullPolicy: 'Never' }))),
    quiet(
      until('pods/p', { status: { containerStatuses: [{ state: { waiting: { reason: 'ErrImageNeverPull' } } }] } }),
    ),
    status(),
    eventsOnly('p', 'ErrImageNeverPull', 'Failed'),
  ),
  experiment(
    'kubelet.missing-config',
    given('pods', pod('p', container(OBEDIENT, { envFrom: [{ configMapRef: { name: 'none' } }] }))),
    quiet(
      until('pods/p', {
        status: { containerStatuses: [{ state: { waiting: { reason: 'CreateContainerConfigError' } } }] },
      }),
    ),
    status(),
    eventsOnly('p', 'Failed'),
  ),
  experiment(
    'kubelet.missing-key',
    given('configmaps', configMap('c')),
    given(
      'pods',
      pod(
        'p',
        container(OBEDIENT, { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'none' } } }] }),
      ),
    ),
    quiet(
      until('pods/p', {
        status: { containerStatuses: [{ state: { waiting: { reason: 'CreateContainerConfigError' } } }] },
      }),
    ),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.missing-volume',
    given(
      'pods',
      pod('p', container(OBEDIENT, { volumeMounts: [{ name: 'v', mountPath: '/data' }] }), {
        volumes: [{ name: 'v', configMap: { name: 'none' } }],
      }),
    ),
    eventsOnly('p', 'FailedMount'),
    status(),
  ),
  experiment(
    'kubelet.missing-volume-unmounted',
    given('pods', pod('p', container(OBEDIENT), { volumes: [{ name: 'v', configMap: { name: 'none' } }] })),
    ready(),
  ),
  experiment(
    'kubelet.message-file',
    runs('echo -n last words > dev/termination-log; exit 1'),
    ended('Failed'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.message-log',
    runs('echo from the log; exit 1', {}, { terminationMessagePolicy: 'FallbackToLogsOnError' }),
    ended('Failed'),
    get('pods/p', ...states),
  ),
  experiment(
    'kubelet.message-log-success',
    runs('echo from the log; exit 0', {}, { terminationMessagePolicy: 'FallbackToLogsOnError' }),
    ended('Succeeded'),
    get('pods/p', ...states),
  ),
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
    'kubelet.volume-empty',
    ...says(
      'echo x > data/a; cat data/a',
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data' }] },
    ),
  ),
  experiment(
    'kubelet.volume-shared',
    given(
      'pods',
      pod('p', container(shell('cat data/a')), {
        ...once,
        initContainers: [init('i', 'echo from init > data/a', { volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
        containers: [container(shell('cat data/a'), { volumeMounts: [{ name: 'v', mountPath: '/data' }] })],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    ),
    ended('Succeeded'),
    get('pods/p/log'),
  ),
  experiment(
    'kubelet.volume-config',
    given('configmaps', configMap('c', { a: '1', b: '2' })),
    ...says(
      'cat data/a data/b; echo; ls data; cat data/sub/x',
      {
        volumes: [
          { name: 'v', configMap: { name: 'c' } },
          { name: 'w', configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        ],
      },
      {
        volumeMounts: [
          { name: 'v', mountPath: '/data' },
          { name: 'w', mountPath: '/data/sub' },
        ],
      },
    ).slice(0, 0),
    ...says(
      'cat data/a data/b; ls data; cat other/x',
      {
        volumes: [
          { name: 'v', configMap: { name: 'c' } },
          { name: 'w', configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        ],
      },
      {
        volumeMounts: [
          { name: 'v', mountPath: '/data' },
          { name: 'w', mountPath: '/other' },
        ],
      },
    ),
  ),
  experiment(
    'kubelet.volume-subpath',
    given('configmaps', configMap('c', { a: 'content' })),
    ...says(
      'cat data/file',
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data/file', subPath: 'a' }] },
    ),
  ),
  experiment(
    'kubelet.volume-downward',
    given(
      'pods',
      pod(
        'p',
        container(shell('cat data/labels; echo; cat data/name'), { volumeMounts: [{ name: 'v', mountPath: '/data' }] }),
        {
          ...once,
          volumes: [
            {
              name: 'v',
              downwardAPI: {
                items: [
                  { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                  { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
                ],
              },
            },
          ],
        },
        { labels: { b: '2', a: '1' } },
      ),
    ),
    ended('Succeeded'),
    get('pods/p/log'),
  ),
  experiment(
    'kubelet.volume-secret-optional',
    ...says(
      'ls data; echo done',
      { volumes: [{ name: 'v', secret: { secretName: 'none', optional: true } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/data' }] },
    ),
  ),
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
    'kubelet.log-two-containers',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        containers: [container(shell('echo a; sleep 1000')), container(shell('echo b; sleep 1000'), { name: 'other' })],
        terminationGracePeriodSeconds: 0,
      }),
    ),
    ready(),
    get('pods/p/log'),
    get('pods/p/log?container=other'),
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
  experiment(
    'kubelet.exec-two-containers',
    given(
      'pods',
      pod('p', container(OBEDIENT), { containers: [container(OBEDIENT), container(OBEDIENT, { name: 'other' })] }),
    ),
    ready(),
    exec('p', 'echo', 'default'),
    { do: 'exec', pod: 'p', container: 'other', command: ['echo', 'other'], label: 'other' },
  ),
  experiment(
    'kubelet.readiness-gate',
    given('pods', pod('p', container(OBEDIENT), { readinessGates: [{ conditionType: 'quiesce.dev/g' }] })),
    quiet(until('pods/p', { status: { conditions: [{ type: 'ContainersReady', status: 'True' }] } })),
    rest(1),
    status(),
    remove('pods/p', undefined, 'kind'),
    gone('pods/p'),
  ),
];
