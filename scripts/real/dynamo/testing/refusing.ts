import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ImageMap } from '../../../../src/doubles/images.ts';
import type { Program } from '../../../../src/embedded/programs.ts';
import type { Connection } from '../../../../src/cluster/rest.ts';
import { dynamoFacts } from '../../../../src/engines/dynamo/facts.ts';

const { plural } = dynamoFacts.record;

/** An API server between a Pod and the cluster's that lets nobody write discovery records, as for an account without the right. */
export interface Refusing {
  url: string;
  /** Where everything else goes. */
  upstream?: Connection;
  refused: number;
  /** Whether writes of records are refused. */
  on: boolean;
}

export async function startRefusing(t: TestContext): Promise<Refusing> {
  const server = createServer((incoming, outgoing) => {
    const writes = !['GET', 'HEAD'].includes(incoming.method ?? '') && incoming.url?.includes(`/${plural}`);
    if (writes && refusing.on) refuse(incoming, outgoing);
    else pass(incoming, outgoing);
  });
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    refusing.refused += 1;
    incoming.resume();
    const message = `${plural}.nvidia.com is forbidden: User "system:serviceaccount:q-trouble:chat" cannot write resource "${plural}"`;
    outgoing.writeHead(403, { 'content-type': 'application/json' });
    outgoing.end(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message }),
    );
  };
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { server: to = '', ca } = refusing.upstream ?? {};
    const { method, headers, url = '' } = incoming;
    const onward = request(new URL(url, to), { method, headers, ca, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const refusing: Refusing = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: 0,
    on: true,
  };
  return refusing;
}

/** The image of a worker whose program, started as `program`, finds that API server in its kubeconfig. */
export function over({ url }: Refusing, { file, args }: Program): ImageMap {
  const rewritten = `sed "s#http://[0-9.:]*#${url}#" "$KUBECONFIG" > "$QUIESCE_ROOT/over" && KUBECONFIG="$QUIESCE_ROOT/over" exec "$@"`;
  const python3 = { file: '/bin/sh', args: ['-c', rewritten, 'sh', file, ...args] };
  return { 'nvcr.io/nvidia/ai-dynamo/*-runtime:*': { commands: { python3 } } };
}
