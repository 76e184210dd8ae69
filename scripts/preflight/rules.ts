import { join } from 'node:path';
import type { Rule } from '../../src/cluster/rights.ts';
import { manifestsFolder, readManifest } from '../../src/systems/gpustack/manifests.ts';

/** ClusterRoles of manifests/rbac.yaml: what every run needs, and what our doubles need beside it. */
export const roles = { run: 'quiesce', doubles: 'quiesce-doubles' } as const;

/** The rules of a ClusterRole of manifests/rbac.yaml. @throws ManifestError; Error where it has no such role */
export function rulesOf(role: string): Rule[] {
  const found = readManifest(join(manifestsFolder(), 'rbac.yaml')).find(({ metadata }) => metadata.name === role);
  if (!found) throw new Error(`manifests/rbac.yaml has no ClusterRole ${role}`);
  return found['rules'] as Rule[];
}
