import type { KubeObject } from '../../../cluster/rest.ts';
import { at, fieldsOf, isFields, listOf, specOf, statusOf, textField } from '../objects.ts';
import { age } from './age.ts';
import { podSummary } from './pod-status.ts';
import type { TableOf } from './table-of.ts';

export const none = '<none>';
export const created = (object: KubeObject, now: number) => age(object.metadata.creationTimestamp, now);
const orNone = (value: unknown) => textField(value) || none;

const gates = (pod: KubeObject): string => {
  const wanted = listOf(specOf(pod)['readinessGates']).map((gate) => gate['conditionType']);
  if (wanted.length === 0) return none;
  const conditions = listOf(statusOf(pod)['conditions']);
  const met = wanted.filter((type) => conditions.some((c) => c['type'] === type && c['status'] === 'True'));
  return `${met.length}/${wanted.length}`;
};

export const pods: TableOf = {
  columns: 'Name Ready Status Restarts Age IP* Node* Nominated_Node* Readiness_Gates*',
  cells(pod, now) {
    const { ready, status, restarts } = podSummary(pod, now);
    const { podIP, nominatedNodeName } = statusOf(pod);
    const wide = [orNone(podIP), orNone(specOf(pod)['nodeName']), orNone(nominatedNodeName), gates(pod)];
    return [pod.metadata.name, ready, status, restarts, created(pod, now), ...wide];
  },
};

const ROLE = 'node-role.kubernetes.io/';

function nodeStatus(node: KubeObject): string {
  const ready = listOf(statusOf(node)['conditions']).find((c) => c['type'] === 'Ready');
  const text = ready ? (ready['status'] === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return specOf(node)['unschedulable'] === true ? `${text},SchedulingDisabled` : text;
}

export const nodes: TableOf = {
  columns: 'Name Status Roles Age Version Internal-IP* External-IP* OS-Image* Kernel-Version* Container-Runtime*',
  cells(node, now) {
    const labels = Object.keys(node.metadata.labels ?? {});
    const roles = labels.flatMap((label) => (label.startsWith(ROLE) ? label.slice(ROLE.length) : []));
    const info = fieldsOf(statusOf(node)['nodeInfo']);
    const address = (type: string) =>
      orNone(listOf(statusOf(node)['addresses']).find((a) => a['type'] === type)?.['address']);
    return [
      node.metadata.name,
      nodeStatus(node),
      roles.sort().join(',') || none,
      created(node, now),
      textField(info['kubeletVersion']),
      address('InternalIP'),
      address('ExternalIP'),
      textField(info['osImage'], '<unknown>'),
      textField(info['kernelVersion'], '<unknown>'),
      textField(info['containerRuntimeVersion'], '<unknown>'),
    ];
  },
};

const pairs = (labels: unknown) =>
  Object.entries(fieldsOf(labels))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(',') || none;

export const services: TableOf = {
  columns: 'Name Type Cluster-IP External-IP Port(s) Age Selector*',
  cells(service, now) {
    const { type, clusterIP, ports, selector, externalName } = specOf(service);
    const shown = listOf(ports).map((p) => {
      const node = p['nodePort'] ? `:${textField(p['nodePort'])}` : '';
      return `${textField(p['port'])}${node}/${textField(p['protocol'])}`;
    });
    const outside = orNone(externalName);
    return [
      service.metadata.name,
      textField(type),
      orNone(clusterIP),
      outside,
      shown.join(',') || none,
      created(service, now),
      pairs(selector),
    ];
  },
};

export const namespaces: TableOf = {
  columns: 'Name Status Age',
  cells: (namespace, now) => [
    namespace.metadata.name,
    textField(statusOf(namespace)['phase']),
    created(namespace, now),
  ],
};

const size = (value: unknown) => Object.keys(fieldsOf(value)).length;

export const configMaps: TableOf = {
  columns: 'Name Data:integer Age',
  cells: (map, now) => [map.metadata.name, size(map['data']) + size(map['binaryData']), created(map, now)],
};

export const secrets: TableOf = {
  columns: 'Name Type Data:integer Age',
  cells: (secret, now) => [secret.metadata.name, textField(secret['type']), size(secret['data']), created(secret, now)],
};

function eventTime(event: KubeObject): unknown {
  return (
    at(event, 'series', 'lastObservedTime') ??
    event['lastTimestamp'] ??
    event['eventTime'] ??
    event.metadata.creationTimestamp
  );
}

export const events: TableOf = {
  columns: 'Last_Seen Type Reason Object Subobject* Source* Message First_Seen* Count* Name*',
  cells(event, now) {
    const about = fieldsOf(event['involvedObject']);
    const source = fieldsOf(event['source']);
    const from = [source['component'] ?? event['reportingComponent'], source['host'] ?? event['reportingInstance']];
    const first = event['firstTimestamp'] ?? event['eventTime'] ?? event.metadata.creationTimestamp;
    return [
      age(eventTime(event), now),
      textField(event['type']),
      textField(event['reason']),
      `${textField(about['kind']).toLowerCase()}/${textField(about['name'])}`,
      textField(about['fieldPath']),
      from
        .map((part) => textField(part))
        .filter(Boolean)
        .join(', '),
      textField(event['message']).trim(),
      age(first, now),
      textField(at(event, 'series', 'count') ?? event['count'], '1'),
      event.metadata.name,
    ];
  },
};

export const endpoints: TableOf = {
  columns: 'Name Endpoints Age',
  cells(object, now) {
    const shown = listOf(object['subsets']).flatMap((subset) =>
      listOf(subset['addresses']).flatMap((address) =>
        listOf(subset['ports']).map((port) => `${textField(address['ip'])}:${textField(port['port'])}`),
      ),
    );
    const more = shown.length > 3 ? ` + ${shown.length - 3} more...` : '';
    return [object.metadata.name, shown.length ? shown.slice(0, 3).join(',') + more : none, created(object, now)];
  },
};

export const serviceAccounts: TableOf = {
  columns: 'Name Secrets:integer Age',
  cells: (account, now) => [account.metadata.name, listOf(account['secrets']).length, created(account, now)],
};

/** A `LabelSelector` as one text. */
export const selectorText = (selector: unknown): string => {
  const expressions = listOf(fieldsOf(selector)['matchExpressions']).map((e) => {
    const values = listOf<string>(e['values']).join(',');
    return `${textField(e['key'])} ${textField(e['operator']).toLowerCase()} (${values})`;
  });
  const equal = pairs(fieldsOf(selector)['matchLabels']);
  return [equal === none ? '' : equal, ...expressions].filter(Boolean).join(',') || none;
};

/** Names and images of the containers of a template, as in wide columns. */
export const containersOf = (object: KubeObject): [string, string] => {
  const containers = listOf(at(object, 'spec', 'template', 'spec', 'containers')).filter(isFields);
  const join = (field: string) => containers.map((c) => textField(c[field])).join(',');
  return [join('name'), join('image')];
};
