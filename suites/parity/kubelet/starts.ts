// How containers start, end and start again.
import { OBEDIENT, configMap, container, pod, shell } from '../objects.ts';
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
import { ready, ended, once, status, states, path, runs, init } from './life-parts.ts';

export const starts = [
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
    get('pods/p', 'status.phase', 'status.containerStatuses.restartCount', 'status.containerStatuses.state'),
  ),
  experiment(
    'kubelet.init-fails',
    given('pods', pod('p', container(OBEDIENT), { ...once, initContainers: [init('a', 'exit 2')] })),
    ended('Failed'),
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
