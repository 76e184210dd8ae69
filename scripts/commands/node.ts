import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { explainConnection } from '../../src/cluster/target-error.ts';
import { TimeScale } from '../../src/time/scale.ts';
import { distFolder } from '../dist-folder.ts';
import { UsageError } from '../usage-error.ts';
import { untilSignal } from '../until-signal.ts';

export interface NodeCommandOptions {
  kubeconfig: string;
  context?: string;
  caCert: string;
  caKey: string;
  address: string;
  podRange: string;
  services: boolean;
  name: string;
  timeScale: number;
  images?: string;
}

/**
 * `quiesce node`: the process kubelet as a Node of a real cluster, in the foreground, until SIGINT or SIGTERM. Run it in the
 * network namespace that has the Pods' addresses.
 * @throws UsageError, KubeconfigError, TargetError or PodNetworkError with the next step
 */
export async function nodeCommand(options: NodeCommandOptions): Promise<number> {
  // Loaded only here: no other command should wait for it.
  const { startNodes } = await import('../../src/embedded/node/nodes.ts');
  const { imageRegistry, readImageMap } = await import('../../src/doubles/images.ts');
  const { makeFolder, newClusterId } = await import('../../src/embedded/folder.ts');
  const { startReaper } = await import('../../src/embedded/reaper/start.ts');
  const { sweep } = await import('../../src/embedded/sweep.ts');
  const connection = readKubeconfig(options.kubeconfig, options.context);
  const authority = { cert: pem('--ca-cert', options.caCert), key: pem('--ca-key', options.caKey) };
  const programs = imageRegistry(distFolder(), options.images === undefined ? {} : readImageMap(options.images));
  const over = untilSignal();
  await sweep();
  const id = newClusterId();
  const folder = makeFolder(id);
  const reaper = await startReaper({ clusterId: id, folder });
  try {
    const nodeFolder = join(folder, 'nodes');
    mkdirSync(nodeFolder, { mode: 0o700 });
    const nodes = await startNodes({
      ...{ connection, authority, programs, id, folder: nodeFolder },
      ...{ name: options.name, address: options.address, podRange: options.podRange, services: options.services },
      timeScale: new TimeScale(options.timeScale),
      log: (line) => console.error(`${new Date().toISOString()} ${line}`),
    }).catch((error: unknown) => {
      throw explainConnection(error, connection.server);
    });
    console.log(`node ${options.name} of ${connection.server} is ready, Pods in ${options.podRange}`);
    console.log('Ctrl-C ends it and all that runs on it.');
    const code = await over;
    await nodes.stop();
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await reaper.release();
  }
}

function pem(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${option} ${path}: ${(error as Error).message}`,
      "the authority of the cluster's client certificates, in PEM",
      'name its file',
    );
  }
}
