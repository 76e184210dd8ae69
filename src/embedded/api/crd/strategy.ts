import type { KubeObject } from '../../../cluster/rest.ts';
import { invalidValue, required, unsupported } from '../causes.ts';
import type { Cause } from '../errors.ts';
import { at, fieldsOf, fill, isFields, listOf, specOf, stamp, statusOf, textField } from '../objects.ts';
import type { Strategy } from '../strategies/strategy.ts';

const storageVersion = (crd: KubeObject) =>
  listOf(specOf(crd)['versions']).find((version) => version['storage'] === true);

function checkVersions(crd: KubeObject): Cause[] {
  const versions = listOf(specOf(crd)['versions']);
  if (versions.length === 0) return [required('spec.versions', 'must have at least one version')];
  const causes = versions.flatMap((version, i) => {
    const path = `spec.versions[${i}]`;
    const schema = at(version, 'schema', 'openAPIV3Schema');
    if (!version['name']) return [required(`${path}.name`)];
    if (!isFields(schema)) return [required(`${path}.schema.openAPIV3Schema`, 'schemas are required')];
    if (schema['type'] === 'object') return [];
    const field = `${path}.schema.openAPIV3Schema.type`;
    return schema['type']
      ? [invalidValue(field, schema['type'], 'must be object at the root')]
      : [required(field, 'must not be empty at the root')];
  });
  const stored = versions.filter((version) => version['storage'] === true).length;
  if (stored !== 1) {
    causes.push(
      invalidValue(
        'spec.versions',
        versions.map((v) => v['name']),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  return causes;
}

function checkDefinition(crd: KubeObject): Cause[] {
  const spec = specOf(crd);
  const names = fieldsOf(spec['names']);
  const causes: Cause[] = [];
  if (!spec['group']) causes.push(required('spec.group'));
  if (!names['plural']) causes.push(required('spec.names.plural'));
  if (!names['kind']) causes.push(required('spec.names.kind'));
  const scopes = ['Cluster', 'Namespaced'];
  if (!scopes.includes(spec['scope'] as string)) causes.push(unsupported('spec.scope', spec['scope'], scopes));
  const wanted = `${textField(names['plural'])}.${textField(spec['group'])}`;
  if (causes.length === 0 && crd.metadata.name !== wanted) {
    causes.push(invalidValue('metadata.name', crd.metadata.name, `must be spec.names.plural+"."+spec.group`));
  }
  return [...causes, ...checkVersions(crd)];
}

/** Names are taken and the kind is served as soon as the definition is stored. */
function accept(crd: KubeObject, time: string): void {
  const known = statusOf(crd);
  const lastTransitionTime = at(listOf(known['conditions'])[0], 'lastTransitionTime') ?? time;
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime,
    reason,
    message,
  });
  const version = textField(storageVersion(crd)?.['name']);
  crd['status'] = {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: specOf(crd)['names'],
    storedVersions: [...new Set([...listOf<string>(known['storedVersions']), version])],
  };
}

export const crdStrategy: Strategy = {
  generation: true,
  needsVersion: true,
  defaults(crd) {
    const names = fieldsOf(specOf(crd)['names']);
    const kind = textField(names['kind']);
    fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    fill(specOf(crd), { conversion: { strategy: 'None' } });
  },
  prepareCreate(crd, api) {
    crd['status'] = {};
    accept(crd, stamp(api.now()));
  },
  prepareUpdate: (crd, _old, api) => accept(crd, stamp(api.now())),
  validate: checkDefinition,
};
