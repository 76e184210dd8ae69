import type { KubeObject } from '../cluster/rest.ts';
import { engines, type EngineName } from '../engines/command.ts';
import type { Serving } from '../engines/serving.ts';
import { graphDeployment, graphObjects } from '../systems/dynamo/graph.ts';
import { dynamoOperatorObjects } from '../systems/dynamo/operator.ts';
import { modelDeployment } from '../systems/gpustack/model-deployment.ts';
import { OWN_OPERATOR_LABEL } from '../systems/gpustack/names.ts';
import { operatorObjects } from '../systems/gpustack/operator.ts';
import type { RoleInput } from '../systems/gpustack/types.ts';
import type { Environment } from './environment.ts';
import { rolesOf } from './roles.ts';
import type { GpustackDeploy, RoleSpec, Scenario } from './scenario.ts';

/** Kubernetes' own annotation of a Namespace (PodNodeSelector): `key=value` pairs that its Pods' nodes must have. */
const NODE_SELECTOR_ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/** Label of a scenario's own Node, by which its Pods find it. */
const POOL = 'quiesce.dev/pool';

/** Accelerators that the roles ask for together. */
export const acceleratorsAsked = (scenario: Scenario): number =>
  rolesOf(scenario).reduce((sum, { replicas, accelerators }) => sum + replicas * accelerators, 0);

/**
 * A role as it is deployed: its engine logs which requests it received, since that is how they are attributed. What only a double
 * reads stays away from a real engine.
 */
export const deployedRole = (
  { engine: behaviour, ...role }: RoleSpec,
  engine: EngineName = 'vLLM',
  serving?: Serving,
): RoleInput => ({
  ...role,
  ...(behaviour && !serving ? { engine: behaviour } : {}),
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
  const { deploy } = scenario;
  const said = deploy.kind === 'gpustack' ? deploy.accelerators : undefined;
  const node = env.node?.(said ?? acceleratorsAsked(scenario));
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

/** What is deployed into the namespace, in order. */
export function systemObjects({ deploy }: Scenario, env: Environment, labels: Record<string, string>): KubeObject[] {
  const objects =
    deploy.kind === 'gpustack'
      ? gpustackObjects(deploy, env)
      : deploy.operator
        ? [
            ...dynamoOperatorObjects(env.namespace),
            ...deploy.deployments.map((graph) => graphDeployment(env.namespace, graph)),
          ]
        : deploy.deployments.flatMap((graph) => graphObjects(env.namespace, graph));
  return objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
  }));
}

/** The operator where it is ours, then the ModelDeployments. */
function gpustackObjects(deploy: GpustackDeploy, env: Environment): KubeObject[] {
  const operator = env.ownOperator ? operatorObjects(env.namespace, deploy.operator ?? env.profile.release) : [];
  const deployments = deploy.deployments.map(({ roles, engine = 'vLLM', ...rest }) => {
    const { namespace, serving, generation } = env;
    const deployed = roles.map((role) => deployedRole(role, engine, serving));
    return modelDeployment({ ...rest, namespace, engine, serving, roles: deployed }, generation);
  });
  return [...operator, ...deployments];
}
