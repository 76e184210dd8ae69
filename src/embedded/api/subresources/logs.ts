import type { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Call } from '../context.ts';
import { forbiddenField, invalidValue } from '../causes.ts';
import { invalid, methodNotAllowed, noSuchPath } from '../errors.ts';
import type { Cause } from '../errors.ts';
import type { LogOptions } from '../../kubelet-api.ts';
import { flag, wholeNumber } from '../request-info.ts';
import { existing } from '../typed.ts';
import { containerOf, kubeletRefusal } from './container.ts';

/** `GET pods/NAME/log`. */
export async function podLog(call: Call): Promise<void> {
  if (call.request.method !== 'GET') throw methodNotAllowed();
  const { api, response } = call;
  const options = logOptions(call);
  const ref = containerOf(call);
  if (!ref) {
    response.writeHead(204, { 'content-type': 'text/plain' });
    response.end();
    return;
  }
  await pipe(response, () => api.kubelet.logs(ref, options));
}

/** @throws ApiError 400 for what is no number, 422 for a number or a combination that means nothing */
function logOptions({ query, name }: Call): LogOptions {
  const given = numbers(query);
  const time = query.get('sinceTime');
  const causes: Cause[] = [];
  if (given.tailLines !== undefined && given.tailLines < 0) {
    causes.push(invalidValue('tailLines', given.tailLines, 'must be greater than or equal to 0'));
  }
  if (given.limitBytes !== undefined && given.limitBytes < 1) {
    causes.push(invalidValue('limitBytes', given.limitBytes, 'must be greater than 0'));
  }
  if (given.sinceSeconds !== undefined && time) {
    causes.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (given.sinceSeconds !== undefined && given.sinceSeconds < 1) {
    causes.push(invalidValue('sinceSeconds', given.sinceSeconds, 'must be greater than 0'));
  }
  if (query.has('stream')) causes.push(forbiddenField('stream', 'may not be specified'));
  if (causes.length > 0) throw invalid({ group: '', plural: 'pods', kind: 'PodLogOptions' }, name, causes);
  const on = (flagName: string) => query.has(flagName) && flag(query, flagName);
  return {
    follow: on('follow'),
    timestamps: on('timestamps'),
    previous: on('previous'),
    ...given,
    ...(time ? { sinceTime: Date.parse(time) } : {}),
  };
}

function numbers(query: URLSearchParams): Partial<LogOptions> {
  const result: Partial<LogOptions> = {};
  for (const name of ['tailLines', 'sinceSeconds', 'limitBytes'] as const) {
    const value = wholeNumber(query, name);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** `GET nodes/NAME/proxy/logs/kubelet.log`: the only path of a kubelet that is served. */
export async function nodeProxy(call: Call): Promise<void> {
  if (call.request.method !== 'GET') throw methodNotAllowed();
  existing(call);
  if (call.rest.join('/') !== 'logs/kubelet.log') throw noSuchPath();
  await pipe(call.response, () => call.api.kubelet.kubeletLog(call.name));
}

/** Sends a stream of text; what fails before its first byte is a Status, what fails later cuts the answer. */
async function pipe(response: ServerResponse, open: () => Promise<Readable>): Promise<void> {
  let stream: Readable;
  try {
    stream = await open();
  } catch (error) {
    throw kubeletRefusal(error);
  }
  if (response.destroyed) {
    stream.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
  response.on('close', () => stream.destroy());
  stream.on('error', () => response.destroy());
  stream.pipe(response);
}
