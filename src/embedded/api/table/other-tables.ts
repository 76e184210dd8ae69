import { fieldsOf, listOf, specOf, statusOf, textField } from '../objects.ts';
import { containersOf, created, none, selectorText } from './core-tables.ts';
import type { TableOf } from './table-of.ts';

const count = (value: unknown): number => Number(value ?? 0);

export const deployments: TableOf = {
  columns: 'Name Ready Up-to-date Available Age Containers* Images* Selector*',
  cells(object, now) {
    const [spec, status] = [specOf(object), statusOf(object)];
    const ready = `${count(status['readyReplicas'])}/${count(spec['replicas'])}`;
    const numbers = [count(status['updatedReplicas']), count(status['availableReplicas'])];
    return [
      object.metadata.name,
      ready,
      ...numbers,
      created(object, now),
      ...containersOf(object),
      selectorText(spec['selector']),
    ];
  },
};

export const replicaSets: TableOf = {
  columns: 'Name Desired Current Ready Age Containers* Images* Selector*',
  cells(object, now) {
    const [spec, status] = [specOf(object), statusOf(object)];
    const numbers = [count(spec['replicas']), count(status['replicas']), count(status['readyReplicas'])];
    return [
      object.metadata.name,
      ...numbers,
      created(object, now),
      ...containersOf(object),
      selectorText(spec['selector']),
    ];
  },
};

export const statefulSets: TableOf = {
  columns: 'Name Ready Age Containers* Images*',
  cells(object, now) {
    const ready = `${count(statusOf(object)['readyReplicas'])}/${count(specOf(object)['replicas'])}`;
    return [object.metadata.name, ready, created(object, now), ...containersOf(object)];
  },
};

export const daemonSets: TableOf = {
  columns: 'Name Desired Current Ready Up-to-date Available Node_Selector Age Containers* Images* Selector*',
  cells(object, now) {
    const status = statusOf(object);
    const fields = [
      'desiredNumberScheduled',
      'currentNumberScheduled',
      'numberReady',
      'updatedNumberScheduled',
      'numberAvailable',
    ];
    const numbers = fields.map((field) => count(status[field]));
    return [
      object.metadata.name,
      ...numbers,
      none,
      created(object, now),
      ...containersOf(object),
      selectorText(specOf(object)['selector']),
    ];
  },
};

/** The first few of a list, and how many more there are. */
function some(items: string[], limit: number): string {
  if (items.length === 0) return '<unset>';
  const more = items.length > limit ? ` + ${items.length - limit} more...` : '';
  return items.slice(0, limit).join(',') + more;
}

export const endpointSlices: TableOf = {
  columns: 'Name AddressType Ports Endpoints Age',
  cells(slice, now) {
    const ports = listOf(slice['ports']).map((port) => textField(port['port']));
    const addresses = listOf(slice['endpoints']).flatMap((endpoint) => listOf<string>(endpoint['addresses']));
    return [
      slice.metadata.name,
      textField(slice['addressType']),
      some(ports, 3),
      some(addresses, 3),
      created(slice, now),
    ];
  },
};

export const leases: TableOf = {
  columns: 'Name Holder Age',
  cells: (lease, now) => [lease.metadata.name, textField(specOf(lease)['holderIdentity']), created(lease, now)],
};

export const budgets: TableOf = {
  columns: 'Name Min_Available Max_Unavailable Allowed_Disruptions:integer Age',
  cells(budget, now) {
    const spec = specOf(budget);
    const shown = (value: unknown) => textField(value, 'N/A');
    const allowed = count(statusOf(budget)['disruptionsAllowed']);
    return [
      budget.metadata.name,
      shown(spec['minAvailable']),
      shown(spec['maxUnavailable']),
      allowed,
      created(budget, now),
    ];
  },
};

export const priorityClasses: TableOf = {
  columns: 'Name Value:integer Global-Default:boolean Age PreemptionPolicy',
  cells: (object, now) => [
    object.metadata.name,
    count(object['value']),
    object['globalDefault'] === true,
    created(object, now),
    textField(object['preemptionPolicy']),
  ],
};

export const definitions: TableOf = {
  columns: 'Name Created_At',
  cells: (crd) => [crd.metadata.name, crd.metadata.creationTimestamp ?? ''],
};

export const jobs: TableOf = {
  columns: 'Name Status Completions Age',
  cells(job, now) {
    const status = statusOf(job);
    const done = listOf(status['conditions']).find((c) => c['status'] === 'True')?.['type'];
    const completions = `${count(status['succeeded'])}/${count(specOf(job)['completions'] ?? 1)}`;
    return [job.metadata.name, textField(done, 'Running'), completions, created(job, now)];
  },
};

const roleRef = (binding: { [field: string]: unknown }) => {
  const { kind, name } = fieldsOf(binding['roleRef']);
  return `${textField(kind)}/${textField(name)}`;
};

export const roles: TableOf = {
  columns: 'Name Created_At',
  cells: (role) => [role.metadata.name, role.metadata.creationTimestamp ?? ''],
};

export const bindings: TableOf = {
  columns: 'Name Role Age',
  cells: (binding, now) => [binding.metadata.name, roleRef(binding), created(binding, now)],
};
