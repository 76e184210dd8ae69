import type { KubeObject } from '../../../cluster/rest.ts';
import { parseObject, parseText } from '../body.ts';
import type { Call } from '../context.ts';
import { badRequest, invalid, methodNotAllowed } from '../errors.ts';
import { invalidValue } from '../causes.ts';
import { at, clone, fieldsOf, isFields, listOf, specOf, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { changed } from '../patch/index.ts';
import { sendJson } from '../reply.ts';
import { existing } from '../typed.ts';
import { update } from '../update.ts';

const paths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

const fieldNames = (path: string) => path.split('.').filter(Boolean);

/** `/scale` of an object: reads it, or sets its number of replicas. */
export function scale(call: Call): void {
  const object = existing(call);
  const method = call.request.method ?? '';
  if (method === 'GET') return sendJson(call.response, 200, scaleOf(object, call));
  if (method !== 'PUT' && method !== 'PATCH') throw methodNotAllowed();
  const wanted = method === 'PUT' ? parseObject(call.body, call.type) : patched(object, call);
  if (!wanted) throw badRequest('the body of the request must be a Scale');
  const replicas = at(wanted, 'spec', 'replicas') ?? 0;
  if (!Number.isInteger(replicas) || (replicas as number) < 0) {
    const cause = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', plural: 'scales', kind: 'Scale' }, call.name, [cause]);
  }
  const next = clone(object) as unknown as Fields;
  setAt(next, fieldNames((call.resource.custom?.scale ?? paths).specReplicasPath), replicas);
  const { resourceVersion } = fieldsOf(wanted['metadata']);
  if (resourceVersion) fieldsOf(next['metadata'])['resourceVersion'] = resourceVersion;
  sendJson(call.response, 200, scaleOf(update(call, object, next, 'main'), call));
}

function patched(object: KubeObject, call: Call): Fields {
  const current = scaleOf(object, call) as unknown as KubeObject;
  return changed(current, parseText(call.body.toString('utf8'), call.type), {
    ...call,
    resource: { ...call.resource, kind: 'Scale' },
  });
}

function setAt(target: Fields, names: string[], value: unknown): void {
  const last = names.at(-1) ?? '';
  let holder = target;
  for (const name of names.slice(0, -1)) {
    if (!isFields(holder[name])) holder[name] = {};
    holder = holder[name] as Fields;
  }
  holder[last] = value;
}

function scaleOf(object: KubeObject, { resource }: Call): Fields {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = resource.custom?.scale ?? paths;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = labelSelectorPath ? at(object, ...fieldNames(labelSelectorPath)) : undefined;
  const replicas = at(object, ...fieldNames(specReplicasPath)) ?? 0;
  const text = typeof selector === 'string' ? selector : queryOf(selector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 && !resource.custom ? {} : { replicas },
    status: {
      replicas: at(object, ...fieldNames(statusReplicasPath)) ?? 0,
      ...(text ? { selector: text } : {}),
    },
  };
}

/** A `LabelSelector` as the text of a query. */
function queryOf(selector: unknown): string {
  const equal = Object.entries(fieldsOf(fieldsOf(selector)['matchLabels'])).map(
    ([name, value]) => `${name}=${textField(value)}`,
  );
  const others = listOf(fieldsOf(selector)['matchExpressions']).map((e) => {
    const [key, operator] = [textField(e['key']), textField(e['operator']).toLowerCase()];
    if (operator === 'exists') return key;
    return operator === 'doesnotexist' ? `!${key}` : `${key} ${operator} (${listOf<string>(e['values']).join(',')})`;
  });
  return [...equal, ...others].join(',');
}

/** The number of replicas that an object with `/scale` asks for; undefined where it has no such field. */
export const replicasOf = (object: KubeObject): number | undefined => {
  const { replicas } = specOf(object);
  return typeof replicas === 'number' ? replicas : undefined;
};
