// Init containers and native sidecars.
import { OBEDIENT, container, pod, shell } from '../objects.ts';
import { eventsOnly, experiment, get, given, quiet, trace, traced, until } from '../steps.ts';
import { ready, ended, once, status, path, init } from './life-parts.ts';

export const inits = [
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
];
