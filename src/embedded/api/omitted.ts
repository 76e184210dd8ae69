import type { KubeObject } from '../../cluster/rest.ts';
import { at, fieldsOf, isFields } from './objects.ts';
import type { Fields } from './objects.ts';

const metadataFields = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'];

/** Counts of a status that are left out at zero, by kind. */
const counts: Record<string, string[]> = {
  Deployment: [
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'observedGeneration',
  ],
  ReplicaSet: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
};

/** Other lists and maps that are left out when empty, by kind: the path of their holder, then their names. */
const others: Record<string, [path: string[], names: string[]][]> = {
  ConfigMap: [[[], ['data', 'binaryData']]],
  Node: [[['spec'], ['taints']]],
  Pod: [[['spec'], ['schedulingGates', 'nodeSelector', 'tolerations', 'initContainers']]],
  PodDisruptionBudget: [[['status'], ['disruptedPods']]],
  Deployment: [[['spec', 'template', 'metadata'], metadataFields]],
  ReplicaSet: [[['spec', 'template', 'metadata'], metadataFields]],
};

/** Leaves out in place what a real server, whose kinds are typed, does not write where it is empty (`omitempty`). */
export function leaveOutEmpty(object: KubeObject): void {
  const kind = object.kind ?? '';
  dropEmpty(object.metadata as unknown as Fields, metadataFields);
  for (const [path, names] of others[kind] ?? []) dropEmpty(fieldsOf(at(object, ...path)), names);
  const status = fieldsOf(object['status']);
  for (const name of counts[kind] ?? []) if (status[name] === 0) delete status[name];
}

function dropEmpty(holder: Fields, names: string[]): void {
  for (const name of names) {
    const value = holder[name];
    const empty = Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
    if (empty) delete holder[name];
  }
}
