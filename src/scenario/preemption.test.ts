import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { scenarioById } from '../../suites/scenarios.ts';
import { GuardedClient } from '../cluster/guard.ts';
import { OWNED_LABEL } from '../cluster/ownership.ts';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import type { Environment } from './environment.ts';
import { Live } from './live.ts';
import { untilAdmitted } from './preemption.ts';

/** An API server whose admission hears of the priority class after so many questions. */
async function server(t: TestContext, deaf: number, refusal = 'no PriorityClass with name q-x-urgent was found') {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    request.resume();
    const own = { kind: 'Namespace', metadata: { name: 'q-x', labels: { [OWNED_LABEL]: 'run' } } };
    if (request.method === 'GET') return void response.end(JSON.stringify(own));
    asked.push(`${request.method} ${request.url}`);
    if (asked.length > deaf) return void response.writeHead(201).end('{"metadata":{"name":"urgent"}}');
    const status = { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message: refusal };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(status));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const client = new GuardedClient({ server: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }, 'run');
  t.after(() => {
    client.close();
    http.close();
  });
  const env = { client, namespace: 'q-x', runId: 'run' } as unknown as Environment;
  const ask = (id: string) => untilAdmitted(scenarioById(id)!, env, new Live(new MemoryRecorder()));
  return { asked, ask };
}

test('a Pod that preempts is asked about until the API server knows its class, and never created', async (t) => {
  const { asked, ask } = await server(t, 2);
  await ask('preemption-drains');
  assert.deepEqual(new Set(asked), new Set(['POST /api/v1/namespaces/q-x/pods?dryRun=All']));
  assert.equal(asked.length, 3);
});

test('a scenario that does not preempt asks nothing', async (t) => {
  const { asked, ask } = await server(t, 0);
  await ask('delete-drains');
  assert.deepEqual(asked, []);
});
