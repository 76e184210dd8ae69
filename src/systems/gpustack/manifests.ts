import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../cluster/rest.ts';

/** A manifest that cannot be used, with what was seen. */
export class ManifestError extends Error {
  readonly code = 'QUIESCE_MANIFEST';
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`manifest ${path}: ${problem}`, options);
    this.name = 'ManifestError';
  }
}

/** The project's `manifests` folder, found from this file upwards: as source and as part of a bundle in `dist`. */
export function manifestsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'manifests');
    if (existsSync(join(found, 'crds'))) return found;
    if (folder === dirname(folder)) {
      throw new ManifestError('manifests', `not found in any folder above ${fileURLToPath(import.meta.url)}`);
    }
  }
}

/** The Kubernetes objects of one YAML file. @throws ManifestError where it is unreadable or not YAML */
export function readManifest(path: string): KubeObject[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ManifestError(path, 'cannot be read', { cause: error });
  }
  return parseAllDocuments(text).map((document) => {
    const [problem] = document.errors;
    if (problem) throw new ManifestError(path, problem.message, { cause: problem });
    return document.toJS() as KubeObject;
  });
}

/** The objects of a folder that has a kustomization.yaml: its resources, in order, sub-folders included. */
export function readKustomization(folder: string): KubeObject[] {
  const [kustomization] = readManifest(join(folder, 'kustomization.yaml'));
  const resources = kustomization?.['resources'];
  if (!Array.isArray(resources)) throw new ManifestError(join(folder, 'kustomization.yaml'), 'has no resources');
  return (resources as string[]).flatMap((name) =>
    /\.ya?ml$/.test(name) ? readManifest(join(folder, name)) : readKustomization(join(folder, name)),
  );
}

/** The CRDs that the operator's API consists of: ModelDeployment, InstanceType and Kueue's Workload. */
export const customResourceDefinitions = (folder = manifestsFolder()): KubeObject[] =>
  readKustomization(join(folder, 'crds'));

/** The CRD of Dynamo's Kubernetes discovery. */
export const dynamoDefinitions = (folder = manifestsFolder()): KubeObject[] =>
  readKustomization(join(folder, 'dynamo'));
