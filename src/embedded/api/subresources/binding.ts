import type { KubeObject } from '../../../cluster/rest.ts';
import { parseObject } from '../body.ts';
import type { Call } from '../context.ts';
import { badRequest, conflict, methodNotAllowed, notFound, plainError, unregistered } from '../errors.ts';
import { at, fieldsOf, listOf, specOf, statusOf, textField } from '../objects.ts';
import { sendJson } from '../reply.ts';
import type { Resource } from '../resources.ts';
import { scheduled } from '../strategies/pods.ts';

/**
 * `POST pods/NAME/binding`, and `POST bindings` of older schedulers: puts a Pod on a Node.
 * @throws ApiError 409 where it is on one already, or is being deleted
 */
export function bind(call: Call): void {
  if (call.request.method !== 'POST') throw methodNotAllowed();
  const { api, response } = call;
  const body = parseObject(call.body, call.type);
  if (!body) throw badRequest('the body of the request must be a Binding');
  const pods = api.resources.find('', 'v1', 'pods') as Resource;
  const name = call.subresource ? call.name : textField(at(body, 'metadata', 'name'));
  const pod = api.store.get(pods.storage, call.namespace, name);
  if (!pod) throw notFound(pods, name);
  const node = textField(at(body, 'target', 'name'));
  const kind = textField(body['kind']);
  if (kind && kind !== 'Binding') throw unregistered(kind, 'Binding');
  // A real server answers these two with a plain error of its storage, and 500.
  if (!node) throw plainError('target.name: Required value');
  const target = textField(at(body, 'target', 'kind'), 'Node');
  if (target !== 'Node' && target !== '') {
    throw plainError(`target.kind: Unsupported value: ${JSON.stringify(target)}: supported values: "Node", "<empty>"`);
  }
  const named = { ...pods, plural: 'pods/binding' };
  if (pod.metadata.deletionTimestamp)
    throw conflict(named, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const bound = textField(specOf(pod)['nodeName']);
  if (bound) throw conflict(named, name, `pod ${name} is already assigned to node ${JSON.stringify(bound)}`);
  const uid = textField(at(body, 'metadata', 'uid'));
  if (uid && uid !== pod.metadata.uid) {
    throw conflict(
      named,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`,
    );
  }
  if (!call.dryRun) api.store.put(pods.storage, withNode(pod, node, body, call));
  sendJson(response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function withNode(pod: KubeObject, node: string, binding: Record<string, unknown>, { api }: Call): KubeObject {
  const status = statusOf(pod);
  // The promise is kept.
  const { nominatedNodeName: _, ...kept } = status;
  const others = listOf(status['conditions']).filter((c) => c['type'] !== 'PodScheduled');
  const annotations = {
    ...pod.metadata.annotations,
    ...(fieldsOf(at(binding, 'metadata', 'annotations')) as Record<string, string>),
  };
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: { ...specOf(pod), nodeName: node },
    status: { ...kept, conditions: [...others, scheduled(api, pod.metadata.generation ?? 1)] },
  };
}
