// Probes: what they change, and what their events say.
import { eventsOnly, exec, experiment, get, given, named, patch, quiet, rest, until } from '../steps.ts';
import { container, HTTPD, OBEDIENT, pod, shell } from '../objects.ts';

const ready = quiet(until('pods/p', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
const unready = quiet(
  until('pods/p', { status: { conditions: [{ type: 'Ready', status: 'False' }], phase: 'Running' } }),
);
const probe = (handler: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...handler,
  periodSeconds: 1,
  failureThreshold: 1,
  ...more,
});
const cat = { exec: { command: shell('[ -e tmp/ready ] || { echo no; exit 1; }') } };
const web = { httpGet: { path: '/ready', port: 8080 } };
const short = [
  'status.containerStatuses.ready',
  'status.containerStatuses.started',
  'status.containerStatuses.restartCount',
  'status.containerStatuses.lastState',
  'status.phase',
  'status.conditions',
];
const made = (command: string[], probes: Record<string, unknown>, spec = {}) =>
  given('pods', pod('p', container(command, probes), { terminationGracePeriodSeconds: 1, ...spec }));
const unhealthy = eventsOnly('p', 'Unhealthy');

export const probes = [
  experiment(
    'kubelet.readiness-exec',
    made(OBEDIENT, { readinessProbe: probe(cat) }),
    unhealthy,
    get('pods/p', ...short),
    quiet(exec('p', 'touch', 'tmp/ready')),
    ready,
    get('pods/p', ...short),
    quiet(exec('p', 'rm', 'tmp/ready')),
    unready,
    named('again', get('pods/p', ...short)),
  ),
  experiment(
    'kubelet.readiness-http',
    made(HTTPD, { readinessProbe: probe(web, { initialDelaySeconds: 2 }) }),
    unhealthy,
    quiet(exec('p', 'touch', 'tmp/ready')),
    ready,
    get('pods/p', ...short),
  ),
  experiment('kubelet.readiness-http-refused', made(OBEDIENT, { readinessProbe: probe(web) }), unhealthy),
  experiment(
    'kubelet.readiness-tcp',
    made(HTTPD, { readinessProbe: probe({ tcpSocket: { port: 8080 } }) }),
    ready,
    get('pods/p', ...short),
  ),
  experiment(
    'kubelet.readiness-tcp-refused',
    made(OBEDIENT, { readinessProbe: probe({ tcpSocket: { port: 8081 } }) }),
    unhealthy,
  ),
  experiment(
    'kubelet.readiness-exec-says',
    made(OBEDIENT, { readinessProbe: probe({ exec: { command: shell('echo out; echo err >&2; exit 4') } }) }),
    unhealthy,
  ),
  experiment(
    'kubelet.readiness-exec-silent',
    made(OBEDIENT, { readinessProbe: probe({ exec: { command: ['false'] } }) }),
    unhealthy,
  ),
  experiment(
    'kubelet.readiness-exec-missing',
    made(OBEDIENT, { readinessProbe: probe({ exec: { command: ['no-such-program'] } }) }),
    unhealthy,
  ),
  experiment(
    'kubelet.readiness-exec-slow',
    made(OBEDIENT, { readinessProbe: probe({ exec: { command: ['sleep', '5'] } }, { periodSeconds: 2 }) }),
    unhealthy,
  ),
  experiment(
    'kubelet.readiness-http-named',
    made(HTTPD, {
      ports: [{ name: 'web', containerPort: 8080 }],
      readinessProbe: probe({ httpGet: { path: '/', port: 'web' } }, { initialDelaySeconds: 2 }),
    }),
    unhealthy,
  ),
  experiment(
    'kubelet.liveness',
    made(OBEDIENT, { livenessProbe: probe({ exec: { command: ['false'] } }, { failureThreshold: 2 }) }),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1, state: { running: {} } }] } })),
    get('pods/p', ...short),
    eventsOnly('p', 'Unhealthy', 'Killing'),
  ),
  experiment(
    'kubelet.liveness-stubborn',
    made(
      shell('trap "" TERM; while true; do sleep 1; done'),
      {
        livenessProbe: probe(
          { exec: { command: ['false'] } },
          { initialDelaySeconds: 2, terminationGracePeriodSeconds: 2 },
        ),
      },
      { terminationGracePeriodSeconds: 30 },
    ),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1, state: { running: {} } }] } })),
    get('pods/p', ...short),
  ),
  experiment(
    'kubelet.startup',
    made(shell('sleep 3; touch tmp/ready; trap "exit 0" TERM; sleep 1000 & wait'), {
      startupProbe: probe(cat, { failureThreshold: 20 }),
      livenessProbe: probe(cat),
    }),
    quiet(until('pods/p', { status: { containerStatuses: [{ state: { running: {} } }] } })),
    get('pods/p', ...short),
    ready,
    rest(2),
    get('pods/p', ...short),
  ),
  experiment(
    'kubelet.startup-fails',
    made(OBEDIENT, { startupProbe: probe(cat, { failureThreshold: 2 }) }),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1 }] } })),
    eventsOnly('p', 'Unhealthy', 'Killing'),
    get('pods/p', 'status.containerStatuses.lastState', 'status.containerStatuses.started'),
  ),
  experiment(
    'kubelet.image-changes',
    made(OBEDIENT, {}),
    ready,
    quiet(patch('pods/p', 'strategic', { metadata: { labels: { a: 'b' } } })),
    rest(1),
    get('pods/p', 'status.containerStatuses.restartCount', 'metadata.labels'),
  ),
];
