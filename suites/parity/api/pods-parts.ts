// What the experiments of pods are made of.
import { container, pod } from '../objects.ts';
import { post } from '../steps.ts';

export const bad = (main: Record<string, unknown>, spec: Record<string, unknown> = {}) =>
  post('pods', pod('p', container(undefined, main), { schedulerName: 'nobody', ...spec }));
export const noop = { exec: { command: ['true'] } };
