import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseEngineLine } from '../../engines/log.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { exchange, tokens } from '../testing/wire.ts';
import { type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
let plain: EngineUnderTest;
let secure: EngineUnderTest;
before(async () => {
  programs = await bundleDoubles('vllm');
  const path = programs.paths['vllm']!;
  [plain, secure] = await Promise.all([
    startEngine(path),
    startEngine(path, {
      args: ['--ssl-keyfile', '/none/key', '--ssl-certfile=/none/cert'],
      secure: true,
      behaviour: { decoyPort: 8001 },
    }),
  ]);
});
after(async () => {
  await Promise.all([plain.stop(), secure.stop()]);
  programs.remove();
});

describe('control of the metrics', () => {
  test('fail-http answers 500', async () => {
    assert.equal(await plain.control('fail-http'), 204);
    assert.equal((await plain.send('/metrics').over).status, 500);
    assert.equal((await plain.send('/health').over).status, 200);
    await plain.control('normal');
    assert.equal((await plain.send('/metrics').over).status, 200);
  });

  test('garbage makes the summed gauges unparsable and no other', async () => {
    await plain.control('garbage');
    assert.deepEqual(await plain.gauges(), { 'vllm:num_requests_running': null, 'vllm:num_requests_waiting': null });
    const page = (await plain.send('/metrics').over).body;
    assert.match(page, /^vllm:num_requests_running\{engine="0",model_name="tiny"\} banana$/m);
    assert.match(page, /^vllm:num_requests_waiting_by_reason\{.*\} 0$/m);
    await plain.control('normal');
  });

  test('partial leaves out the last summed gauge alone', async () => {
    await plain.control('partial');
    const page = (await plain.send('/metrics').over).body;
    assert.match(page, /^vllm:num_requests_running\{/m);
    assert.doesNotMatch(page, /^vllm:num_requests_waiting\{/m);
    assert.match(page, /^vllm:num_requests_waiting_by_reason\{/m);
    await plain.control('normal');
  });

  test('huge serves the gauges in more than 1 MiB', async () => {
    await plain.control('huge');
    const page = (await plain.send('/metrics').over).body;
    assert.ok(Buffer.byteLength(page) > 2 ** 20);
    assert.match(page, /^vllm:num_requests_running\{.*\} 0$/m);
    await plain.control('normal');
  });

  test('hang takes the request and never answers, nor logs it', async () => {
    await plain.control('hang');
    await plain.flushed();
    const lines = plain.lines.length;
    const hung = plain.send('/metrics');
    assert.equal((await plain.send('/health').over).status, 200);
    assert.equal((await plain.send('/health').over).status, 200);
    assert.equal(hung.status, 0);
    assert.equal(hung.end, undefined);
    hung.hangUp();
    await plain.control('normal');
    await plain.send('/metrics').over;
    await plain.flushed();
    const seen = plain.lines.slice(lines).map(parseEngineLine);
    assert.equal(seen.filter((line) => line?.mark === 'access' && line.path === '/metrics').length, 1);
  });

  test('an unknown control is refused, and none is in the access log', async () => {
    assert.equal(await plain.control('nonsense' as 'normal'), 400);
    await plain.flushed();
    assert.ok(plain.lines.every((line) => !line.includes('quiesce')));
  });

  test('refuse turns new connections away while a stream goes on', async () => {
    const stream = plain.complete(10);
    await stream.until((e) => tokens(e.body).length > 0);
    assert.equal(await plain.control('refuse'), 204);
    assert.equal((await plain.send('/metrics').over).end, 'ECONNREFUSED');
    const done = await stream.over;
    assert.equal(done.end, 'complete');
    assert.equal(tokens(done.body).length, 10);
  });
});

describe('TLS', () => {
  test('serves with a certificate of its own making', async () => {
    assert.equal((await secure.send('/health').over).status, 200);
    assert.equal(tokens((await secure.complete(3).over).body).length, 3);
    const plainText = await exchange({ host: secure.host, port: secure.port, path: '/health' }).over;
    assert.equal(plainText.status, 0);
  });

  test('break-tls fails new handshakes while a stream goes on', async () => {
    const stream = secure.complete(10);
    await stream.until((e) => tokens(e.body).length > 0);
    assert.equal(await secure.control('break-tls'), 204);
    const failed = await secure.send('/metrics').over;
    assert.equal(failed.status, 0);
    assert.match(failed.end ?? '', /SSL|EPROTO|ECONNRESET/);
    assert.equal((await stream.over).end, 'complete');
  });

  test('the decoy always tells of an idle engine and logs nothing', async () => {
    const page = await exchange({ host: secure.host, port: 8001, path: '/metrics', secure: true }).over;
    assert.match(page.body, /^vllm:num_requests_running\{engine="0",model_name="tiny"\} 0$/m);
  });
});

describe('control of the rest', () => {
  let engine: EngineUnderTest;
  before(async () => {
    engine = await startEngine(programs.paths['vllm']!);
  });
  after(() => engine.stop());
  const read = (from: string) => exchange({ host: engine.host, port: engine.port, path: '/metrics', from }).over;

  test('busyAfterRead: the next read over loopback is told nothing, and then there is work for that long', async () => {
    assert.equal(await engine.control({ busyAfterRead: 0.4 }), 204);
    await engine.settled(0, 0); // the harness's own reads begin nothing
    assert.match((await read(engine.host)).body, /^vllm:num_requests_running\{.*\} 0$/m);
    await engine.settled(1, 0);
    await engine.settled(0, 0);
    await read(engine.host);
    await engine.settled(0, 0);
  });

  test('what is not known is refused with what was expected', async () => {
    for (const wrong of [{}, { busyAfterRead: -1 }, { exit: 256 }, { metrics: 'odd' as 'normal' }])
      assert.equal(await engine.control(wrong), 400);
  });

  test('exit answers and then ends the process with the code', async () => {
    const doomed = await startEngine(programs.paths['vllm']!);
    assert.equal(await doomed.control({ exit: 3 }), 204);
    assert.equal((await doomed.exited).code, 3);
  });
});
