import { KubeError } from '../../cluster/errors.ts';
import { ownBootId, TIME_SCALE_ANNOTATION } from '../../cluster/process-node.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import type { TimeScale } from '../../time/scale.ts';
import { apiTime, microTime, pause } from './stamps.ts';

/** A kubelet renews its lease every 10 s and holds it for 40 s; documented seconds. */
const RENEW = 10;
const LEASE_SECONDS = 40;
/** What a Node has where its object does not say. */
const DEFAULTS = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '100Gi', pods: '250' };
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

interface Node extends KubeObject {
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    addresses?: { type: string; address: string }[];
  };
}

/** What a kubelet does for its Node: says what it has and that it is ready, and renews its lease. */
export class NodeAgent {
  readonly name: string;
  readonly address: string;
  readonly #uid: string | undefined;
  readonly #client: KubeClient;
  readonly #scale: TimeScale;
  readonly #port: number;
  readonly #over = new AbortController();
  /** Settles when the Node's status was written for the first time. */
  readonly ready: Promise<void>;

  /** `own`: where its endpoint for logs and exec is; the embedded API server needs none. */
  constructor(client: KubeClient, scale: TimeScale, node: KubeObject, own?: { address: string; port: number }) {
    this.#port = own?.port ?? 10_250;
    this.#client = client;
    this.#scale = scale;
    this.name = node.metadata.name;
    this.#uid = node.metadata.uid;
    const { addresses } = (node as Node).status ?? {};
    this.address = own?.address ?? addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1';
    this.ready = this.#insist(() => this.#writeStatus(node));
    void this.#keepLease();
  }

  stop(): void {
    this.#over.abort();
  }

  async #writeStatus({ status = {} }: Node): Promise<void> {
    const annotations = { [TIME_SCALE_ANNOTATION]: String(this.#scale.factor) };
    await this.#client.patch(`/api/v1/nodes/${this.name}`, { metadata: { annotations } });
    const capacity = { ...DEFAULTS, ...status.capacity };
    const at = apiTime();
    const condition = (type: string, value: 'True' | 'False', reason: string, message: string) => ({
      type,
      status: value,
      reason,
      message,
      lastHeartbeatTime: at,
      lastTransitionTime: at,
    });
    await this.#client.patch(
      `/api/v1/nodes/${this.name}/status`,
      {
        status: {
          capacity,
          allocatable: { ...capacity, ...status.allocatable },
          addresses: [
            { type: 'InternalIP', address: this.address },
            { type: 'Hostname', address: this.name },
          ],
          daemonEndpoints: { kubeletEndpoint: { Port: this.#port } },
          nodeInfo: nodeInfo(),
          conditions: [
            condition(
              'MemoryPressure',
              'False',
              'KubeletHasSufficientMemory',
              'kubelet has sufficient memory available',
            ),
            condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
            condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
            condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
          ],
        },
      },
      'strategic',
    );
  }

  async #keepLease(): Promise<void> {
    const spec = () => ({ holderIdentity: this.name, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTime() });
    const path = `${LEASES}/${this.name}`;
    do {
      try {
        await this.#client.patch(path, { spec: spec() });
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) await this.#createLease(spec()).catch(() => {});
      }
    } while (await pause(this.#scale.toMs(RENEW), this.#over.signal));
  }

  #createLease(spec: object): Promise<unknown> {
    // The Lease leaves with its Node.
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: this.name, uid: this.#uid }];
    const metadata = { name: this.name, namespace: 'kube-node-lease', ...(this.#uid ? { ownerReferences } : {}) };
    return this.#client.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  }

  async #insist(write: () => Promise<void>): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return; // the Node is gone
        await pause(100, this.#over.signal);
      }
    }
  }
}

const nodeInfo = () => ({
  kubeletVersion: 'v1.34.4-quiesce',
  containerRuntimeVersion: `process://${process.version}`,
  operatingSystem: process.platform,
  architecture: process.arch === 'x64' ? 'amd64' : process.arch,
  osImage: 'quiesce process kubelet',
  kernelVersion: '',
  machineID: '',
  systemUUID: '',
  bootID: ownBootId(),
  kubeProxyVersion: '',
});
