import type { KubeObject } from '../../../cluster/rest.ts';
import { parseObject } from '../body.ts';
import type { Call } from '../context.ts';
import { deleteOptions } from '../delete-options.ts';
import { ApiError, badRequest, methodNotAllowed, plainError } from '../errors.ts';
import { at, fieldsOf, listOf, stamp, statusOf, textField } from '../objects.ts';
import { remove } from '../remove.ts';
import { sendJson } from '../reply.ts';
import { existing } from '../typed.ts';
import { BUDGETS, budgetsOf, isReady, standing } from './budget.ts';
import type { Standing } from './budget.ts';

/**
 * `/eviction` of a Pod: deletes it if its PodDisruptionBudget allows, with the condition DisruptionTarget set first.
 * @throws ApiError 429 where the budget forbids it, 500 where several budgets select the Pod
 */
export function evict(call: Call): void {
  if (call.request.method !== 'POST') throw methodNotAllowed();
  const body = parseObject(call.body, call.type);
  if (!body) throw badRequest('the body of the request must be an Eviction');
  const kind = textField(body['kind']);
  if (kind && kind !== 'Eviction') {
    throw badRequest(
      `${kind} in version "v1" cannot be handled as a Eviction: converting (v1.${kind}) to (policy.Eviction): unknown conversion`,
    );
  }
  const pod = existing(call);
  const named = textField(at(body, 'metadata', 'name'));
  if (named && named !== call.name) throw badRequest('name in URL does not match name in Eviction object');
  const options = deleteOptions(fieldsOf(body['deleteOptions']), call);
  const { phase } = statusOf(pod);
  const free = phase !== 'Running' || pod.metadata.deletionTimestamp !== undefined;
  if (!free) checkBudget(call, pod);
  const target = options.dryRun || pod.metadata.deletionTimestamp ? pod : markTarget(call, pod);
  remove(call.api, call.resource, target, options);
  sendJson(call.response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function checkBudget({ api, dryRun }: Call, pod: KubeObject): void {
  const budgets = budgetsOf(api, pod);
  if (budgets.length > 1) {
    const text = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw plainError(text);
  }
  const [budget] = budgets;
  if (!budget) return;
  const now = standing(api, budget);
  const always = fieldsOf(budget['spec'])['unhealthyPodEvictionPolicy'] === 'AlwaysAllow';
  // A Pod that is not ready takes nothing from the budget once the others suffice.
  if (!isReady(pod) && (always || (now.currentHealthy >= now.desiredHealthy && now.desiredHealthy > 0))) return;
  const allowed = now.disruptionsAllowed > 0;
  if (!dryRun)
    writeStatus(api.store, budget, allowed ? { ...now, disruptionsAllowed: now.disruptionsAllowed - 1 } : now);
  if (allowed) return;
  const text = "Cannot evict pod as it would violate the pod's disruption budget.";
  const why = `The disruption budget ${budget.metadata.name} needs ${now.desiredHealthy} healthy pods and has ${now.currentHealthy} currently`;
  throw new ApiError(429, 'TooManyRequests', text, { causes: [{ reason: 'DisruptionBudget', message: why }] });
}

function writeStatus(store: Call['api']['store'], budget: KubeObject, now: Standing): void {
  const { metadata } = budget;
  const status = { ...statusOf(budget), ...now, observedGeneration: metadata.generation };
  store.put(BUDGETS, { ...budget, metadata: { ...metadata }, status });
}

/** Says in the Pod's status that it is about to be evicted, before its deletion shows. */
function markTarget({ api, resource }: Call, pod: KubeObject): KubeObject {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: stamp(api.now()),
  };
  const status = statusOf(pod);
  const others = listOf(status['conditions']).filter((c) => c['type'] !== 'DisruptionTarget');
  const marked = { ...pod, metadata: { ...pod.metadata }, status: { ...status, conditions: [...others, condition] } };
  return api.store.put(resource.storage, marked);
}
