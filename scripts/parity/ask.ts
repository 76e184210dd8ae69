import { WebSocket } from 'ws';
import { KubeError } from '../../src/cluster/errors.ts';
import { tlsOptions } from '../../src/cluster/rest.ts';
import type { KubeClient } from '../../src/cluster/rest.ts';

/** Milliseconds of the wall that one answer may take. */
const PATIENCE_MS = 60_000;

/** Milliseconds of the wall that a command in a container may take. */
const EXEC_MS = 20_000;

export interface Asked {
  status: number;
  /** The parsed body, or its text where it is no JSON. */
  body: unknown;
  warning?: string;
}

/** Sends one request as it is and answers whatever comes, a refusal too. @throws KubeError where nothing comes */
export function ask(
  client: KubeClient,
  method: string,
  path: string,
  { payload, type, accept }: { payload?: string | undefined; type?: string | undefined; accept?: string | undefined },
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const request = client.open(method, path, {
      ...(accept ? { accept } : {}),
      ...(payload === undefined
        ? {}
        : { 'content-type': type ?? 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
    });
    const fail = (cause: unknown) => reject(new KubeError(method, path, 0, undefined, cause));
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    request.on('error', fail);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', fail);
      response.on('end', () => {
        const { warning } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          body: parse(text),
          ...(warning === undefined ? {} : { warning: String(warning) }),
        });
      });
    });
    request.end(payload);
  });
}

/** Runs a command in a container; answers its output and the Status that ends it, or the refusal. */
export function execRaw(client: KubeClient, path: string): Promise<Record<string, unknown>> {
  const url = client.url(path);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const { token } = client.connection;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, ['v5.channel.k8s.io', 'v4.channel.k8s.io'], {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      perMessageDeflate: false,
      handshakeTimeout: PATIENCE_MS,
      ...tlsOptions(client.connection),
    });
    const timer = setTimeout(() => {
      resolve({ late: `the command did not end within ${EXEC_MS} ms` });
      socket.terminate();
    }, EXEC_MS);
    const out: Buffer[][] = [[], [], [], []];
    const text = (channel: number) => Buffer.concat(out[channel] ?? []).toString();
    socket.on('message', (data: Buffer) => out[data[0] ?? 0]?.push(data.subarray(1)));
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.on('end', () => resolve({ refused: response.statusCode, body: parse(body) }));
      response.on('error', reject);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ stdout: text(1), stderr: text(2), status: parse(text(3)) });
    });
  });
}

/** JSON as data, any other text as it is. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
