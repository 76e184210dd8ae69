import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { MemoryRecorder } from '../load/memory-recorder.ts';
import { TimeScale } from '../time/scale.ts';
import { DeadlineError, Live } from './live.ts';
import { measurePace, PACE } from './pace.ts';
import type { Scenario } from './scenario.ts';

const scale = new TimeScale(5);
const load: Scenario['load'] = {
  placed: [
    { name: 'open', to: { router: 'chat' }, starts: -2, ends: 30, copies: 2 },
    { name: 'later', to: { router: 'chat' }, starts: 3, ends: 30, copies: 5 },
    { name: 'over', to: { router: 'chat' }, starts: -5, ends: -1 },
  ],
};

/** An engine that knows of nothing but `max_tokens`, and writes words at a pace of its own. */
async function engine(t: TestContext, answer: (response: ServerResponse, tokens: number) => void) {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void request
      .setEncoding('utf8')
      .toArray()
      .then((parts) => {
        const body = JSON.parse(parts.join('')) as { max_tokens: number };
        bodies.push(body);
        answer(response, body.max_tokens);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const recorder = new MemoryRecorder();
  const measured = measurePace(load, {
    live: new Live(recorder),
    scale,
    model: 'some/model',
    resolve: () => ({ host: '127.0.0.1', port }),
  });
  return { measured, bodies, recorder };
}

test('the pace of an engine is that of its own tokens, with as many streams as are open when it counts', async (t) => {
  const spans: number[] = [];
  const { measured, bodies, recorder } = await engine(t, (response, tokens) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let n = 0;
    let first = 0;
    const timer = setInterval(() => {
      n += 1;
      first ||= performance.now();
      const last = n === tokens;
      response.write(
        `data: ${JSON.stringify({ choices: [{ text: ' word', finish_reason: last ? 'length' : null }] })}\n\n`,
      );
      if (!last) return;
      clearInterval(timer);
      spans.push((performance.now() - first) / (tokens - 1));
      response.end('data: [DONE]\n\n');
    }, 8);
  });
  const pace = scale.toMs((await measured) ?? NaN);
  const real = spans[0] ?? NaN;
  assert.ok(pace > real * 0.75 && pace < real * 1.33, `${pace} ms for ${real} ms`);
  assert.deepEqual(
    bodies.map(({ model, stream, ignore_eos, ...rest }) => [
      model,
      stream,
      ignore_eos,
      Object.keys(rest).sort().join(),
    ]),
    [1, 2].map(() => ['some/model', true, true, 'max_tokens,prompt,rid']),
  );
  const planned = recorder.of('request.planned');
  assert.deepEqual([...new Set(planned.map(({ data }) => data.group))], [PACE], 'the history tells of them');
});

test('an engine that refuses has no pace, and the reason says how it refused', async (t) => {
  const { measured } = await engine(t, (response) =>
    response.writeHead(404).end('{"error":{"message":"no such model"}}'),
  );
  await assert.rejects(measured, (error: Error) => {
    assert.ok(error instanceof DeadlineError);
    assert.match(error.message, /2 streams of 64 tokens; one ended with http-error.*404/);
    return true;
  });
});

test('without load there is nothing to measure', async () => {
  const measuring = {
    live: new Live(new MemoryRecorder()),
    scale,
    model: 'm',
    resolve: () => assert.fail('no address'),
  };
  assert.equal(await measurePace(undefined, measuring), undefined);
});
