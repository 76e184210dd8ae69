import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import type { ContainerSpec } from './pod.ts';
import { ConfigError } from './sources.ts';

/** Where a container writes its last words unless its spec says otherwise. */
export const TERMINATION_MESSAGE_PATH = '/dev/termination-log';

/**
 * Makes the folder that stands for a container's root: a volume mounted at /x is at ROOT/x. Mounts are links, so what is
 * written there is in the volume.
 * @throws ConfigError where a mount names no volume of the Pod
 */
export async function makeRoot(
  root: string,
  container: ContainerSpec,
  volumes: ReadonlyMap<string, string>,
): Promise<void> {
  const message = inRoot(root, container.terminationMessagePath ?? TERMINATION_MESSAGE_PATH);
  await mkdir(dirname(message), { recursive: true });
  await rm(message, { force: true });
  await mkdir(join(root, 'tmp'), { recursive: true });
  // Outer mounts first, so that an inner one lies inside the outer volume as in a real container.
  const mounts = [...(container.volumeMounts ?? [])].sort((a, b) => a.mountPath.length - b.mountPath.length);
  for (const { name, mountPath, subPath } of mounts) {
    const volume = volumes.get(name);
    if (volume === undefined)
      throw new ConfigError(`container "${container.name}" mounts the unknown volume "${name}"`);
    const target = inRoot(root, mountPath);
    if (relative(root, target) === '') continue;
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { recursive: true, force: true });
    const source = subPath === undefined ? volume : join(volume, normalize(join('/', subPath)));
    await symlink(source, target);
  }
}

/** The place on the host of an absolute path of a container. */
export const inRoot = (root: string, path: string): string => join(root, normalize(join('/', path)));
