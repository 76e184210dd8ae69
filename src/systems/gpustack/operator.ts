import { join } from 'node:path';
import type { KubeObject } from '../../cluster/rest.ts';
import { profiles, type Profile } from '../../requirements/profiles.ts';
import { manifestsFolder, readKustomization } from './manifests.ts';

/** Releases that the operator's double can behave as: those of the profiles, and one without hook and grace. */
export const releases = [
  ...Object.values(profiles).map(({ release }) => release),
  'before-drain-window' as const,
] as const;
export type Release = (typeof releases)[number];

/** What the protocol of a release does with a prefill or decode replica. */
export const splitRule = (release: Release): Profile['split'] =>
  Object.values(profiles).find((profile) => profile.release === release)?.split ?? 'refused';

/** Name of the operator's Deployment, in whichever namespace it runs. */
export const OPERATOR = 'gpustack-operator';

const args = (namespace: string, release: Release) => ['--namespace', namespace, '--release', release];

/**
 * The operator's double for one namespace alone, as a scenario on the embedded cluster gets it: the objects of
 * manifests/operator moved into that namespace, cluster-wide rights narrowed to it.
 */
export function operatorObjects(namespace: string, release: Release, folder = manifestsFolder()): KubeObject[] {
  return readKustomization(join(folder, 'operator'))
    .filter((object) => object.kind !== 'Namespace')
    .map((object) => {
      const moved = structuredClone(object);
      moved.metadata.namespace = namespace;
      if (moved.kind === 'ClusterRole' || moved.kind === 'ClusterRoleBinding') {
        moved.kind = moved.kind.replace('Cluster', '');
        const reference = moved['roleRef'] as { kind: string } | undefined;
        if (reference) reference.kind = 'Role';
        for (const subject of (moved['subjects'] as { namespace: string }[] | undefined) ?? []) {
          subject.namespace = namespace;
        }
      }
      if (moved.kind === 'Deployment') setArgs(moved, args(namespace, release));
      return moved;
    });
}

/** JSON patch on the operator's Deployment that moves it to another release. */
export const upgradePatch = (namespace: string, to: Release): object[] => [
  { op: 'replace', path: '/spec/template/spec/containers/0/args', value: args(namespace, to) },
];

/** Path of the operator's Deployment that serves a namespace alone. */
export const operatorPath = (namespace: string): string =>
  `/apis/apps/v1/namespaces/${namespace}/deployments/${OPERATOR}`;

function setArgs(deployment: KubeObject, value: string[]): void {
  const { template } = deployment['spec'] as { template: { spec: { containers: { args: string[] }[] } } };
  const [container] = template.spec.containers;
  if (container) container.args = value;
}
