import type { KubeObject } from '../../cluster/rest.ts';
import type { Generation } from '../../requirements/profiles.ts';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  [field: string]: unknown;
}

/**
 * The ModelDeployment CRD of `manifests/crds`, which is generation B (v0.9.2 and v0.10), as another generation serves it.
 * C (v0.11): `acceleratorType` in the place of `instanceType`, CPU, memory and disk of a role, a back end of the KV
 * transfer. A (before v0.9): `engine.version`, no `engine.image`. Any other object is returned as it is.
 */
export function asGeneration(definition: KubeObject, generation: Generation): KubeObject {
  if (generation === 'B' || definition.metadata.name !== 'modeldeployments.worker.gpustack.ai') return definition;
  const changed = structuredClone(definition);
  const { versions } = changed['spec'] as { versions: { schema: { openAPIV3Schema: Schema } }[] };
  for (const { schema } of versions) {
    const spec = part(schema.openAPIV3Schema, 'spec');
    if (generation === 'A') versionInsteadOfImage(part(spec, 'engine'));
    else acceleratorInsteadOfInstance(spec);
  }
  return changed;
}

function versionInsteadOfImage(engine: Schema): void {
  engine.required = ['name'];
  engine.properties = {
    ...(engine.properties?.['name'] ? { name: engine.properties['name'] } : {}),
    version: { type: 'string', minLength: 1, maxLength: 64 },
  };
}

function acceleratorInsteadOfInstance(spec: Schema): void {
  const role = part(spec, 'roles').items ?? {};
  const { instanceType, ...others } = role.properties ?? {};
  role.properties = { ...others, ...(instanceType ? { acceleratorType: instanceType } : {}) };
  role.required = (role.required ?? []).map((name) => (name === 'instanceType' ? 'acceleratorType' : name));
  const resources = part(role, 'resources');
  const quantity = { type: 'string' };
  resources.properties = { ...resources.properties, cpu: quantity, ram: quantity, localStorage: quantity };
  const transfer = part(spec, 'kvTransfer');
  transfer.properties = { ...transfer.properties, backend: { type: 'string' } };
}

function part(schema: Schema, name: string): Schema {
  const found = schema.properties?.[name];
  if (!found) throw new Error(`the CRD of ModelDeployment has no ${name}`);
  return found;
}
