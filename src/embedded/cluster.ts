import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubeClient } from '../cluster/rest.ts';
import { TimeScale } from '../time/scale.ts';
import { makeCertificate } from './api/certificate.ts';
import type { KubernetesName } from './api/kubernetes-version.ts';
import { startApiServer } from './api/server.ts';
import { bootstrap, firstNodeReady } from './bootstrap.ts';
import { startControllers } from './controllers/start.ts';
import { kubeconfig, makeFolder, newClusterId } from './folder.ts';
import type { KubeletApi } from './kubelet-api.ts';
import { KubeletError } from './kubelet-api.ts';
import { startKubelet } from './kubelet/kubelet.ts';
import type { Kubelet } from './kubelet/kubelet.ts';
import { ServiceNetwork } from './network/service-network.ts';
import { BLOCK_SIZE, claimServiceRange } from './network/service-range.ts';
import type { ProgramRegistry } from './programs.ts';
import { startReaper } from './reaper/start.ts';
import { sweep } from './sweep.ts';

export interface ClusterOptions {
  /** Documented seconds a second of the wall. */
  timeScale: number;
  /** What stands for the images that Pods name. */
  programs: ProgramRegistry;
  /** Port of the TLS listener; 0 or absent: any free one. */
  port?: number;
  /** The Kubernetes that it is. Default: 1.34, the one that was measured. */
  kubernetes?: KubernetesName;
  /** Path of the bundled reaper; absent: found beside the bundle, or run from its source. */
  reaper?: string;
  /** Takes what a person should read, such as a controller that fails again and again. */
  log?: (line: string) => void;
}

export interface EmbeddedCluster {
  id: string;
  /** Private folder (0700) of all that belongs to the cluster. */
  folder: string;
  /** Path of the kubeconfig (0600) for kubectl and client libraries, over TLS. */
  kubeconfig: string;
  /** `https://` address of the API server. */
  url: string;
  /** `http://` address for the cluster's own parts and the programs in its Pods; the token is asked for there too. */
  plainUrl: string;
  token: string;
  /** Ends every process, listener and file of the cluster. Settles within {@link STOP_MS}, whatever hangs. */
  stop(): Promise<void>;
}

/** Milliseconds of the wall that all of `stop` may take; what is left then is the reaper's. */
export const STOP_MS = 8000;

/**
 * Starts a whole cluster in this process, after sweeping away what dead ones left. Its parts know each other through the
 * API alone.
 * @throws ApiServerListenError where the port cannot be had
 */
export async function startCluster(options: ClusterOptions): Promise<EmbeddedCluster> {
  const timeScale = new TimeScale(options.timeScale);
  const { programs, log = () => undefined } = options;
  await sweep();
  const id = newClusterId();
  const folder = makeFolder(id);
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const reaper = await startReaper({ clusterId: id, folder, ...(options.reaper ? { program: options.reaper } : {}) });
    undo.push(() => reaper.release());
    const range = await claimServiceRange();
    undo.push(() => range.release());
    const token = randomBytes(24).toString('base64url');
    const tls = await makeCertificate();
    const late: { kubelet?: Kubelet } = {};
    const server = await startApiServer({
      host: '127.0.0.1',
      ...(options.port === undefined ? {} : { port: options.port }),
      ...(options.kubernetes ? { kubernetes: options.kubernetes } : {}),
      token,
      tls,
      clusterIps: { first: range.first, size: BLOCK_SIZE },
      kubelet: delegate(() => late.kubelet),
    });
    undo.push(() => server.close());
    const { url, plainUrl } = server;
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const outside = file('kubeconfig', kubeconfig({ server: url, token, authority: tls.cert }));
    const inside = file('pod-kubeconfig', kubeconfig({ server: plainUrl, token }));

    const client = new KubeClient({ server: plainUrl, token });
    undo.push(() => client.close());
    const network = new ServiceNetwork(client);
    undo.push(() => network.stop());
    const podFolder = join(folder, 'pods');
    mkdirSync(podFolder, { mode: 0o700 });
    const kubelet = startKubelet({
      client,
      programs,
      timeScale,
      clusterId: id,
      folder: podFolder,
      kubeconfigFor: () => Promise.resolve(inside),
    });
    late.kubelet = kubelet;
    undo.push(() => kubelet.stop());
    const controllers = await startControllers({ client, scale: timeScale, log });
    undo.push(() => controllers.stop());

    await bootstrap(client, id);
    await Promise.all([network.ready, kubelet.ready]);
    await firstNodeReady(client);
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= unwind(undo));
    return { id, folder, kubeconfig: outside, url, plainUrl, token, stop };
  } catch (error) {
    await unwind(undo);
    throw error;
  }
}

/** Undoes the start, last step first: nothing is made anew any more, then nothing runs, then nobody answers. */
async function unwind(undo: (() => unknown)[]): Promise<void> {
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((resolve) => (timer = setTimeout(resolve, STOP_MS, late)));
  for (const step of [...undo].reverse()) {
    const done = Promise.resolve()
      .then(step)
      .catch(() => undefined);
    // Past the deadline the rest is begun and not waited for: the reaper clears away what stays.
    await Promise.race([done, deadline]);
  }
  clearTimeout(timer);
}

/** The API server starts before the kubelet that it asks. */
function delegate(kubelet: () => Kubelet | undefined): KubeletApi {
  const found = (): Kubelet => {
    const it = kubelet();
    if (!it) throw new KubeletError(404, 'no kubelet is running yet');
    return it;
  };
  return {
    logs: async (...call) => found().logs(...call),
    exec: async (...call) => found().exec(...call),
    kubeletLog: async (...call) => found().kubeletLog(...call),
  };
}
