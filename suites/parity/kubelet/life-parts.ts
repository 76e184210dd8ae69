// What the experiments of life are made of.
import { container, pod, shell } from '../objects.ts';
import { get, given, quiet, until } from '../steps.ts';

export const ready = (name = 'p') =>
  quiet(until(`pods/${name}`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
export const ended = (phase: string, name = 'p') => quiet(until(`pods/${name}`, { status: { phase } }));
export const once = { restartPolicy: 'Never' };
export const status = (name = 'p') => get(`pods/${name}`, 'status');
export const states = [
  'status.containerStatuses.state',
  'status.containerStatuses.lastState',
  'status.containerStatuses.restartCount',
  'status.phase',
];
export const path = ['status.phase', 'status.conditions.type', 'status.conditions.status', 'status.conditions.reason'];
export const runs = (line: string, spec: Record<string, unknown> = {}, main: Record<string, unknown> = {}) =>
  given('pods', pod('p', container(shell(line), main), { ...once, ...spec }));
export const says = (line: string, spec = {}, main = {}) => [
  runs(line, spec, main),
  ended('Succeeded'),
  get('pods/p/log'),
];
export const init = (name: string, line: string, more = {}) => ({
  name,
  image: '{image}',
  command: shell(line),
  ...more,
});
export const fieldEnv = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
export const lines = 'echo one; sleep 0.3; echo two >&2; sleep 0.3; echo three; sleep 0.3; printf four';
