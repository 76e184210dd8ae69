import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isStatus } from '../../cluster/errors.ts';
import { PROCESS_NODE_LABEL } from '../../cluster/process-node.ts';
import { KubeClient } from '../../cluster/rest.ts';
import type { Connection, KubeObject } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { Certificate } from '../api/certificate.ts';
import { capacity } from '../bootstrap.ts';
import { ServiceNetwork } from '../network/service-network.ts';
import { Addresses } from '../kubelet/addresses.ts';
import { startKubelet } from '../kubelet/kubelet.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import type { ProgramRegistry } from '../programs.ts';
import { Authorizer } from './authorize.ts';
import { nodeCertificate, servingCertificate } from './certificates.ts';
import { KubeletEndpoint } from './endpoint.ts';
import { checkPodNetwork } from './place.ts';
import { writePodKubeconfig } from './pod-credentials.ts';

export interface NodesOptions {
  /** An administrator of the cluster, who sees Nodes and namespaces; the kubelets have rights of their own. */
  connection: Connection;
  /** Issues the kubelets' certificates; the API server must trust it for clients and for kubelets. */
  authority: Certificate;
  /** Name of the Node that is there from the start and leaves at the end. */
  name: string;
  /** The nodes' own address, not on loopback. */
  address: string;
  podRange: string;
  /** Whether the Services' addresses are served here, for want of a kube-proxy. */
  services: boolean;
  programs: ProgramRegistry;
  timeScale: TimeScale;
  /** Marker of every process, and value of the first Node's label. */
  id: string;
  folder: string;
  log: (line: string) => void;
}

export interface Nodes {
  stop(): Promise<void>;
}

/** One Node's kubelet with what belongs to it. */
interface Served {
  kubelet?: Kubelet;
  stop(): Promise<void>;
}

/**
 * Serves Nodes of a real API server with the process kubelet: one of its own, and every Node that carries PROCESS_NODE_LABEL with
 * the value `any`, as the scenarios make them: the first program to take it. Each has a kubelet with its own credentials, so that it may do what a kubelet may.
 * @throws PodNetworkError, AddressRangeError, KubeError
 */
export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const { connection, authority, name, address, podRange, services, id, log } = options;
  const addresses = new Addresses(podRange);
  const first = addresses.take();
  await checkPodNetwork(first, podRange, address);
  addresses.release(first);
  const client = new KubeClient(connection);
  const shared = {
    addresses,
    authorizer: new Authorizer(client),
    serving: await servingCertificate(address, authority),
  };
  await ensureNode(client, name, id);
  const served = new Map<string, Promise<Served>>();
  const watch = new Watch(client, `/api/v1/nodes?labelSelector=${encodeURIComponent(PROCESS_NODE_LABEL)}`, {
    event(type, { metadata: { name: node, labels } }) {
      const known = served.get(node);
      const label = labels?.[PROCESS_NODE_LABEL];
      if (type === 'DELETED') {
        served.delete(node);
        void known?.then((it) => it.stop());
      } else if (!known && (label === 'any' || label === id)) {
        const mine = label === id ? Promise.resolve() : claim(client, node, id);
        const starting = mine.then(() => serve(node, client, options, shared));
        served.set(node, starting);
        starting.catch((error: unknown) => {
          served.delete(node);
          if (!isStatus(error, 422)) log(`node ${node} cannot be served: ${(error as Error).message}`);
        });
      }
    },
  });
  const network = services ? new ServiceNetwork(client) : undefined;
  await Promise.all([watch.ready, network?.ready]);
  await (
    await served.get(name)
  )?.kubelet?.ready;
  return {
    async stop() {
      watch.stop();
      await Promise.all([...served.values()].map((it) => it.then((one) => one.stop()).catch(() => undefined)));
      network?.stop();
      await client.remove(`/api/v1/nodes/${name}`).catch(() => undefined);
      client.close();
    },
  };
}

async function serve(
  node: string,
  admin: KubeClient,
  { connection, authority, address, programs, timeScale, id, folder, log }: NodesOptions,
  { addresses, authorizer, serving }: { addresses: Addresses; authorizer: Authorizer; serving: Certificate },
): Promise<Served> {
  const { cert, key } = await nodeCertificate(node, authority);
  const { server, ca, serverName, skipTlsVerify } = connection;
  const client = new KubeClient({
    ...{ server, ca, serverName, skipTlsVerify },
    cert: Buffer.from(cert),
    key: Buffer.from(key),
  });
  const it: Served = { stop: () => Promise.resolve() };
  const endpoint = await KubeletEndpoint.start({
    node,
    address,
    tls: serving,
    callers: authority.cert,
    authorizer,
    kubelet: () => it.kubelet,
  });
  const own = join(folder, node);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const kubelet = startKubelet({
    client,
    programs,
    timeScale,
    clusterId: id,
    folder: own,
    kubeconfigFor: (pod, where) => writePodKubeconfig(client, pod, where),
    node: { name: node, address, port: endpoint.port },
    namespaces: admin,
    addresses,
  });
  it.kubelet = kubelet;
  it.stop = async () => {
    await kubelet.stop();
    await endpoint.stop();
    client.close();
  };
  log(`serving node ${node} at ${address}:${endpoint.port}`);
  return it;
}

/** Takes a Node that any process kubelet may serve; of several programs one gets it. @throws KubeError 422 for the others */
const claim = (client: KubeClient, node: string, id: string): Promise<unknown> => {
  const path = `/metadata/labels/${PROCESS_NODE_LABEL.replaceAll('/', '~1')}`;
  const operations = [
    { op: 'test', path, value: 'any' },
    { op: 'replace', path, value: id },
  ];
  return client.patch(`/api/v1/nodes/${node}`, operations, 'json');
};

/** Creates the first Node, or takes over one that a former program left. */
async function ensureNode(client: KubeClient, name: string, id: string): Promise<void> {
  const labels = {
    [PROCESS_NODE_LABEL]: id,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': process.arch === 'x64' ? 'amd64' : process.arch,
  };
  const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
  try {
    await client.create('/api/v1/nodes', { ...node, status: { capacity, allocatable: capacity } });
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    const there = await client.get(`/api/v1/nodes/${name}`);
    if (there.metadata.labels?.[PROCESS_NODE_LABEL] === undefined) {
      throw new Error(`the Node ${name} is served by another kubelet; choose another name with --name`, {
        cause: error,
      });
    }
    await client.patch(`/api/v1/nodes/${name}`, { metadata: { labels } });
  }
}
