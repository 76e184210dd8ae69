import { isStatus } from '../cluster/errors.ts';
import { OWNED_LABEL } from '../cluster/ownership.ts';
import { collectionPath } from '../cluster/paths.ts';
import type { KubeObject } from '../cluster/rest.ts';
import { namespaceObject, nodeObject, systemObjects } from './deploy.ts';
import type { Environment } from './environment.ts';
import type { Scenario } from './scenario.ts';
import { priorityClassPath } from './waiting-pod.ts';

/** Labels of everything that this run creates. */
export const namespaceLabels = (env: Environment): Record<string, string> => ({ [OWNED_LABEL]: env.runId });

/** Creates the scenario's namespace, its node where the target lets us have one, the operator and the deployments. */
export async function deploySystem(scenario: Scenario, env: Environment): Promise<void> {
  const labels = namespaceLabels(env);
  await env.client.create('/api/v1/namespaces', namespaceObject(env, labels));
  const node = nodeObject(scenario, env, labels);
  if (node) await env.client.create('/api/v1/nodes', node);
  for (const object of systemObjects(scenario, env, labels)) await createOnce(env, object);
}

async function createOnce(env: Environment, object: KubeObject): Promise<void> {
  try {
    await env.client.create(collectionPath(object), object);
  } catch (error) {
    if (!isStatus(error, 409)) throw error; // a ServiceAccount that a controller made first, say
  }
}

/**
 * Removes what the scenario created. It does not wait until the last Pod has drained; the node stays for that long, and
 * leaves with the cluster.
 */
export async function removeSystem(scenario: Scenario, env: Environment): Promise<void> {
  const preempts = scenario.act.some((step) => step.do === 'preempt');
  for (const path of [`/api/v1/namespaces/${env.namespace}`, ...(preempts ? [priorityClassPath(env)] : [])]) {
    try {
      await env.client.remove(path);
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 0)) throw error; // an API server that is gone took it along
    }
  }
}
