import { isStatus } from './errors.ts';
import { summaryOf } from './process-node.ts';
import type { NodeSummary } from './process-node.ts';
import type { KubeClient, KubeObject } from './rest.ts';
import { explainConnection, TargetError } from './target-error.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What is there before anything is deployed. */
export interface Survey {
  /** `gitVersion` of the API server, such as `v1.34.4`. */
  version: string;
  nodes: NodeSummary[];
  /** The definitions that were asked for and are served, by name. */
  definitions: Map<string, KubeObject>;
}

/**
 * Looks at a cluster; only reads. `definitions`: names of the CRDs to look for.
 * @throws TargetError where it cannot be reached or trusted, or forbids a read
 */
export async function surveyCluster(client: KubeClient, definitions: readonly string[]): Promise<Survey> {
  try {
    const { gitVersion: version } = await client.get<{ gitVersion: string }>('/version');
    // `/version` is public on most clusters: the first read that asks who we are is the one of the Nodes.
    const nodes = (await client.list('/api/v1/nodes')).map(summaryOf);
    const found = await Promise.all(definitions.map((name) => definition(client, name)));
    return { version, nodes, definitions: new Map(found.flatMap((crd) => (crd ? [[crd.metadata.name, crd]] : []))) };
  } catch (error) {
    throw explainConnection(error, client.connection.server);
  }
}

async function definition(client: KubeClient, name: string): Promise<KubeObject | undefined> {
  try {
    return await client.get(`${DEFINITIONS}/${name}`);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/**
 * Documented seconds in one second of the wall on all Nodes that can take a Pod.
 * @throws TargetError where no Node is ready, or two differ
 */
export function timeScaleOf(nodes: readonly NodeSummary[]): number {
  const ready = nodes.filter((node) => node.ready);
  const [first] = ready;
  if (!first) {
    throw new TargetError(
      `no Node is ready (${nodes.map((n) => n.name).join(', ') || 'there is none'})`,
      'a Node that can run a Pod',
      'kubectl get nodes',
    );
  }
  const other = ready.find((node) => node.timeScale !== first.timeScale);
  if (other) {
    const each = [first, other].map((n) => `${n.name} keeps ${n.timeScale}`).join(', ');
    throw new TargetError(
      `the kubelets keep different time scales: ${each}`,
      'one time scale in the whole cluster, 1 where a real kubelet takes part',
      'start the process kubelets with --time-scale 1',
    );
  }
  return first.timeScale;
}
