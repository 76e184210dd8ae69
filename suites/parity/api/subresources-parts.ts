// What the experiments of subresources are made of.
import { DEPLOYMENTS, idle } from '../objects.ts';

export const nowhere = (name: string, spec = {}) =>
  idle(name, { nodeName: 'parity-nowhere', terminationGracePeriodSeconds: 30, ...spec });
export const options = (more: Record<string, unknown>) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });
export const deleted = [
  'metadata.deletionGracePeriodSeconds',
  'metadata.deletionTimestamp',
  'metadata.generation',
  'status.phase',
];
export const binding = (name: string, target: Record<string, string>, more = {}) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target,
  ...more,
});
export const D = `${DEPLOYMENTS}/d`;
