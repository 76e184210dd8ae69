import type { KubeObject } from '../../../cluster/rest.ts';
import { at, fieldsOf, listOf, specOf, textField } from '../objects.ts';
import { ALL_VERBS } from '../resources.ts';
import type { CustomVersion, Resource } from '../resources.ts';
import type { Column } from '../table/columns.ts';

/** A column of `additionalPrinterColumns`. */
interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

const column = (c: PrinterColumn): Column => ({
  name: c.name,
  type: c.type,
  format: c.format ?? '',
  description: c.description ?? `Custom resource definition column (in JSONPath format): ${c.jsonPath}`,
  priority: c.priority ?? 0,
  jsonPath: c.jsonPath,
});

/** The kinds, one a served version, that a CustomResourceDefinition describes. */
export function resourcesOf(crd: KubeObject): Resource[] {
  const spec = specOf(crd);
  const names = fieldsOf(spec['names']);
  const group = textField(spec['group']);
  const plural = textField(names['plural']);
  const kind = textField(names['kind']);
  return listOf(spec['versions'])
    .filter((version) => version['served'] === true)
    .map((version) => {
      const sub = fieldsOf(version['subresources']);
      return {
        group,
        version: textField(version['name']),
        plural,
        singular: textField(names['singular'], kind.toLowerCase()),
        kind,
        listKind: textField(names['listKind'], `${kind}List`),
        namespaced: spec['scope'] === 'Namespaced',
        shortNames: listOf<string>(names['shortNames']),
        categories: listOf<string>(names['categories']),
        subresources: ['status', 'scale'].filter((name) => sub[name] !== undefined),
        verbs: ALL_VERBS,
        storage: crd.metadata.name,
        custom: customVersion(crd.metadata.name, version),
      };
    });
}

function customVersion(crd: string, version: Record<string, unknown>): CustomVersion {
  const columns = listOf<PrinterColumn>(version['additionalPrinterColumns']).map(column);
  const scale = at(version, 'subresources', 'scale') as CustomVersion['scale'];
  return {
    crd,
    schema: at(version, 'schema', 'openAPIV3Schema') ?? {},
    columns: columns.length > 0 ? columns : [ageColumn],
    selectable: listOf<{ jsonPath: string }>(version['selectableFields']).map((f) => f.jsonPath.replace(/^\./, '')),
    ...(scale ? { scale } : {}),
  };
}

const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
  priority: 0,
  jsonPath: '.metadata.creationTimestamp',
};
