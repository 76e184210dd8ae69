import { isStatus } from '../../cluster/errors.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import type { ObjectRef } from './pod.ts';

/** A part of the Pod's configuration cannot be had yet; the message is the one of a real kubelet. */
export class ConfigError extends Error {
  readonly code = 'QUIESCE_POD_CONFIG';
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** Reads the ConfigMaps and Secrets that Pods name, each time anew. */
export class Sources {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Contents by key; undefined where the object is absent and optional. @throws ConfigError where it is needed */
  async configMap(namespace: string, ref: ObjectRef): Promise<Map<string, Buffer> | undefined> {
    const found = await this.#get('configmaps', 'configmap', namespace, ref);
    if (!found) return undefined;
    const { data = {}, binaryData = {} } = found as {
      data?: Record<string, string>;
      binaryData?: Record<string, string>;
    };
    return new Map([
      ...Object.entries(data).map(([key, value]) => [key, Buffer.from(value)] as const),
      ...Object.entries(binaryData).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
    ]);
  }

  async secret(namespace: string, ref: ObjectRef): Promise<Map<string, Buffer> | undefined> {
    const found = await this.#get('secrets', 'secret', namespace, ref);
    if (!found) return undefined;
    const { data = {} } = found as { data?: Record<string, string> };
    return new Map(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')]));
  }

  async #get(plural: string, word: string, namespace: string, ref: ObjectRef): Promise<KubeObject | undefined> {
    try {
      return await this.#client.get(`/api/v1/namespaces/${namespace}/${plural}/${ref.name}`);
    } catch (error) {
      if (!isStatus(error, 404)) throw new ConfigError(`${word} "${ref.name}": ${(error as Error).message}`);
      if (ref.optional) return undefined;
      throw new ConfigError(`${word} "${ref.name}" not found`);
    }
  }
}
