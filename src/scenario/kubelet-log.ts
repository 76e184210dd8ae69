import type { KubeObject } from '../cluster/rest.ts';
import { KubeError } from '../cluster/errors.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';

const nodeOf = (pod: KubeObject): string | undefined => (pod['spec'] as { nodeName?: string } | undefined)?.nodeName;

/**
 * Records what the kubelets logged about Pods of this namespace, where they show their log (`/logs/kubelet.log` through
 * the API server). It says when a hook's process began to live; it is no source that a verdict needs.
 */
export async function collectKubeletLogs(env: Environment, live: Live): Promise<void> {
  for (const node of new Set([...live.nodes, ...live.of('Pod').flatMap((pod) => nodeOf(pod) ?? [])])) {
    let text: string;
    try {
      text = await env.client.request<string>('GET', `/api/v1/nodes/${node}/proxy/logs/kubelet.log`);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      continue; // a kubelet that does not show its log, or a run without the right to read it
    }
    for (const line of text.split('\n')) {
      if (!line.includes(`pod="${env.namespace}/`)) continue;
      live.record('log.line', exactly(now()), `Node/${node}`, { uid: node, container: 'kubelet', line });
    }
  }
}
