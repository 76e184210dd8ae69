import type { KubeObject } from '../cluster/rest.ts';
import { engines, type EngineName } from '../engines/command.ts';
import { modelDeployment } from '../systems/gpustack/model-deployment.ts';
import { OWN_OPERATOR_LABEL } from '../systems/gpustack/names.ts';
import { operatorObjects } from '../systems/gpustack/operator.ts';
import type { RoleInput } from '../systems/gpustack/types.ts';
import type { Environment } from './environment.ts';
import type { RoleSpec, Scenario } from './scenario.ts';

/** Kubernetes' own annotation of a Namespace (PodNodeSelector): `key=value` pairs that its Pods' nodes must have. */
const NODE_SELECTOR_ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/** Label of a scenario's own Node, by which its Pods find it. */
const POOL = 'quiesce.dev/pool';

const rolesOf = (scenario: Scenario): RoleSpec[] => scenario.deploy.deployments.flatMap((d) => d.roles);

/** Accelerators that the roles ask for together. */
export const acceleratorsAsked = (scenario: Scenario): number =>
  rolesOf(scenario).reduce((sum, role) => sum + role.replicas * (role.size ?? 1) * (role.accelerators ?? 1), 0);

/** A role as it is deployed: its engine logs which requests it received, since that is how they are attributed. */
export const deployedRole = (role: RoleSpec, engine: EngineName = 'vLLM'): RoleInput => ({
  ...role,
  ...(role.command
    ? { command: [...role.command, ...engines[engine].logRequests] }
    : { extraArgs: [...engines[engine].logRequests, ...(role.extraArgs ?? [])] }),
});

/** The namespace of a scenario, with its faults and the node that its Pods are to run on. */
export function namespaceObject(env: Environment, labels: Record<string, string>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: env.namespace,
      labels: { ...labels, ...(env.ownOperator ? { [OWN_OPERATOR_LABEL]: 'own' } : {}) },
      annotations: {
        ...env.annotations,
        ...(env.node ? { [NODE_SELECTOR_ANNOTATION]: `${POOL}=${env.namespace}` } : {}),
      },
    },
  };
}

/**
 * The scenario's Node: as many accelerators as the scenario says, by default exactly what its roles ask for. It belongs to the
 * scenario's namespace, so that the garbage collector takes it once no Pod can be on it any more.
 */
export function nodeObject(
  scenario: Scenario,
  env: Environment,
  labels: Record<string, string>,
  { metadata: { name, uid = '' } }: KubeObject,
): KubeObject | undefined {
  const node = env.node?.(scenario.deploy.accelerators ?? acceleratorsAsked(scenario));
  if (!node) return undefined;
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: { ...node.metadata.labels, ...labels, [POOL]: env.namespace },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name, uid }],
    },
  };
}

/** What is deployed into the namespace, in order: the operator where it is ours, then the ModelDeployments. */
export function systemObjects(scenario: Scenario, env: Environment, labels: Record<string, string>): KubeObject[] {
  const release = scenario.deploy.operator ?? 'v0.9.2';
  const operator = env.ownOperator ? operatorObjects(env.namespace, release) : [];
  const deployments = scenario.deploy.deployments.map(({ roles, engine = 'vLLM', ...rest }) => {
    const deployed = roles.map((role) => deployedRole(role, engine));
    return modelDeployment({ ...rest, namespace: env.namespace, engine, roles: deployed }, release);
  });
  return [...operator, ...deployments].map((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
  }));
}
