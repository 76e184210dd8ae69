// What the experiments of ending are made of.
import type { Step } from '../experiment.ts';
import { OBEDIENT, container, pod, shell } from '../objects.ts';
import { elapsed, given, gone, named, quiet, remove, rest, trace, traced, until } from '../steps.ts';

/** A younger Pod's end is delayed by the kubelet, by up to 1.5 s. */
export const settled: Step[] = [
  quiet(until('pods/p', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })),
  rest(4),
];
export const options = (gracePeriodSeconds: number) => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds,
});
const shown = [
  'status.phase',
  'status.containerStatuses.state.terminated.exitCode',
  'status.containerStatuses.state.terminated.reason',
  'status.containerStatuses.ready',
  'metadata.deletionGracePeriodSeconds',
];
export const watched = trace('p', 'pods/p', ...shown);
export const asked = named('asked', remove('pods/p', undefined, 'metadata.deletionGracePeriodSeconds'));
/** Deletes the Pod, and tells its states and how long it took. */
export const leaves = (tolerance = 1.5): Step[] => [
  watched,
  asked,
  named('gone', gone('pods/p')),
  elapsed('asked', 'gone', tolerance),
  traced('p'),
];
export const made = (main: Record<string, unknown>, spec = {}) => given('pods', pod('p', main, spec));
export const hook = (preStop: Record<string, unknown>, command = OBEDIENT, more = {}) =>
  container(command, { lifecycle: { preStop }, ...more });
export const side = (name: string, line: string) => ({
  name,
  image: '{image}',
  command: shell(line),
  restartPolicy: 'Always',
});
export const OBEYS = 'trap "exit 0" TERM; sleep 1000 & wait';
