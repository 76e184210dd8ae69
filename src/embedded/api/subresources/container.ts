import type { ContainerRef } from '../../kubelet-api.ts';
import { KubeletError } from '../../kubelet-api.ts';
import type { Call } from '../context.ts';
import { ApiError, badRequest } from '../errors.ts';
import { listOf, specOf, textField } from '../objects.ts';
import { existing } from '../typed.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/**
 * The container that a request for logs or exec means. Undefined: the Pod has no Node yet.
 * @throws ApiError 400 where it is ambiguous or unknown, 404 where there is no such Pod
 */
export function containerOf(call: Call): ContainerRef | undefined {
  const pod = existing(call);
  const spec = specOf(pod);
  const names = listOf(spec['containers']).map((c) => textField(c['name']));
  const all = [...names, ...listOf(spec['initContainers']).map((c) => textField(c['name']))];
  const asked =
    call.query.get('container') ||
    pod.metadata.annotations?.[DEFAULT_CONTAINER] ||
    (names.length === 1 ? names[0] : '');
  if (!asked) {
    throw badRequest(`a container name must be specified for pod ${call.name}, choose one of: [${names.join(' ')}]`);
  }
  if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${call.name}`);
  const nodeName = textField(spec['nodeName']);
  return nodeName ? { nodeName, namespace: call.namespace, pod: call.name, container: asked } : undefined;
}

const reasons: Record<number, string> = {
  400: 'BadRequest',
  404: 'NotFound',
  409: 'Conflict',
  503: 'ServiceUnavailable',
};

/** A refusal of the kubelet as a Status; anything else as it is. */
export function kubeletRefusal(error: unknown): unknown {
  if (!(error instanceof KubeletError)) return error;
  return new ApiError(error.status, reasons[error.status] ?? 'InternalError', error.message);
}
