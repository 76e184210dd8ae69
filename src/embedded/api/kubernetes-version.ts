import type { KubeObject } from '../../cluster/rest.ts';
import { at, listOf } from './objects.ts';

/**
 * What the server can be: the Kubernetes that was measured, and the last one in which native sidecars are off (the gate
 * SidecarContainers is alpha in 1.28, beta and on from 1.29). An older server differs in nothing else.
 */
export const kubernetesVersions = {
  '1.34': { gitVersion: 'v1.34.4', minor: '34', nativeSidecars: true },
  '1.28': { gitVersion: 'v1.28.15', minor: '28', nativeSidecars: false },
} as const;

export type KubernetesName = keyof typeof kubernetesVersions;
export type KubernetesVersion = (typeof kubernetesVersions)[KubernetesName];

export const isKubernetesName = (text: string): text is KubernetesName => Object.hasOwn(kubernetesVersions, text);

/** The answer to `/version`. */
export const versionAnswer = ({ gitVersion, minor }: KubernetesVersion) => ({
  major: '1',
  minor,
  gitVersion,
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'go1.24',
  compiler: 'gc',
  platform: 'linux/amd64',
});

/** What a server does whose gate is off: the field goes without a word, and the container is one that must end. */
export function dropSidecars(object: KubeObject): void {
  for (const path of [['spec'], ['spec', 'template', 'spec']])
    for (const container of listOf(at(object, ...path, 'initContainers'))) delete container['restartPolicy'];
}
