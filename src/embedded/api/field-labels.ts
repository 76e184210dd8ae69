import type { KubeObject } from '../../cluster/rest.ts';
import { at, fieldsOf, textField } from './objects.ts';
import type { Resource } from './resources.ts';

type FieldValue = (object: KubeObject) => string;

const path =
  (text: string, fallback = ''): FieldValue =>
  (object) =>
    textField(at(object, ...text.split('.')), fallback);

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Field labels that Kubernetes serves besides metadata.name and metadata.namespace, by stored kind. */
const labels: Record<string, Record<string, FieldValue>> = {
  pods: {
    ...Object.fromEntries(
      ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'].map((p) => [p, path(p)]),
    ),
    'spec.hostNetwork': path('spec.hostNetwork', 'false'),
    'status.phase': path('status.phase'),
    'status.podIP': path('status.podIP'),
    'status.podIPs': path('status.podIP'),
    'status.nominatedNodeName': path('status.nominatedNodeName'),
  },
  nodes: { 'spec.unschedulable': path('spec.unschedulable', 'false') },
  namespaces: { 'status.phase': path('status.phase'), name: path('metadata.name') },
  secrets: { type: path('type') },
  services: { 'spec.clusterIP': path('spec.clusterIP'), 'spec.type': path('spec.type') },
  events: {
    ...Object.fromEntries(involved.map((f) => [`involvedObject.${f}`, path(`involvedObject.${f}`)])),
    ...Object.fromEntries(involved.map((f) => [`regarding.${f}`, path(`involvedObject.${f}`)])),
    reason: path('reason'),
    type: path('type'),
    reportingComponent: path('reportingComponent'),
    reportingController: path('reportingComponent'),
    source: (event) => textField(fieldsOf(event['source'])['component'] ?? event['reportingComponent']),
  },
  'replicasets.apps': { 'status.replicas': path('status.replicas', '0') },
  replicationcontrollers: { 'status.replicas': path('status.replicas', '0') },
  'jobs.batch': { 'status.successful': path('status.succeeded', '0') },
};

/** How to read the field that a selector names; undefined where the kind does not serve it. */
export function fieldValue(resource: Resource, label: string): FieldValue | undefined {
  if (label === 'metadata.name') return path(label);
  if (label === 'metadata.namespace' && resource.namespaced) return path(label);
  const own = labels[resource.storage];
  if (own && Object.hasOwn(own, label)) return own[label];
  return resource.custom?.selectable.includes(label) ? path(label) : undefined;
}
