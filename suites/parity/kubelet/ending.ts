// How Pods end: hooks, graces, sidecars, evictions.
import type { Step } from '../experiment.ts';
import {
  elapsed,
  eventsOnly,
  exec,
  experiment,
  get,
  given,
  gone,
  named,
  post,
  quiet,
  remove,
  rest,
  span,
  trace,
  traced,
  until,
} from '../steps.ts';
import { container, eviction, HTTPD, OBEDIENT, pod, shell, STUBBORN } from '../objects.ts';

/** A younger Pod's end is delayed by the kubelet, by up to 1.5 s. */
const settled: Step[] = [
  quiet(until('pods/p', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })),
  rest(4),
];
const options = (gracePeriodSeconds: number) => ({ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds });
const shown = [
  'status.phase',
  'status.containerStatuses.state.terminated.exitCode',
  'status.containerStatuses.state.terminated.reason',
  'status.containerStatuses.ready',
  'metadata.deletionGracePeriodSeconds',
];
const watched = trace('p', 'pods/p', ...shown);
const asked = named('asked', remove('pods/p', undefined, 'metadata.deletionGracePeriodSeconds'));
/** Deletes the Pod, and tells its states and how long it took. */
const leaves = (tolerance = 1.5): Step[] => [
  watched,
  asked,
  named('gone', gone('pods/p')),
  elapsed('asked', 'gone', tolerance),
  traced('p'),
];
const made = (main: Record<string, unknown>, spec = {}) => given('pods', pod('p', main, spec));
const hook = (preStop: Record<string, unknown>, command = OBEDIENT, more = {}) =>
  container(command, { lifecycle: { preStop }, ...more });
const side = (name: string, line: string) => ({
  name,
  image: '{image}',
  command: shell(line),
  restartPolicy: 'Always',
});
const OBEYS = 'trap "exit 0" TERM; sleep 1000 & wait';

