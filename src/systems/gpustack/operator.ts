import { join } from 'node:path';
import type { KubeObject } from '../../cluster/rest.ts';
import { manifestsFolder, readKustomization } from './manifests.ts';

/** Releases that the operator's double can behave as; the first is the one that the requirements were read from. */
export const releases = ['v0.9.2', 'v0.10.0', 'v0.11.2', 'before-drain-window'] as const;
export type Release = (typeof releases)[number];

/**
 * What the protocol does with a prefill or decode replica: refuses it, or lets it go once its grace window has passed.
 * Page "Model Deployment Shutdown" of each release; how the window is counted stands in none of them.
 */
export const splitRule = (release: Release): 'refused' | 'waits' =>
  release === 'v0.10.0' || release === 'v0.11.2' ? 'waits' : 'refused';

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
