import { WebSocket } from 'ws';
import { KubeError } from './errors.ts';
import { tlsOptions } from './rest.ts';
import type { KubeClient } from './rest.ts';

export interface ExecResult {
  /** Exit code of the command. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Newest first: the API server takes the first one that it knows. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** First byte of each message. */
const channel = { stdout: 1, stderr: 2, status: 3 } as const;

export interface ExecOptions {
  /** Milliseconds until the command is given up. Default 30 000. */
  timeoutMs?: number;
}

/**
 * Runs a command in a container, without a shell and without input, and waits for its end.
 * @throws KubeError where the API server refuses, the command cannot be started, or no answer comes in time
 */
export function execInPod(
  client: KubeClient,
  namespace: string,
  pod: string,
  container: string,
  command: readonly string[],
  { timeoutMs = 30_000 }: ExecOptions = {},
): Promise<ExecResult> {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' });
  for (const word of command) query.append('command', word);
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query.toString()}`;
  const url = client.url(path);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const { token } = client.connection;
  client.calls += 1;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, PROTOCOLS, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      perMessageDeflate: false,
      ...tlsOptions(client.connection),
    });
    const out: Record<number, Buffer[]> = { [channel.stdout]: [], [channel.stderr]: [], [channel.status]: [] };
    const text = (number: number) => Buffer.concat(out[number] ?? []).toString();
    const fail = (status: number, body: unknown, cause?: unknown) => {
      clearTimeout(timer);
      reject(new KubeError('GET', path, status, body, cause));
      socket.terminate();
    };
    const timer = setTimeout(
      () => fail(0, undefined, new Error(`the command did not end within ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.on('message', (data: Buffer) => out[data[0] ?? -1]?.push(data.subarray(1)));
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString()));
      response.on('end', () => fail(response.statusCode ?? 0, parse(body) ?? body));
    });
    socket.on('error', (error) => fail(0, undefined, error));
    socket.on('close', (code) => {
      const status = parse(text(channel.status)) as Status | undefined;
      if (!status) return fail(0, undefined, new Error(`the connection closed (${code}) without the command's status`));
      const exit = exitCode(status);
      if (exit === undefined) return fail(status.code ?? 500, status);
      clearTimeout(timer);
      resolve({ code: exit, stdout: text(channel.stdout), stderr: text(channel.stderr) });
    });
  });
}

interface Status {
  status?: string;
  reason?: string;
  message?: string;
  code?: number;
  details?: { causes?: { reason?: string; message?: string }[] };
}

/** Undefined where the command did not run to an exit of its own. */
function exitCode({ status, reason, details }: Status): number | undefined {
  if (status === 'Success') return 0;
  if (reason !== 'NonZeroExitCode') return undefined;
  const code = Number(details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message);
  return Number.isInteger(code) ? code : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