export const ending = [
  experiment('kubelet.end', made(container(OBEDIENT)), ...settled, ...leaves(), eventsOnly('p', 'Killing')),
  experiment(
    'kubelet.end-stubborn',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 3 }),
    ...settled,
    ...leaves(),
  ),
  experiment(
    'kubelet.end-code',
    made(container(shell('trap "exit 5" TERM; sleep 1000 & wait'))),
    ...settled,
    ...leaves(),
  ),
  experiment(
    'kubelet.end-slow',
    made(container(shell('trap "sleep 2; exit 0" TERM; sleep 1000 & wait'))),
    ...settled,
    ...leaves(),
  ),
  experiment(
    'kubelet.end-grace-one',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 1 }),
    ...settled,
    ...leaves(),
  ),
  experiment(
    'kubelet.end-grace-zero',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 0 }),
    ...settled,
    watched,
    asked,
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 1),
  ),
  experiment(
    'kubelet.end-lowered',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 60 }),
    ...settled,
    watched,
    asked,
    quiet(remove('pods/p', options(2))),
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 2),
    traced('p'),
  ),
  experiment(
    'kubelet.end-override',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 60 }),
    ...settled,
    watched,
    named('asked', remove('pods/p', options(2), 'metadata.deletionGracePeriodSeconds')),
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 2),
    traced('p'),
  ),
  experiment(
    'kubelet.end-forced',
    made(container(STUBBORN)),
    ...settled,
    named('asked', remove('pods/p', options(0), 'metadata.deletionGracePeriodSeconds')),
    get('pods/p'),
  ),
  experiment(
    'kubelet.end-timestamp',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 3 }),
    ...settled,
    asked,
    named('at', get('pods/p', 'metadata.deletionGracePeriodSeconds', 'status.phase')),
    span('at', 'status.startTime', 'metadata.deletionTimestamp', 3),
    gone('pods/p'),
  ),
  experiment(
    'kubelet.hook-exec',
    made(hook({ exec: { command: ['sleep', '2'] } })),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'Killing'),
  ),
  experiment('kubelet.hook-sleep', made(hook({ sleep: { seconds: 2 } })), ...settled, ...leaves()),
  experiment(
    'kubelet.hook-http',
    made(hook({ httpGet: { path: '/bye', port: 8080 } }, HTTPD), { terminationGracePeriodSeconds: 2 }),
    ...settled,
    quiet(exec('p', 'touch', 'tmp/bye')),
    ...leaves(),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.hook-http-404',
    made(hook({ httpGet: { path: '/none', port: 8080 } }, HTTPD), { terminationGracePeriodSeconds: 2 }),
    ...settled,
    remove('pods/p', undefined, 'metadata.deletionGracePeriodSeconds'),
    gone('pods/p'),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.hook-http-refused',
    made(hook({ httpGet: { port: 8089 } })),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'FailedPreStopHook'),
  ),
  experiment(
    'kubelet.hook-overruns',
    made(hook({ exec: { command: ['sleep', '60'] } }), { terminationGracePeriodSeconds: 3 }),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.hook-overruns-stubborn',
    made(hook({ exec: { command: ['sleep', '60'] } }, STUBBORN), { terminationGracePeriodSeconds: 3 }),
    ...settled,
    ...leaves(),
  ),
  experiment(
    'kubelet.hook-fails',
    made(hook({ exec: { command: shell('exit 3') } })),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'FailedPreStopHook', 'Killing'),
  ),
  experiment(
    'kubelet.hook-missing',
    made(hook({ exec: { command: ['no-such-program'] } })),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'FailedPreStopHook'),
  ),
  experiment(
    'kubelet.hook-of-ended',
    given('pods', pod('p', hook({ exec: { command: ['sleep', '3'] } }, shell('exit 0')), { restartPolicy: 'Never' })),
    quiet(until('pods/p', { status: { phase: 'Succeeded' } })),
    rest(2),
    asked,
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 1.5),
  ),
  experiment(
    'kubelet.hook-and-grace-zero',
    made(hook({ exec: { command: ['sleep', '5'] } }), { terminationGracePeriodSeconds: 0 }),
    ...settled,
    asked,
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 1),
  ),
  experiment(
    'kubelet.post-start',
    made(container(OBEDIENT, { lifecycle: { postStart: { exec: { command: shell('echo x > tmp/begun') } } } })),
    ...settled,
    exec('p', 'cat', 'tmp/begun'),
  ),
  experiment(
    'kubelet.post-start-fails',
    made(container(OBEDIENT, { lifecycle: { postStart: { exec: { command: shell('exit 3') } } } })),
    quiet(until('pods/p', { status: { containerStatuses: [{ restartCount: 1 }] } })),
    eventsOnly('p', 'FailedPostStartHook', 'Killing'),
    get('pods/p', 'status.containerStatuses.lastState'),
  ),
  experiment(
    'kubelet.two-hooks',
    given(
      'pods',
      pod('p', hook({ exec: { command: ['sleep', '1'] } }), {
        containers: [hook({ exec: { command: ['sleep', '2'] } }), container(OBEDIENT, { name: 'other' })],
      }),
    ),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.end-sidecars',
    made(container(shell('trap "sleep 1; exit 0" TERM; sleep 1000 & wait')), {
      terminationGracePeriodSeconds: 10,
      initContainers: [side('a', OBEYS), side('b', OBEYS)],
    }),
    ...settled,
    ...leaves(),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.end-sidecar-stubborn',
    made(container(STUBBORN), {
      terminationGracePeriodSeconds: 2,
      initContainers: [side('a', 'trap "" TERM; while true; do sleep 1; done')],
    }),
    ...settled,
    ...leaves(2),
  ),
  experiment(
    'kubelet.end-unready',
    made(container(OBEDIENT, { readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 } })),
    quiet(until('pods/p', { status: { containerStatuses: [{ started: true }] } })),
    rest(3),
    ...leaves(),
  ),
  experiment(
    'kubelet.end-in-init',
    made(container(OBEDIENT), {
      terminationGracePeriodSeconds: 2,
      initContainers: [{ name: 'i', image: '{image}', command: shell(OBEYS) }],
    }),
    quiet(until('pods/p', { status: { initContainerStatuses: [{ state: { running: {} } }] } })),
    rest(3),
    trace(
      'i',
      'pods/p',
      'status.phase',
      'status.initContainerStatuses.state.terminated.exitCode',
      'status.containerStatuses.state.terminated.exitCode',
      'status.containerStatuses.state.terminated.reason',
    ),
    asked,
    gone('pods/p'),
    traced('i'),
  ),
  experiment(
    'kubelet.evicted',
    made(container(OBEDIENT)),
    ...settled,
    trace(
      'p',
      'pods/p',
      'status.phase',
      'status.conditions.type',
      'status.conditions.status',
      'status.conditions.reason',
      'metadata.deletionGracePeriodSeconds',
    ),
    post('pods/p/eviction', eviction('p')),
    gone('pods/p'),
    traced('p'),
    eventsOnly('p', 'Killing'),
  ),
  experiment(
    'kubelet.evicted-grace',
    made(container(STUBBORN), { terminationGracePeriodSeconds: 60 }),
    ...settled,
    named('asked', post('pods/p/eviction', eviction('p', { deleteOptions: { gracePeriodSeconds: 2 } }))),
    named('gone', gone('pods/p')),
    elapsed('asked', 'gone', 1.5),
  ),
  experiment(
    'kubelet.finalizer-holds',
    given('pods', pod('p', container(OBEDIENT), {}, { finalizers: ['quiesce.dev/hold'] })),
    ...settled,
    quiet(remove('pods/p')),
    quiet(until('pods/p', { status: { phase: 'Succeeded' } })),
    rest(2),
    get('pods/p', 'metadata.finalizers', 'metadata.deletionGracePeriodSeconds', 'status'),
    {
      do: 'request',
      method: 'PATCH',
      path: 'pods/p',
      type: 'application/merge-patch+json',
      body: { metadata: { finalizers: null } },
      quiet: true,
    },
    gone('pods/p'),
  ),
];
