import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { downwardValue, type Place } from './downward.ts';
import type { DownwardItem, KeyToPath, Pod, VolumeSpec } from './pod.ts';
import { ConfigError, type Sources } from './sources.ts';

export interface VolumeContext {
  pod: Pod;
  place: Place;
  sources: Sources;
  /** Folder of the Pod's volumes. */
  folder: string;
}

/**
 * Makes one volume ready and answers the folder of the host that it is.
 * @throws ConfigError where a source is missing or the kind of volume is not served
 */
export async function makeVolume(volume: VolumeSpec, context: VolumeContext): Promise<string> {
  if (volume.hostPath) return hostFolder(volume.hostPath);
  const folder = join(context.folder, volume.name);
  await mkdir(folder, { recursive: true });
  if (volume.emptyDir) return folder;
  const files = await contents(volume, context);
  for (const [path, content] of files) await place(folder, path, content);
  return folder;
}

async function hostFolder({ path, type = '' }: { path: string; type?: string }): Promise<string> {
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true });
  return path;
}

async function contents(volume: VolumeSpec, context: VolumeContext): Promise<Map<string, Buffer>> {
  const { sources, pod } = context;
  const namespace = pod.metadata.namespace ?? 'default';
  if (volume.configMap) return pick(await sources.configMap(namespace, volume.configMap), volume.configMap.items);
  if (volume.secret) {
    const { secretName: name, optional, items } = volume.secret;
    return pick(await sources.secret(namespace, { name, ...(optional ? { optional } : {}) }), items);
  }
  if (volume.downwardAPI) return downward(volume.downwardAPI.items, context);
  if (volume.projected) {
    const all = new Map<string, Buffer>();
    for (const source of volume.projected.sources ?? []) {
      const part = source.configMap
        ? pick(await sources.configMap(namespace, source.configMap), source.configMap.items)
        : source.secret
          ? pick(await sources.secret(namespace, source.secret), source.secret.items)
          : downward(source.downwardAPI?.items, context); // a service account's token is not served: KUBECONFIG is
      for (const [path, content] of part) all.set(path, content);
    }
    return all;
  }
  const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'none';
  throw new ConfigError(`volume "${volume.name}" of kind ${kind} is not served by the process kubelet`);
}

function pick(values: Map<string, Buffer> | undefined, items: KeyToPath[] | undefined): Map<string, Buffer> {
  if (!values || !items) return values ?? new Map<string, Buffer>();
  const picked = items.map(({ key, path }) => {
    const value = values.get(key);
    if (value === undefined) throw new ConfigError(`references non-existent config key: ${key}`);
    return [path, value] as const;
  });
  return new Map(picked);
}

function downward(items: DownwardItem[] | undefined, { pod, place }: VolumeContext): Map<string, Buffer> {
  return new Map(
    (items ?? []).map((item) => {
      const value = downwardValue(pod, undefined, place, item);
      if (value === undefined)
        throw new ConfigError(`downward API of "${item.path}" is not served by the process kubelet`);
      return [item.path, Buffer.from(value)];
    }),
  );
}

/** Writes a file whole: a reader sees the former content or the new one. */
async function place(folder: string, path: string, content: Buffer): Promise<void> {
  const clean = normalize(path);
  if (clean.startsWith('..') || clean.startsWith('/')) throw new ConfigError(`path "${path}" leaves its volume`);
  const target = join(folder, clean);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.new`, content);
  await rename(`${target}.new`, target);
}
