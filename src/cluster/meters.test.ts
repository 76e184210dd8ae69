import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import { now } from '../time/clock.ts';
import { FakeApi } from './api.testing.ts';
import { meterMachine } from './canary.ts';
import { recordOffset } from './clock-offset.ts';
import { sampleGauges } from './gauges.ts';
import { KubeClient } from './rest.ts';
import { meterCluster } from './stall.ts';

async function fakeApi(t: TestContext) {
  const api = new FakeApi();
  api.put('/readyz');
  const client = new KubeClient(await api.start());
  t.after(async () => {
    client.close();
    await api.stop();
  });
  return { api, client };
}

test('an API server that is slow, then away, is told as stalls that cover both', async (t) => {
  const { api, client } = await fakeApi(t);
  const stalls: [number, number][] = [];
  let look = () => undefined as void;
  const meter = meterCluster(client, (from, to) => {
    stalls.push([from, to]);
    look();
  });
  t.after(() => meter.stop());
  const covers = (from: number, to: number) => stalls.some((stall) => stall[0] <= from && stall[1] >= to);
  const until = async (from: number, to: number) => {
    while (!covers(from, to)) await new Promise<void>((resolve) => (look = resolve));
  };
  while (meter.summary().count === 0) await new Promise((resolve) => setTimeout(resolve, 5));

  const slow = await new Promise<{ from: number; to: number }>((resolve) => {
    api.answer = (_sent, _request, response) => {
      const from = now();
      api.answer = () => false;
      setTimeout(() => {
        resolve({ from, to: now() });
        response.end('ok');
      }, 60);
      return true;
    };
  });
  await until(slow.from, slow.to);
  const from = now();
  await api.stop();
  const to = now();
  while (client.calls < 6) await new Promise((resolve) => setTimeout(resolve, 5));
  await api.start();
  await until(from, to);
  assert.ok(meter.summary().max >= 60);
});

test('an API server that is still away at the end is a stall up to the end', async (t) => {
  const { api, client } = await fakeApi(t);
  const stalls: [number, number][] = [];
  const meter = meterCluster(client, (from, to) => stalls.push([from, to]));
  while (meter.summary().count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await api.stop();
  const { calls } = client;
  while (client.calls < calls + 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const end = now();
  meter.stop();
  assert.ok((stalls.at(-1)?.[1] ?? 0) >= end);
  await api.start();
});

test('the canary measures, on the clock of the harness, and stops', async () => {
  const from = now();
  const stalls: [number, number][] = [];
  const meter = meterMachine((a, b) => stalls.push([a, b]));
  const alive = setInterval(() => undefined, 50);
  while (meter.summary().count === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  meter.stop();
  clearInterval(alive);
  assert.ok(
    stalls.every(([a, b]) => a >= from && b > a && b <= now()),
    JSON.stringify(stalls),
  );
  assert.ok(meter.summary().p50 < 1000);
});

test('the offset of a clock on the same machine is bounded around zero', async (t) => {
  const { client } = await fakeApi(t);
  const recorder = new MemoryRecorder();
  const [lo, hi] = await recordOffset(client, 'node-1', recorder);
  assert.ok(lo <= 0 && hi >= 0, `[${lo}, ${hi}] does not hold 0`);
  assert.ok(hi - lo <= 1100, `[${lo}, ${hi}] is wide`);
  assert.deepEqual(recorder.of('clock.offset')[0]?.data, { node: 'node-1', offset: [lo, hi] });
});

const sum = (text: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, text.includes(name) ? Number(text.split(' ')[1]) : null]));

test('every try to read the gauges is recorded: answers, errors, hangs, refusals', async (t) => {
  let mode: 'ok' | 'fail' | 'hang' = 'ok';
  let from: string | undefined;
  const server: Server = createServer((request, response) => {
    from = request.socket.remoteAddress;
    if (mode === 'ok') response.end('running 3\n');
    if (mode === 'fail') response.writeHead(500).end('running 3\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder = new MemoryRecorder();
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port, subject: 'Pod/ns/a', uid: 'u', names: ['running', 'waiting'], sum };
  const sampler = sampleGauges({ ...target, everyMs: 10, timeoutMs: 50, recorder });
  t.after(() => sampler.stop());
  const next = async (status: number, error?: RegExp) => {
    const seen = recorder.events.length;
    return recorder.until(
      'gauges',
      (e) => e.seq >= seen && e.data.status === status && (!error || error.test(e.data.error ?? '')),
    );
  };
  const ok = await next(200);
  assert.deepEqual(ok.data.values, { running: 3, waiting: null });
  assert.ok(ok.at[1] - ok.at[0] === ok.data.durationMs);
  assert.equal(from, '127.0.0.9');
  mode = 'fail';
  assert.deepEqual((await next(500)).data.values, { running: null, waiting: null });
  mode = 'hang';
  const hung = await next(0, /no answer within 50 ms/);
  assert.ok(hung.data.durationMs >= 49);
  server.close();
  (server as ReturnType<typeof createServer>).closeAllConnections();
  await next(0, /ECONNREFUSED/);
  sampler.stop();
  const { length } = recorder.events;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(recorder.events.length, length);
});
