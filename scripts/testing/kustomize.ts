import { join } from 'node:path';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { parse } from 'yaml';
import type { KubeObject } from '../../src/cluster/rest.ts';
import { manifestsFolder, readManifest } from '../../src/systems/gpustack/manifests.ts';

/** Folders of manifests/ that a person applies, each after those before it; `crds` and `dynamo` come first. */
export const appliedFolders = [
  'operator',
  'examples',
  'engines/double',
  'engines/gpu',
  'routers',
  'models/double',
  'models/gpu',
  'graphs/double',
  'graphs/gpu',
  'nvidia',
  'k6',
  'job',
] as const;

interface Kustomization {
  resources: string[];
  patches?: { target: { kind: string; name?: string }; patch: string }[];
}

/** What `kubectl kustomize` makes of a folder, as far as manifests/ uses it: resources, and JSON patches by kind and name. */
export function kustomized(folder: string, root = manifestsFolder()): KubeObject[] {
  const [read] = readManifest(join(root, folder, 'kustomization.yaml'));
  const { resources, patches = [], ...rest } = read as unknown as Kustomization & Record<string, unknown>;
  const unknown = Object.keys(rest).filter((key) => key !== 'apiVersion' && key !== 'kind');
  if (unknown.length > 0) throw new Error(`manifests/${folder}: kustomized() knows no ${unknown.join(', ')}`);
  const objects = resources.flatMap((name) =>
    /\.ya?ml$/.test(name) ? readManifest(join(root, folder, name)) : kustomized(join(folder, name), root),
  );
  for (const { target, patch } of patches) {
    const name = new RegExp(`^(${target.name ?? '.*'})$`);
    const fitting = objects.filter((o) => o.kind === target.kind && name.test(o.metadata.name));
    if (fitting.length === 0) throw new Error(`manifests/${folder}: a patch fits nothing`);
    for (const object of fitting) jsonPatch.applyPatch(object, parse(patch) as Operation[], true);
  }
  return objects;
}
