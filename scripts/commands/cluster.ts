import { join } from 'node:path';
import { isStatus } from '../../src/cluster/errors.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import type { KubeObject } from '../../src/cluster/rest.ts';
import { distFolder } from '../dist-folder.ts';
import { untilSignal } from '../until-signal.ts';

export interface ClusterCommandOptions {
  /** Documented seconds in one second of the wall. */
  timeScale: number;
  /** Port of the API server on 127.0.0.1; 0: any free one. */
  port: number;
}

/**
 * `quiesce cluster`: the embedded cluster in the foreground with the definitions and the operator of manifests/, for kubectl,
 * until SIGINT or SIGTERM.
 * @throws ApiServerListenError where the port cannot be had
 */
export async function clusterCommand({ timeScale, port }: ClusterCommandOptions): Promise<number> {
  // Loaded only here: no other command should wait for it.
  const { startCluster } = await import('../../src/embedded/cluster.ts');
  const { imageRegistry } = await import('../../src/doubles/images.ts');
  const over = untilSignal();
  const programs = imageRegistry(distFolder());
  const cluster = await startCluster({ timeScale, port, programs, log: (line) => console.error(line) });
  try {
    const client = new KubeClient({ server: cluster.plainUrl, token: cluster.token });
    await install(client);
    client.close();
    console.log(`API server ${cluster.url}, time scale ${timeScale}`);
    console.log(`  export KUBECONFIG=${cluster.kubeconfig}`);
    console.log('  kubectl apply -k manifests/examples');
    console.log('  kubectl get md,pods -w');
    console.log('Ctrl-C ends it and all that runs in it.');
    return await over;
  } finally {
    await cluster.stop();
  }
}

/** Creates all objects of manifests/; what is there already is left as it is. */
async function install(client: KubeClient): Promise<void> {
  const { createDefinitions, installDefinitions } = await import('../../src/systems/gpustack/install.ts');
  const { dynamoDefinitions, manifestsFolder, readKustomization } =
    await import('../../src/systems/gpustack/manifests.ts');
  const { collectionFor } = await import('../../src/embedded/controllers/kinds.ts');
  await installDefinitions(client);
  await createDefinitions(client, dynamoDefinitions());
  for (const object of readKustomization(join(manifestsFolder(), 'operator'))) {
    await createOnce(client, await collectionFor(client, object), object);
  }
}

async function createOnce(client: KubeClient, collection: string, object: KubeObject): Promise<void> {
  try {
    await client.create(collection, object);
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
  }
}
