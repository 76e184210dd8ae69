import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEngineLine } from '../../engines/log.ts';
import { type EngineOptions, type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';
import { bundleDoubles, start } from '../testing/bundled.ts';
import { events, tokens } from '../testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('sglang')));
after(() => programs.remove());

/** Runs `body` with a server of its own, ten times faster than documented. */
async function withServer(options: EngineOptions, body: (engine: EngineUnderTest) => Promise<void>): Promise<void> {
  const engine = await startEngine(programs.paths['sglang']!, { engine: 'SGLang', scale: 10, ...options });
  try {
    await body(engine);
  } finally {
    await engine.stop();
  }
}

const split = (mode: string): EngineOptions => ({ args: ['--disaggregation-mode', mode] });
const name = (gauge: string) => `sglang:num_${gauge}`;

/** Settles once exactly these gauges are above 0, with these values. */
async function only(engine: EngineUnderTest, wanted: Record<string, number>): Promise<void> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const seen = Object.fromEntries(Object.entries(await engine.gauges()).filter(([, value]) => value !== 0));
    if (JSON.stringify(seen) === JSON.stringify(wanted)) return;
    if (performance.now() > deadline) throw new Error(`gauges stay at ${JSON.stringify(seen)}`);
  }
}

/** Documented seconds from a signal to the exit of an engine, which it is sent now. */
async function exitAfterSignal(engine: EngineUnderTest): Promise<{ seconds: number; signal: string | null }> {
  const at = performance.now();
  engine.child.kill('SIGTERM');
  const { at: end, signal } = await engine.exited;
  return { seconds: (end - at) / 100, signal };
}

describe('what it serves', { concurrency: 2 }, () => {
  test('a stream with its rid, numbered tokens, finish reason and [DONE]; all six gauges from the start', () =>
    withServer({}, async (engine) => {
      assert.deepEqual(Object.values(await engine.gauges()), [0, 0, 0, 0, 0, 0]);
      const done = await engine.complete(4, { id: 'r-1' }).over;
      assert.equal(done.end, 'complete');
      assert.deepEqual(tokens(done.body), [0, 1, 2, 3]);
      const seen = events(done.body) as { id: string; choices: { finish_reason: string | null }[] }[];
      assert.deepEqual([seen[0]?.id, seen.at(-2)?.choices[0]?.finish_reason, seen.at(-1)], ['r-1', 'length', '[DONE]']);
      await engine.flushed();
      const marks = engine.lines.flatMap((line) => parseEngineLine(line) ?? []);
      assert.ok(marks.some((mark) => mark.mark === 'received' && mark.request === 'r-1'));
      assert.ok(marks.some((mark) => mark.mark === 'access' && mark.path === '/v1/completions'));
    }));

  test('/metrics is absent without --enable-metrics; python3 stands for nothing else', async () => {
    const bare = start(programs.paths['sglang']!, ['-m', 'sglang.launch_server', '--model-path', 'tiny'], {
      podIP: '127.0.0.1',
    });
    await bare.line(/ready to roll/);
    bare.child.kill('SIGKILL');
    const other = start(programs.paths['sglang']!, ['-c', 'print(1)']);
    assert.equal((await other.exited).code, 2);
    assert.match(other.lines.join(), /stands for "python3 -m sglang.launch_server" alone/);
  });

  test('a full batch queues; each of several ranks has its series', () =>
    withServer({ args: ['--max-running-requests', '1', '--dp-size', '2'] }, async (engine) => {
      engine.complete(4000);
      engine.complete(4000);
      await only(engine, { [name('running_reqs')]: 1, [name('queue_reqs')]: 1 });
      const page = (await engine.send('/metrics').over).body;
      assert.match(page, /^sglang:num_running_reqs\{dp_rank="0",engine_type="unified",.*\} 0$/m);
      assert.match(page, /^sglang:num_running_reqs\{dp_rank="1",engine_type="unified",.*\} 1$/m);
    }));
});

describe('where a request waits for its KV', { concurrency: 2 }, () => {
  test('a prefiller: in its transfer queue, after it has computed', () =>
    withServer(split('prefill'), async (engine) => {
      const one = engine.complete(1, { kv: 20 });
      await only(engine, { [name('prefill_inflight_queue_reqs')]: 1 });
      assert.equal(one.end, undefined);
      engine.complete(1, { kv: 300, queue: 'bootstrap' });
      await one.over;
      await only(engine, { [name('prefill_bootstrap_queue_reqs')]: 1 });
    }));

  test('a decoder: first for room, then for the transfer; a hang-up frees the queue', () =>
    withServer(split('decode'), async (engine) => {
      const one = engine.complete(1, { kv: 20 });
      await only(engine, { [name('decode_prealloc_queue_reqs')]: 1 });
      await only(engine, { [name('decode_transfer_queue_reqs')]: 1 });
      assert.equal((await one.over).end, 'complete');
      const two = engine.complete(1, { kv: 300, queue: 'queue' });
      await only(engine, { [name('queue_reqs')]: 1 });
      two.hangUp();
      await only(engine, {});
    }));

  test('a queue that a server does not have is a bad request', () =>
    withServer({}, async (engine) => {
      const done = await engine.complete(1, { kv: 1, queue: 'transfer' }).over;
      assert.equal(done.status, 400);
      assert.match(done.body, /a unified server has queue/);
    }));
});

describe('SIGTERM', { concurrency: 3 }, () => {
  test('idle, it kills itself within the 5 s of its watchdog', () =>
    withServer({}, async (engine) => {
      const { seconds, signal } = await exitAfterSignal(engine);
      assert.equal(signal, 'SIGKILL');
      assert.ok(seconds <= 5.8, `after ${seconds} s`);
    }));

  for (const mode of ['prefill', 'decode']) {
    test(`idle, a ${mode} server takes 15 s more`, () =>
      withServer(split(mode), async (engine) => {
        const { seconds, signal } = await exitAfterSignal(engine);
        assert.equal(signal, 'SIGKILL');
        assert.ok(seconds >= 15 - 0.1 && seconds <= 20.8, `after ${seconds} s`);
      }));
  }

  test('it drains without a deadline, takes new requests meanwhile, and /health says 503', () =>
    withServer({}, async (engine) => {
      const stream = engine.complete(100);
      await stream.until((e) => tokens(e.body).length > 0);
      engine.child.kill('SIGTERM');
      await engine.line(/SIGTERM received/);
      assert.equal((await engine.send('/health').over).status, 503);
      await engine.line(/Gracefully exiting\.\.\. Remaining number of requests 1\./);
      const late = engine.complete(2);
      assert.equal((await late.over).end, 'complete');
      assert.deepEqual([(await stream.over).end, tokens(stream.body).length], ['complete', 100]);
      assert.equal((await engine.exited).signal, 'SIGKILL');
    }));

  test('SGL_FORCE_SHUTDOWN skips the drain, not the 15 s of a split server', () =>
    withServer({ ...split('decode'), env: { SGL_FORCE_SHUTDOWN: '1' } }, async (engine) => {
      const stream = engine.complete(4000);
      await stream.until((e) => tokens(e.body).length > 0);
      const { seconds } = await exitAfterSignal(engine);
      assert.ok(seconds >= 15 - 0.1 && seconds <= 20.8, `after ${seconds} s`);
      assert.notEqual((await stream.over).end, 'complete');
    }));
});
