import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEngineLine, type EngineLine } from '../../engines/log.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { events, exchange, tokens } from '../testing/wire.ts';
import { type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';

type Chunk = { id: string; choices: { finish_reason: string | null }[]; usage?: { completion_tokens: number } };

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
let engine: EngineUnderTest;
before(async () => {
  programs = await bundleDoubles('vllm');
  engine = await startEngine(programs.paths['vllm']!);
});
after(async () => {
  await engine.stop();
  programs.remove();
});

const last = <T>(list: T[]): T => list[list.length - 1]!;
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

describe('generations', () => {
  test('a stream has one event a token, its id, a finish reason, [DONE] and its terminator', async () => {
    const done = await engine.complete(8, { id: 'r-1' }).over;
    const seen = events(done.body);
    assert.equal(done.end, 'complete');
    assert.deepEqual(tokens(done.body), numbers(8));
    assert.equal(last(seen), '[DONE]');
    const chunks = seen.slice(0, -1) as Chunk[];
    assert.ok(chunks.every((chunk) => chunk.id === 'cmpl-r-1'));
    assert.deepEqual(
      chunks.map((chunk) => chunk.choices[0]?.finish_reason ?? null),
      [...Array<null>(7).fill(null), 'length'],
    );
    await engine.flushed();
    const marks = engine.lines.map(parseEngineLine).filter((mark): mark is EngineLine => mark !== undefined);
    assert.ok(marks.some((mark) => mark.mark === 'received' && mark.request === 'r-1'));
    assert.ok(marks.some((mark) => mark.mark === 'access' && mark.path === '/v1/completions' && mark.status === 200));
  });

  test('tokens come at their scheduled times and no earlier', async () => {
    const done = await engine.complete(20, { tokenSeconds: 0.5 }).over;
    const step = 500 / 5;
    assert.ok(done.times[0]! >= step - 2, `first after ${done.times[0]}`);
    assert.ok(last(done.times) >= 20 * step - 2, `last after ${last(done.times)}`);
    assert.ok(last(done.times) < 20 * step + 1000, `last after ${last(done.times)}`);
  });

  test('chat streams begin with the role and count usage on request', async () => {
    const body = {
      messages: [{ role: 'user', content: 'wait drain' }],
      stream: true,
      max_tokens: 3,
      stream_options: { include_usage: true },
    };
    const done = await engine.send('/v1/chat/completions', body, { 'x-request-id': 'c-1' }).over;
    const seen = events(done.body) as Chunk[];
    assert.equal(seen.length, 1 + 3 + 1 + 1);
    assert.deepEqual(tokens(done.body), numbers(3));
    assert.equal(seen[4]?.usage?.completion_tokens, 3);
    await engine.line(/Received request chatcmpl-c-1: /);
  });

  test('without streaming the answer is one object', async () => {
    const done = await engine.complete(4, { stream: false }).over;
    const body = JSON.parse(done.body) as Chunk & { choices: { text: string }[] };
    assert.equal(body.choices[0]?.text, ' t0 t1 t2 t3');
    assert.equal(body.choices[0]?.finish_reason, 'length');
    assert.equal(body.usage?.completion_tokens, 4);
  });

  test('stop_after ends with stop', async () => {
    const done = await engine.send('/v1/completions', {
      prompt: 'x',
      stream: true,
      max_tokens: 9,
      quiesce: { stop_after: 2, token_seconds: 0 },
    }).over;
    assert.deepEqual(tokens(done.body), [0, 1]);
    assert.equal((events(done.body)[1] as Chunk).choices[0]?.finish_reason, 'stop');
  });
});

describe('bad requests', () => {
  const cases: [name: string, body: unknown, status: number, text: RegExp][] = [
    ['no JSON', '{"prompt":', 400, /JSON decode error/],
    ['no object', '[]', 400, /valid dictionary/],
    ['no prompt', { max_tokens: 1 }, 400, /Field required/],
    ['a count below 1', { prompt: 'x', max_tokens: 0 }, 400, /max_tokens/],
    ['a count that is no number', { prompt: 'x', max_tokens: 'many' }, 400, /max_tokens/],
    ['a negative time', { prompt: 'x', quiesce: { token_seconds: -1 } }, 400, /token_seconds/],
    ['an unknown model', { prompt: 'x', model: 'other' }, 404, /does not exist/],
  ];
  for (const [name, body, status, text] of cases) {
    test(name, async () => {
      const done = await engine.send('/v1/completions', body).over;
      assert.equal(done.status, status);
      assert.match((JSON.parse(done.body) as { error: { message: string } }).error.message, text);
    });
  }
  test('unknown paths and wrong methods', async () => {
    assert.equal((await engine.send('/nothing').over).status, 404);
    assert.equal((await engine.send('/v1/completions').over).status, 405);
    assert.equal((await engine.send('/health').over).status, 200);
    assert.match((await engine.send('/v1/models').over).body, /"id":"tiny"/);
    assert.equal((await engine.send('/version').over).status, 200);
  });
  test('a body that is never finished harms nobody', async () => {
    const half = exchange({
      host: engine.host,
      port: engine.port,
      method: 'POST',
      path: '/v1/completions',
      headers: { 'content-length': '100' },
    });
    half.hangUp();
    assert.equal((await engine.send('/health').over).status, 200);
  });
});

describe('queues and gauges', () => {
  test('both gauges are there from the start, each in the label order engine, model_name', async () => {
    const page = (await engine.send('/metrics').over).body;
    assert.match(page, /^vllm:num_requests_running\{engine="0",model_name="tiny"\} 0$/m);
    assert.match(page, /^vllm:num_requests_waiting_by_reason\{engine="0",model_name="tiny",reason="deferred"\} 0$/m);
    assert.match(page, /^vllm:request_success_total\{engine="0",finished_reason="abort",model_name="tiny"\} 0$/m);
  });

  test('a client that hangs up frees its slot at once', async () => {
    const stream = engine.complete(4000);
    await stream.until((e) => tokens(e.body).length > 0);
    await engine.settled(1, 0);
    stream.hangUp();
    await engine.settled(0, 0);
  });

  test('beyond the batch limit requests wait, and start when a slot is free', async () => {
    const small = await startEngine(programs.paths['vllm']!, { args: ['--max-num-seqs', '1'] });
    try {
      const first = small.complete(4000);
      await first.until((e) => tokens(e.body).length > 0);
      const second = small.complete(2);
      await small.settled(1, 1);
      assert.match(
        (await small.send('/metrics').over).body,
        /by_reason\{engine="0",model_name="tiny",reason="capacity"\} 1$/m,
      );
      first.hangUp();
      assert.deepEqual(tokens((await second.over).body), [0, 1]);
    } finally {
      await small.stop();
    }
  });

  test('a request that waits for its KV is waiting, not running', async () => {
    const stream = engine.complete(1, { kv: 2 });
    await engine.settled(0, 1);
    const done = await stream.over;
    assert.ok(done.times[0]! >= (2 + 0.25) * 200 - 2, `first token after ${done.times[0]}`);
  });

  test('with several ranks the highest works and all are shown', async () => {
    const ranked = await startEngine(programs.paths['vllm']!, { behaviour: { ranks: 2 } });
    try {
      const stream = ranked.complete(4000);
      await stream.until((e) => tokens(e.body).length > 0);
      const page = (await ranked.send('/metrics').over).body;
      assert.match(page, /^vllm:num_requests_running\{engine="0",model_name="tiny"\} 0$/m);
      assert.match(page, /^vllm:num_requests_running\{engine="1",model_name="tiny"\} 1$/m);
      stream.hangUp();
    } finally {
      await ranked.stop();
    }
  });
});
