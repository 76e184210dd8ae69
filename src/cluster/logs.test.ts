import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import { FakeApi } from './api.testing.ts';
import { LogCursor, splitStamp } from './log-stamp.ts';
import { recordLog } from './logs.ts';
import { KubeClient } from './rest.ts';

const POD = '/api/v1/namespaces/ns/pods/engine';
const stamped = (second: number, line: string, fraction = '') =>
  `2026-11-30T07:00:${String(second).padStart(2, '0')}${fraction}Z ${line}\n`;

/** A log that the test writes, from a fake API server; `sinceTime` is honoured in whole seconds, as a kubelet does. */
async function following(t: TestContext, running = true) {
  const api = new FakeApi();
  const client = new KubeClient(await api.start());
  api.put(POD);
  const written: string[] = [];
  const streams = new Set<ServerResponse>();
  const state = { running };
  const queries: (string | null)[] = [];
  api.answer = ({ path }, _request, response) => {
    const { pathname, searchParams } = new URL(path, 'http://fake');
    if (!pathname.endsWith('/log')) return false;
    const since = searchParams.get('sinceTime');
    queries.push(since);
    if (!state.running) {
      response.writeHead(400).end('{"message":"container is waiting to start: ContainerCreating"}');
      return true;
    }
    response.writeHead(200).flushHeaders();
    for (const text of written)
      if (!since || Date.parse(text.split(' ')[0] ?? '') >= Date.parse(since)) response.write(text);
    streams.add(response);
    return true;
  };
  const recorder = new MemoryRecorder();
  const log = recordLog(client, { namespace: 'ns', pod: 'engine', container: 'main', uid: 'uid-engine' }, recorder);
  t.after(async () => {
    log.stop();
    client.close();
    await api.stop();
  });
  const write = (text: string) => {
    written.push(text);
    for (const stream of streams) stream.write(text);
  };
  const cut = () => {
    for (const stream of streams) stream.socket?.destroy();
    streams.clear();
  };
  const end = () => {
    for (const stream of streams) stream.end();
    streams.clear();
  };
  const lines = () => recorder.of('log.line').map(({ data }) => data.line);
  const line = (text: string) => recorder.until('log.line', ({ data }) => data.line === text);
  return { api, recorder, log, write, cut, end, lines, line, state, queries };
}

test('begins as soon as the container runs, and takes the stamp off the line', async (t) => {
  const { recorder, write, line, state, queries } = await following(t, false);
  while (queries.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(recorder.events, []);
  state.running = true;
  await recorder.until('log.opened');
  write(stamped(1, 'INFO: Started server process [7]', '.123456789'));
  const { data, subject } = await line('INFO: Started server process [7]');
  assert.equal(data.stamp, '2026-11-30T07:00:01.123456789Z');
  assert.equal(subject, 'Pod/ns/engine');
});

test('resumes after a cut, from the last second on, and repeats and loses nothing', async (t) => {
  const { recorder, write, cut, lines, line, queries } = await following(t);
  await recorder.until('log.opened');
  for (const [second, text] of [
    [1, 'a'],
    [2, 'b'],
    [2, 'b'],
    [2, 'c'],
  ] as const)
    write(stamped(second, text));
  await line('c');
  cut();
  write(stamped(2, 'c'));
  write(stamped(2, 'd', '.5'));
  write(stamped(3, 'e'));
  await line('e');
  assert.deepEqual(lines(), ['a', 'b', 'b', 'c', 'c', 'd', 'e']);
  assert.equal(queries.at(-1), '2026-11-30T07:00:02.000Z');
  const kinds = recorder.events.map(({ kind }) => kind).filter((kind) => kind !== 'log.line');
  assert.deepEqual(kinds, ['log.opened', 'log.closed', 'log.opened']);
  const resumed = recorder.of('log.line').at(-1);
  const closed = recorder.of('log.closed')[0];
  assert.ok(resumed && closed && resumed.at[0] <= closed.at[1], 'a line that a cut hid may be as old as the cut');
});

test('goes on with the next life of a container, and is silent about the old one', async (t) => {
  const { recorder, write, end, lines, line, queries } = await following(t);
  await recorder.until('log.opened');
  write(stamped(1, 'first life'));
  await line('first life');
  end();
  while (queries.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  end();
  write(stamped(9, 'second life'));
  await line('second life');
  assert.deepEqual(lines(), ['first life', 'second life']);
  assert.deepEqual(
    recorder.of('log.closed').map(({ data }) => data.reason),
    ['ended'],
  );
  assert.equal(recorder.of('log.opened').length, 2);
});

test('ends with the Pod, and keeps last words without a newline', async (t) => {
  const { api, recorder, write, end, lines, line, log } = await following(t);
  await recorder.until('log.opened');
  write(stamped(1, 'bye'));
  write(stamped(2, 'killed').trimEnd());
  await line('bye');
  api.objects.delete(POD);
  end();
  await log.done;
  assert.deepEqual(lines(), ['bye', 'killed']);
  assert.deepEqual(
    recorder.of('log.closed').map(({ data }) => data.reason),
    ['ended'],
  );
});

test('a cut anywhere loses and repeats no line, whatever the stamps', () => {
  const steps = fc.array(fc.record({ gap: fc.constantFrom(0, 0, 1, 999, 2_000), cut: fc.boolean() }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (script) => {
      let ms = Date.parse('2026-11-30T07:00:00Z');
      const log: { text: string; ms: number }[] = [];
      const cursor = new LogCursor();
      const taken: string[] = [];
      const take = (text: string) => {
        const { stamp, line } = splitStamp(text);
        if (cursor.take(stamp)) taken.push(line);
      };
      for (const [i, { gap, cut }] of script.entries()) {
        ms += gap;
        const text = `${new Date(ms).toISOString()} line ${i}`;
        log.push({ text, ms });
        if (cut) {
          // This line comes only with the resumed log, together with what its `sinceTime` repeats.
          const since = cursor.since === undefined ? -Infinity : Date.parse(cursor.since);
          cursor.reopened();
          for (const entry of log) if (entry.ms >= since) take(entry.text);
        } else take(text);
      }
      assert.deepEqual(
        taken,
        script.map((_, i) => `line ${i}`),
      );
    }),
    { numRuns: 2000 },
  );
});

test('stamps are compared by value, not by text', () => {
  const ns = (text: string) => splitStamp(`${text} x`).stamp?.ns ?? assert.fail();
  assert.ok(ns('2026-11-30T07:00:00.1Z') < ns('2026-11-30T07:00:00.12Z'));
  assert.equal(ns('2026-11-30T07:00:00Z'), ns('2026-11-30T08:00:00.000+01:00'));
  assert.deepEqual(splitStamp('no stamp here'), { stamp: undefined, line: 'no stamp here' });
});
