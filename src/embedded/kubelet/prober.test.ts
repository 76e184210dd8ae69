import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { TimeScale } from '../../time/scale.ts';
import { KUBELET_ADDRESS } from './http-get.ts';
import type { Probe } from './pod.ts';
import { keepProbing, type ProbeResult } from './prober.ts';
import { StartError } from './sandbox.ts';
import { until } from './testing/scratch.ts';

const scale = new TimeScale(20);

/** Starts a server whose answers are the statuses of the list, the last one for ever; 0 never answers. */
async function serve(t: TestContext, statuses: number[]): Promise<{ port: number; seen: string[]; server: Server }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.socket.remoteAddress} ${request.url} ${request.headers['user-agent']}`);
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
    if (status > 0) response.writeHead(status).end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen, server };
}

function probing(t: TestContext, probe: Probe, port: number, exec: number[] = []) {
  const over = new AbortController();
  t.after(() => over.abort());
  const results: ProbeResult[] = [];
  const failures: string[] = [];
  void keepProbing({
    probe,
    probed: {
      spec: { name: 'main', image: 'x', ports: [{ name: 'web', containerPort: port }] },
      place: { podIP: '127.0.0.1', hostIP: '127.0.0.1' },
      run: async () => ({ code: exec.shift() ?? 0, output: 'said' }),
    },
    scale,
    signal: over.signal,
    changed: (result) => results.push(result),
    failed: (problem) => failures.push(problem),
  });
  return { results, failures };
}

test('the first probe comes at once; the result changes at its threshold', async (t) => {
  const { port, seen } = await serve(t, [200, 500, 500, 503, 399]);
  const { results, failures } = probing(t, { httpGet: { port: 'web', path: 'ready' }, periodSeconds: 1 }, port);
  await until('three results', () => results.length >= 3);
  assert.deepEqual(results, [
    { healthy: true },
    { healthy: false, problem: 'HTTP probe failed with statuscode: 503' },
    { healthy: true },
  ]);
  assert.equal(failures.length, 3);
  assert.equal(seen[0], `${KUBELET_ADDRESS} /ready kube-probe/1.34`);
});

test('a probe that gets no answer fails at its timeout', async (t) => {
  const { port } = await serve(t, [0]);
  const { failures } = probing(t, { httpGet: { port, path: '/' }, failureThreshold: 1 }, port);
  await until('a failure', () => failures.length > 0);
  assert.match(failures[0] ?? '', /deadline exceeded/);
});

test('tcpSocket and exec', async (t) => {
  const { port, server } = await serve(t, [200]);
  const tcp = probing(t, { tcpSocket: { port: 'web' }, periodSeconds: 1, failureThreshold: 1 }, port);
  const exec = probing(t, { exec: { command: ['look'] }, periodSeconds: 1, failureThreshold: 1 }, port, [0, 3]);
  await until('both healthy', () => tcp.results.length > 0 && exec.results.length >= 2);
  assert.deepEqual(exec.results.slice(0, 2), [{ healthy: true }, { healthy: false, problem: 'said' }]);
  assert.deepEqual(tcp.results[0], { healthy: true });
  server.close();
  // A connection that was on its way when the server closed is reset; those after it are refused.
  const refused = /^dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/;
  await until('refused', () => tcp.failures.some((problem) => refused.test(problem)));
  assert.equal(tcp.results[1]?.healthy, false);
});

test('a probe that could not be made says nothing of the container', async (t) => {
  const over = new AbortController();
  t.after(() => over.abort());
  const problems: string[] = [];
  void keepProbing({
    probe: { exec: { command: ['none'] }, periodSeconds: 1, failureThreshold: 1 },
    probed: {
      spec: { name: 'main', image: 'x' },
      place: { podIP: '127.0.0.1', hostIP: '127.0.0.1' },
      run: () => Promise.reject(new StartError('none')),
    },
    scale,
    signal: over.signal,
    changed: () => assert.fail('the result changed'),
    failed: () => assert.fail('the probe counted as failed'),
    errored: ({ message }) => problems.push(message),
  });
  await until('two tries', () => problems.length >= 2);
});

test('an unknown port name is a failure, not a crash', async (t) => {
  const { failures } = probing(t, { httpGet: { port: 'nope' } }, 1);
  await until('a failure', () => failures.length > 0);
  assert.match(failures[0] ?? '', /couldn't find port: name "nope"/);
});
