import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { bundleDoubles, start } from './testing/bundled.ts';
import { freshAddress } from './testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('pause', 'vllm')));
after(() => programs.remove());

describe('every double', () => {
  test('gives one byte as its first sign of life, then closes the descriptor', async () => {
    const child = spawn(process.execPath, [programs.paths['pause']!], {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      env: { QUIESCE_ALIVE_FD: '3' },
    });
    const alive = child.stdio[3] as Readable;
    let bytes = 0;
    alive.on('data', (data: Buffer) => (bytes += data.length));
    await once(alive, 'end');
    assert.equal(bytes, 1);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('lives without such a descriptor, and when nobody holds its other end', async () => {
    const child = start(programs.paths['vllm']!, ['serve', 'm'], {
      podIP: freshAddress(),
      env: { QUIESCE_ALIVE_FD: '77' },
    });
    await child.line(/startup complete/);
    child.child.kill('SIGTERM');
    assert.equal((await child.exited).code, 0);
  });

  test('logs what nobody caught and ends with 1', async () => {
    const cases: [env: Record<string, string>, args: string[], line: RegExp][] = [
      [{ QUIESCE_TIME_SCALE: 'abc' }, [], /uncaught: RangeError: time scale NaN/],
      [{ QUIESCE_ENGINE: '{' }, [], /uncaught: SyntaxError/],
      [{ QUIESCE_POD_IP: '192.0.2.1' }, [], /uncaught: Error: listen EADDRNOTAVAIL/],
    ];
    for (const [env, args, line] of cases) {
      const child = start(programs.paths['vllm']!, ['serve', 'm', ...args], { podIP: freshAddress(), env });
      const end = await child.exited;
      assert.equal(end.code, 1);
      assert.match(child.lines.join('\n'), line);
    }
  });

  test('a taken port ends it', async () => {
    const podIP = freshAddress();
    const first = start(programs.paths['vllm']!, ['serve', 'm', '--host', '::'], { podIP });
    await first.line(/startup complete/);
    const second = start(programs.paths['vllm']!, ['serve', 'm', '--host', '127.0.0.1'], { podIP });
    assert.equal((await second.exited).code, 1);
    assert.match(second.lines.join('\n'), /EADDRINUSE/);
    first.child.kill('SIGKILL');
    await first.exited;
  });
});
