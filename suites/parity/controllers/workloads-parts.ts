// What the experiments of workloads are made of.
import { DEPLOYMENTS, OBEDIENT, REPLICASETS, SLICES, container } from '../objects.ts';
import { quiet, until } from '../steps.ts';

export const D = `${DEPLOYMENTS}/d`;
export const R = `${REPLICASETS}/r`;
export const complete = (replicas: number, generation = 1) =>
  quiet(
    until(D, {
      status: { readyReplicas: replicas, updatedReplicas: replicas, replicas, observedGeneration: generation },
    }),
  );
export const counts = [
  'status.replicas',
  'status.readyReplicas',
  'status.availableReplicas',
  'status.updatedReplicas',
  'status.unavailableReplicas',
  'status.observedGeneration',
  'status.terminatingReplicas',
];
export const condition = [
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
  'status.conditions.message',
];
export const owned = ['items.metadata.ownerReferences', 'items.metadata.labels', 'items.metadata.generateName'];
export const policy = (propagationPolicy: string) => ({ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy });
/** Ready only while the file is there. */
export const gated = container(OBEDIENT, {
  readinessProbe: { exec: { command: ['cat', 'tmp/ready'] }, periodSeconds: 1, failureThreshold: 3 },
});
export const appOf = (app: string) => ({ labels: { app } });
export const slice = `${SLICES}?labelSelector=kubernetes.io%2Fservice-name%3Ds`;
export const conditionsOf = ['endpoints.conditions', 'ports', 'addressType'];
