import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeClient } from '../../cluster/rest.ts';
import { kubeconfig } from '../folder.ts';
import type { Pod } from '../kubelet/pod.ts';

/**
 * Seconds for which a Pod's token holds. A kubelet renews a shorter one in a file; a program that reads its kubeconfig once
 * would not see that, and no run lasts so long.
 */
const HOLDS_SECONDS = 86_400;

/**
 * Writes the kubeconfig of a container's programs: the API server, and a token of the Pod's ServiceAccount that ends with the Pod.
 * Only the Node's own kubelet may ask for one. @throws KubeError where it is refused
 */
export async function writePodKubeconfig(node: KubeClient, pod: Pod, folder: string): Promise<string> {
  const { namespace = 'default', name, uid = '' } = pod.metadata;
  const account = pod.spec.serviceAccountName ?? 'default';
  const { status } = await node.create<{ status: { token: string } }>(
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: [],
        expirationSeconds: HOLDS_SECONDS,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    },
  );
  const { server, ca } = node.connection;
  const text = kubeconfig({ server, token: status.token, ...(ca ? { authority: ca.toString() } : {}) });
  const path = join(folder, 'kubeconfig');
  await mkdir(folder, { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
