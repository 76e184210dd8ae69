import type { Resource } from '../resources.ts';
import { crdStrategy } from '../crd/strategy.ts';
import {
  budgetStrategy,
  endpointSliceStrategy,
  eventStrategy,
  keepsImmutable,
  jobStrategy,
  namespaceStrategy,
  nodeStrategy,
  priorityClassStrategy,
  secretStrategy,
} from './others.ts';
import { podStrategy } from './pods.ts';
import { serviceStrategy } from './services.ts';
import type { Strategy } from './strategy.ts';
import { daemonSetStrategy, deploymentStrategy, replicaSetStrategy, statefulSetStrategy } from './workloads.ts';

/** Strategies by stored kind. A kind without one is only stored. */
const strategies: Record<string, Strategy> = {
  configmaps: { validateUpdate: keepsImmutable },
  events: eventStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  pods: podStrategy,
  secrets: { ...secretStrategy, validateUpdate: keepsImmutable },
  services: serviceStrategy,
  'customresourcedefinitions.apiextensions.k8s.io': crdStrategy,
  'daemonsets.apps': daemonSetStrategy,
  'deployments.apps': deploymentStrategy,
  'endpointslices.discovery.k8s.io': endpointSliceStrategy,
  'jobs.batch': jobStrategy,
  'leases.coordination.k8s.io': { needsVersion: true },
  'poddisruptionbudgets.policy': budgetStrategy,
  'priorityclasses.scheduling.k8s.io': priorityClassStrategy,
  'replicasets.apps': replicaSetStrategy,
  'statefulsets.apps': statefulSetStrategy,
};

const custom: Strategy = { generation: true, needsVersion: true };
const plain: Strategy = {};

export const strategyOf = (resource: Resource): Strategy =>
  resource.custom ? custom : (strategies[resource.storage] ?? plain);
