import type { KubeObject } from '../../../cluster/rest.ts';
import { textField } from '../objects.ts';
import type { Resource } from '../resources.ts';
import { age } from './age.ts';
import type { Column } from './columns.ts';
import * as core from './core-tables.ts';
import { jsonPath } from './json-path.ts';
import * as others from './other-tables.ts';
import type { TableOf } from './table-of.ts';

/** Tables by stored kind. */
const tables: Record<string, TableOf> = {
  configmaps: core.configMaps,
  endpoints: core.endpoints,
  events: core.events,
  namespaces: core.namespaces,
  nodes: core.nodes,
  pods: core.pods,
  secrets: core.secrets,
  serviceaccounts: core.serviceAccounts,
  services: core.services,
  'clusterrolebindings.rbac.authorization.k8s.io': others.bindings,
  'clusterroles.rbac.authorization.k8s.io': others.roles,
  'customresourcedefinitions.apiextensions.k8s.io': others.definitions,
  'daemonsets.apps': others.daemonSets,
  'deployments.apps': others.deployments,
  'endpointslices.discovery.k8s.io': others.endpointSlices,
  'jobs.batch': others.jobs,
  'leases.coordination.k8s.io': others.leases,
  'poddisruptionbudgets.policy': others.budgets,
  'priorityclasses.scheduling.k8s.io': others.priorityClasses,
  'replicasets.apps': others.replicaSets,
  'rolebindings.rbac.authorization.k8s.io': others.bindings,
  'roles.rbac.authorization.k8s.io': others.roles,
  'statefulsets.apps': others.statefulSets,
};

const plain: TableOf = {
  columns: 'Name Age',
  cells: (object, now) => [object.metadata.name, core.created(object, now)],
};

function column(text: string): Column {
  const [name = '', type = 'string'] = text.replace('*', '').split(':');
  const title = name.replaceAll('_', ' ');
  return {
    name: title,
    type,
    format: title === 'Name' ? 'name' : '',
    description: title,
    priority: text.endsWith('*') ? 1 : 0,
  };
}

const nameColumn = column('Name');
const built = new Map<TableOf, Column[]>();

export function columnsOf(resource: Resource): Column[] {
  if (resource.custom) return [nameColumn, ...resource.custom.columns];
  const table = tables[resource.storage] ?? plain;
  let columns = built.get(table);
  if (!columns) built.set(table, (columns = table.columns.split(' ').map(column)));
  return columns;
}

/** The cells of one object. `now`: milliseconds since 1970. */
export function rowOf(object: KubeObject, resource: Resource, now: number): unknown[] {
  if (!resource.custom) return (tables[resource.storage] ?? plain).cells(object, now);
  return [object.metadata.name, ...resource.custom.columns.map((c) => customCell(object, c, now))];
}

function customCell(object: KubeObject, { type, jsonPath: path = '' }: Column, now: number): unknown {
  const found = jsonPath(object, path);
  // A column without a value is null: kubectl leaves it empty.
  if (found.length === 0) return null;
  if (type === 'date') return age(found[0], now);
  if (type === 'string')
    return found.map((value) => (typeof value === 'object' ? JSON.stringify(value) : textField(value))).join(',');
  return found[0];
}
