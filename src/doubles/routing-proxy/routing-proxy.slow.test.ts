import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';
import { bundleDoubles, start, type Started } from '../testing/bundled.ts';
import { type Exchange, exchange, freshAddress, tokens } from '../testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('routing-proxy', 'vllm')));
after(() => programs.remove());

interface Pod {
  engine: EngineUnderTest;
  proxy: Started;
  ask: (body: object, headers?: Record<string, string>) => Exchange;
  get: (path: string) => Exchange;
}

/** Runs `body` with a decoder: an engine at 8200 and the proxy at 8000 of one address. */
async function withDecoder(body: (pod: Pod) => Promise<void>): Promise<void> {
  const podIP = freshAddress();
  const kv = JSON.stringify({ kv_connector: 'MooncakeConnector', kv_role: 'kv_consumer' });
  const args = ['--port', '8200', '--kv-transfer-config', kv];
  const engine = await startEngine(programs.paths['vllm']!, { podIP, args, port: 8200 });
  const proxy = start(programs.paths['routing-proxy']!, ['--port=8000', '--model-server-port=8200'], { podIP });
  await proxy.line(/starting/);
  const at = { host: podIP, port: 8000, from: '127.0.0.9' };
  try {
    await body({
      engine,
      proxy,
      ask: (body, headers = {}) => exchange({ ...at, method: 'POST', path: '/v1/completions', body, headers }),
      get: (path) => exchange({ ...at, path }),
    });
  } finally {
    proxy.child.kill('SIGKILL');
    await Promise.all([engine.stop(), proxy.exited]);
  }
}

const long = { prompt: 'x', stream: true, max_tokens: 4000 };

describe('the routing proxy', { concurrency: 2 }, () => {
  test('passes a stream through as it comes, with its request id', () =>
    withDecoder(async ({ engine, ask }) => {
      const done = await ask({ prompt: 'x', stream: true, max_tokens: 3 }, { 'x-request-id': 'p-1' }).over;
      assert.equal(done.end, 'complete');
      assert.deepEqual(tokens(done.body), [0, 1, 2]);
      await engine.line(/Received request cmpl-p-1-0: /);
    }));

  test('SIGTERM: exits at once with 0, a stream ends without terminator, the engine goes on', () =>
    withDecoder(async ({ engine, proxy, ask }) => {
      const stream = ask(long);
      await stream.until((e) => tokens(e.body).length > 0);
      const at = performance.now();
      proxy.child.kill('SIGTERM');
      const end = await proxy.exited;
      assert.equal(end.code, 0);
      assert.ok(end.at - at < 500, `after ${end.at - at} ms`);
      assert.notEqual((await stream.over).end, 'complete');
      assert.equal((await engine.send('/health').over).status, 200);
    }));

  test('its own health says nothing of the engine: refused is 503, other paths pass', () =>
    withDecoder(async ({ engine, get, ask }) => {
      assert.equal((await get('/v1/models').over).status, 200);
      await engine.stop();
      assert.equal((await get('/health').over).status, 200);
      const refused = await ask(long).over;
      assert.equal(refused.status, 503);
      assert.match(refused.body, /"type":"ServiceUnavailable"/);
    }));

  test('a prefiller that is named is asked for one token first; its KV goes to the decoder', () =>
    withDecoder(async ({ engine, ask }) => {
      const kv = JSON.stringify({ kv_connector: 'MooncakeConnector', kv_role: 'kv_producer' });
      const prefiller = await startEngine(programs.paths['vllm']!, { args: ['--kv-transfer-config', kv] });
      try {
        const to = { 'x-prefiller-host-port': `${prefiller.host}:8000`, 'x-request-id': 'p-2' };
        const done = await ask({ prompt: 'x', stream: true, max_tokens: 3 }, to).over;
        assert.deepEqual([done.end, tokens(done.body)], ['complete', [0, 1, 2]]);
        await prefiller.line(/Received request cmpl-p-2-0: .*max_tokens=1\)/);
        await engine.line(/Received request cmpl-p-2-0: .*max_tokens=3\)/);
      } finally {
        await prefiller.stop();
      }
      const gone = await ask(long, { 'x-prefiller-host-port': `${prefiller.host}:8000` }).over;
      assert.deepEqual([gone.status, gone.body], [502, '']);
    }));
});
