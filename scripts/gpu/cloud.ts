import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient, type KubeObject } from '../../src/cluster/rest.ts';
import { checkStep, type Check } from './checks.ts';
import type { Step } from '../real/step.ts';

export interface CloudOptions {
  kubeconfig: string;
  context?: string | undefined;
  /** GPUs that a run needs at once. */
  gpus: number;
}

interface Node extends KubeObject {
  spec?: { unschedulable?: boolean };
  status?: { allocatable?: Record<string, string>; conditions?: { type: string; status: string }[] };
}

/** Native sidecars are on by default from this minor version of Kubernetes. */
const LOWEST_MINOR = 29;

/** Checks of a cluster that somebody else made and pays for. They read, and write nothing. */
export function cloudSteps(options: CloudOptions): Step[] {
  const { kubeconfig, context, gpus } = options;
  let client: KubeClient | undefined;
  const api = () => (client ??= new KubeClient(readKubeconfig(kubeconfig, context)));
  return [checkStep([version(api), nodes(api, gpus), storage(api)])];
}

type Api = () => KubeClient;

/** A check whose every failure to ask is its problem. */
const asking = (
  fact: string,
  path: string,
  judge: (api: KubeClient) => Promise<string | undefined>,
  api: Api,
): Check => ({
  fact,
  shows: `GET ${path}`,
  problem: async () => {
    try {
      return await judge(api());
    } catch (error) {
      return `${fact}: ${(error as Error).message}`;
    }
  },
});

const version = (api: Api) =>
  asking(
    `Kubernetes 1.${LOWEST_MINOR} or newer`,
    '/version',
    async (client) => {
      const { major, minor, gitVersion } = await client.request<Record<string, string>>('GET', '/version');
      const number = Number.parseInt(minor ?? '', 10);
      if (Number(major) > 1 || number >= LOWEST_MINOR) return undefined;
      return `the API server is ${gitVersion ?? 'of no version'}; expected 1.${LOWEST_MINOR} or newer: native sidecars`;
    },
    api,
  );

const nodes = (api: Api, gpus: number) =>
  asking(
    `${gpus} allocatable nvidia.com/gpu on Nodes that are ready`,
    '/api/v1/nodes',
    async (client) => {
      const all = await client.list<Node>('/api/v1/nodes');
      const ready = all.filter(
        ({ spec, status }) =>
          !spec?.unschedulable && status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'),
      );
      const count = ready.reduce((sum, { status }) => sum + Number(status?.allocatable?.['nvidia.com/gpu'] ?? 0), 0);
      if (count >= gpus) return undefined;
      return (
        `${ready.length} of ${all.length} Nodes are ready and have ${count} nvidia.com/gpu together, expected ${gpus}: ` +
        'add GPU Nodes, or install the NVIDIA device plugin'
      );
    },
    api,
  );

const storage = (api: Api) =>
  asking(
    'a default StorageClass, for models',
    '/apis/storage.k8s.io/v1/storageclasses',
    async (client) => {
      const classes = await client.list('/apis/storage.k8s.io/v1/storageclasses');
      const annotation = 'storageclass.kubernetes.io/is-default-class';
      if (classes.some(({ metadata }) => metadata.annotations?.[annotation] === 'true')) return undefined;
      return `${classes.length} StorageClasses and none of them is the default: annotate one with ${annotation}=true`;
    },
    api,
  );
