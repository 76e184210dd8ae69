import { measureOffset } from '../cluster/clock-offset.ts';
import { isStatus } from '../cluster/errors.ts';
import { OWNED_LABEL } from '../cluster/ownership.ts';
import { collectionPath } from '../cluster/paths.ts';
import type { KubeObject } from '../cluster/rest.ts';
import { RunLease } from '../cluster/run-lease.ts';
import { TargetError } from '../cluster/target-error.ts';
import type { Interval } from '../time/interval.ts';
import { namespaceObject, nodeObject, systemObjects } from './deploy.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';
import type { Scenario } from './scenario.ts';
import { preemptionOf, priorityClass, priorityClassPath } from './waiting-pod.ts';

/** Labels of everything that this run creates. */
export const namespaceLabels = (env: Environment): Record<string, string> => ({ [OWNED_LABEL]: env.runId });

/**
 * Creates the scenario's namespace with the lease of its run, its node where the target lets us have one, the operator and the
 * deployments. The node belongs to the namespace and leaves after it. Answers the lease, which the caller stops.
 */
export async function deploySystem(scenario: Scenario, env: Environment): Promise<RunLease> {
  const labels = namespaceLabels(env);
  const namespace = await env.client.create<KubeObject>('/api/v1/namespaces', namespaceObject(env, labels));
  const lease = await RunLease.start(env.client, env.namespace, await offsetOf(env));
  try {
    const node = nodeObject(scenario, env, labels, namespace);
    if (node) await env.client.create('/api/v1/nodes', node);
    for (const object of [...priorities(scenario, env), ...systemObjects(scenario, env, labels)])
      await createOnce(env, object);
    return lease;
  } catch (error) {
    lease.stop();
    throw error;
  }
}

/** The class of a Pod that preempts: here, since an API server lets nobody use one until its admission has heard of it. */
const priorities = (scenario: Scenario, env: Environment): KubeObject[] =>
  preemptionOf(scenario) ? [priorityClass(env, namespaceLabels(env))] : [];

/** How far the API server's clock is ahead; the embedded one's is ours. */
const offsetOf = async ({ client, target }: Environment): Promise<Interval> =>
  target === 'embedded' ? [0, 0] : measureOffset(client);

/**
 * Makes sure that the scenario's Pods went to its own node: an API server without the admission plugin PodNodeSelector ignores
 * the namespace's selector.
 * @throws TargetError where they did not
 */
export function checkPlacement(env: Environment, live: Live): void {
  if (!env.node) return;
  const stray = live
    .of('Pod')
    .find((pod) => (pod as unknown as { spec: { nodeSelector?: object } }).spec.nodeSelector === undefined);
  if (!stray) return;
  throw new TargetError(
    `Pod ${stray.metadata.name} is not bound to the scenario's own node`,
    'an API server that heeds the node selector of a namespace',
    'start it with --enable-admission-plugins=PodNodeSelector',
  );
}

async function createOnce(env: Environment, object: KubeObject): Promise<void> {
  try {
    await env.client.create(collectionPath(object), object);
  } catch (error) {
    if (!isStatus(error, 409)) throw error; // a ServiceAccount that a controller made first, say
  }
}

/**
 * Removes what the scenario created. It does not wait until the last Pod has drained; the node stays for that long.
 */
export async function removeSystem(scenario: Scenario, env: Environment): Promise<void> {
  for (const path of [
    `/api/v1/namespaces/${env.namespace}`,
    ...(preemptionOf(scenario) ? [priorityClassPath(env)] : []),
  ]) {
    try {
      await env.client.remove(path);
    } catch (error) {
      if (!isStatus(error, 404) && !isStatus(error, 0)) throw error; // an API server that is gone took it along
    }
  }
}
