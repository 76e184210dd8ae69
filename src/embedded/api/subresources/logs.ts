import type { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Call } from '../context.ts';
import { methodNotAllowed, noSuchPath } from '../errors.ts';
import type { LogOptions } from '../../kubelet-api.ts';
import { flag, wholeNumber } from '../request-info.ts';
import { existing } from '../typed.ts';
import { containerOf, kubeletRefusal } from './container.ts';

/** `GET pods/NAME/log`. */
export async function podLog(call: Call): Promise<void> {
  if (call.request.method !== 'GET') throw methodNotAllowed();
  const { query, api, response } = call;
  const ref = containerOf(call);
  if (!ref) {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end();
    return;
  }
  const options: LogOptions = {
    follow: query.has('follow') && flag(query, 'follow'),
    timestamps: query.has('timestamps') && flag(query, 'timestamps'),
    previous: query.has('previous') && flag(query, 'previous'),
    ...numbers(query),
  };
  await pipe(response, () => api.kubelet.logs(ref, options));
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
