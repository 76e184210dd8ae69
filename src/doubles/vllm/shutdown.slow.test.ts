import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEngineLine } from '../../engines/log.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { type Exchange, events, exchange, tokens } from '../testing/wire.ts';
import { type EngineOptions, type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm')));
after(() => programs.remove());

/** Runs `body` with an engine of its own, which does not outlive it. */
async function withEngine(options: EngineOptions, body: (engine: EngineUnderTest) => Promise<void>): Promise<void> {
  const engine = await startEngine(programs.paths['vllm']!, options);
  try {
    await body(engine);
  } finally {
    await engine.stop();
  }
}

const flowing = async (stream: Exchange): Promise<Exchange> => {
  await stream.until((e) => tokens(e.body).length > 0);
  return stream;
};
const signalled = (engine: EngineUnderTest) => engine.line(/shutdown triggered/);
const finishOf = (body: string) =>
  (events(body).at(-2) as { choices: { finish_reason: string }[] }).choices[0]?.finish_reason;

/** Asks until the listener refuses; answers every status and error seen before that. */
async function untilRefused(engine: EngineUnderTest, path: string, body?: unknown): Promise<(number | string)[]> {
  const seen: (number | string)[] = [];
  for (;;) {
    const done = await engine.send(path, body).over;
    if (done.end === 'ECONNREFUSED') return seen;
    seen.push(done.status || (done.end ?? ''));
  }
}

describe('SIGTERM by default', { concurrency: 3 }, () => {
  test('flush: abort as finish reason, [DONE], terminator, exit 0; running and waiting alike', () =>
    withEngine({ args: ['--max-num-seqs', '1'] }, async (engine) => {
      const running = await flowing(engine.complete(4000));
      const waiting = engine.complete(4000);
      const whole = engine.complete(4000, { stream: false });
      await engine.settled(1, 2);
      engine.child.kill('SIGTERM');
      for (const stream of [await running.over, await waiting.over]) {
        assert.equal(stream.end, 'complete');
        assert.equal(finishOf(stream.body), 'abort');
        assert.equal(events(stream.body).at(-1), '[DONE]');
      }
      assert.match((await whole.over).body, /"finish_reason":"abort"/);
      assert.deepEqual((await engine.exited).code, 0);
      assert.equal(engine.lines.filter((line) => parseEngineLine(line)?.mark === 'signalled').length, 1);
    }));

  test('error: the engine-dead frame, [DONE], terminator, exit 0', () =>
    withEngine({ behaviour: { abort: 'error' } }, async (engine) => {
      const stream = await flowing(engine.complete(4000));
      engine.child.kill('SIGINT');
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      assert.deepEqual(events(done.body).slice(-2), [
        {
          error: {
            message: 'EngineCore encountered an issue. See stack trace (above) for the root cause.',
            type: 'InternalServerError',
            param: null,
            code: 500,
          },
        },
        '[DONE]',
      ]);
      assert.equal((await engine.exited).code, 0);
    }));

  test('silence: not a byte, listener closed, alive until the last client leaves', () =>
    withEngine({ behaviour: { abort: 'silence' } }, async (engine) => {
      const stream = await flowing(engine.complete(4000));
      engine.child.kill('SIGTERM');
      await signalled(engine);
      await untilRefused(engine, '/health');
      const before = stream.body;
      engine.child.kill('SIGTERM'); // a second one does nothing
      await assert.rejects(
        Promise.race([stream.over.then(() => 'ended'), engine.exited, refusedFor(engine, 400)]),
        /still silent/,
      );
      assert.equal(stream.body, before);
      assert.equal(stream.end, undefined);
      stream.hangUp();
      assert.equal((await engine.exited).code, 0);
    }));

  test('new requests get 500 until the listener closes, then are refused', () =>
    withEngine({ behaviour: { exitSeconds: 20 }, scale: 1 }, async (engine) => {
      engine.child.kill('SIGTERM');
      await signalled(engine);
      const first = await engine.complete(1).over;
      assert.equal(first.status, 500);
      assert.match(first.body, /cannot schedule new futures after shutdown/);
      const seen = await untilRefused(engine, '/health');
      assert.ok(
        seen.every((status) => [200, 'ECONNRESET', 'fin'].includes(status)),
        `${seen.join()}`,
      );
    }));

  test('exits so many documented seconds after the signal', () =>
    withEngine({ behaviour: { exitSeconds: 3 } }, async (engine) => {
      const at = performance.now();
      engine.child.kill('SIGTERM');
      const end = await engine.exited;
      assert.ok(end.at - at >= 600 - 5, `after ${end.at - at} ms`);
      assert.equal(end.code, 0);
    }));

  test('told to ignore it, it logs the signal and goes on serving', () =>
    withEngine({ behaviour: { ignoreSigterm: true } }, async (engine) => {
      const stream = await flowing(engine.complete(12));
      engine.child.kill('SIGTERM');
      await signalled(engine);
      assert.equal((await stream.over).end, 'complete');
      assert.equal((await engine.complete(1).over).status, 200);
    }));
});

describe('SIGTERM with --shutdown-timeout', { concurrency: 3 }, () => {
  test('running and waiting requests complete, new ones get 500, health stays 200', () =>
    withEngine(
      { args: ['--shutdown-timeout', '60', '--max-num-seqs', '1'], behaviour: { exitSeconds: 1 } },
      async (engine) => {
        const running = await flowing(engine.complete(12));
        const waiting = engine.complete(6);
        await engine.settled(1, 1);
        engine.child.kill('SIGTERM');
        await signalled(engine);
        const late = await engine.complete(1).over;
        assert.equal(late.status, 500);
        assert.match(late.body, /cannot schedule new futures after shutdown/);
        assert.equal((await engine.send('/health').over).status, 200);
        assert.equal((await engine.gauges())['vllm:num_requests_running'], 1);
        assert.equal(finishOf((await running.over).body), 'length');
        assert.equal(finishOf((await waiting.over).body), 'length');
        assert.equal((await engine.exited).code, 0);
      },
    ));

  test('past the limit it goes silent and stays', () =>
    withEngine({ args: ['--shutdown-timeout', '2'] }, async (engine) => {
      const stream = await flowing(engine.complete(4000));
      engine.child.kill('SIGTERM');
      await engine.line(/Waiting for connections to close/);
      const before = stream.body;
      await assert.rejects(
        Promise.race([stream.over.then(() => 'ended'), engine.exited, refusedFor(engine, 400)]),
        /still silent/,
      );
      assert.equal(stream.body, before);
      stream.hangUp();
      assert.equal((await engine.exited).code, 0);
    }));
});

describe('faults', { concurrency: 3 }, () => {
  const hookReads = (engine: EngineUnderTest) =>
    exchange({ host: engine.host, port: engine.port, path: '/metrics', from: engine.host }).over;

  test('engine-drops-at-first-read: streams end without a word, gauges go on', () =>
    withEngine({ faults: ['engine-drops-at-first-read'] }, async (engine) => {
      const stream = await flowing(engine.complete(4000));
      await engine.gauges(); // the harness's own read does nothing
      assert.equal(stream.end, undefined);
      await hookReads(engine);
      assert.equal((await stream.over).end, 'fin');
      assert.equal((await engine.gauges())['vllm:num_requests_running'], 1);
    }));

  test('engine-cuts-early: cut in its last second, once a hook has read', () =>
    withEngine({ faults: ['engine-cuts-early'] }, async (engine) => {
      assert.equal((await engine.complete(6).over).end, 'complete');
      const stream = await flowing(engine.complete(12));
      await hookReads(engine);
      assert.equal((await stream.over).end, 'fin');
      assert.deepEqual(tokens(stream.body).at(-1), 7);
      await engine.settled(0, 0);
    }));

  test('engine-gauge-lies-zero', () =>
    withEngine({ faults: ['engine-gauge-lies-zero'] }, async (engine) => {
      await flowing(engine.complete(4000));
      const seen = await engine.gauges();
      assert.deepEqual(seen, { 'vllm:num_requests_running': 0, 'vllm:num_requests_waiting': 0 });
      assert.match((await engine.send('/metrics').over).body, /vllm:num_requests_waiting_by_reason/);
    }));

  test('engine-slow-exit: stays until it is killed', () =>
    withEngine({ faults: ['engine-slow-exit'] }, async (engine) => {
      engine.child.kill('SIGTERM');
      await signalled(engine);
      await untilRefused(engine, '/health');
      await assert.rejects(Promise.race([engine.exited, refusedFor(engine, 800)]), /still silent/);
      engine.child.kill('SIGKILL');
      assert.equal((await engine.exited).signal, 'SIGKILL');
    }));
});

/** Rejects once the listener has refused for so long: time is what this is about, so there is no fact to wait on. */
async function refusedFor(engine: EngineUnderTest, ms: number): Promise<never> {
  const until = performance.now() + ms;
  while (performance.now() < until) assert.equal((await engine.send('/health').over).end, 'ECONNREFUSED');
  throw new Error('still silent');
}
