import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HostProcess, type Launch } from './host-process.ts';
import { Spawner } from './spawner.ts';
import { isRunning, nodeProgram, scratch, shell, until } from './testing/scratch.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const launch = (program: Launch['program'], output: NonNullable<Launch['output']> = () => {}, thread?: Spawner) =>
  HostProcess.launch({ program, args: [], cwd: '/', env, output }, thread);

test('all output comes in order and before the end', async () => {
  let text = '';
  const { exited } = await launch(shell('seq 1 200000'), (_, chunk) => (text += chunk.toString('latin1')));
  await exited;
  assert.equal(text, Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join(''));
});

test('instants are of the main thread, those of the start and of the end in order', async (t) => {
  await (
    await launch(shell('true'))
  ).exited; // the thread is there
  const before = performance.now();
  const program = nodeProgram(
    scratch(t),
    'alive',
    `
    import { writeSync } from 'node:fs';
    writeSync(Number(process.env.QUIESCE_ALIVE_FD), '.');`,
  );
  const process = await launch(program);
  const afterMs = await process.alive;
  const { at } = await process.exited;
  const rounding = 1;
  assert.ok(
    process.spawnedAt > before - rounding && process.spawnedAt + afterMs <= at && at < performance.now() + rounding,
  );
});

test('while this thread is busy its programs are started all the same, and a flood is held', async (t) => {
  const folder = scratch(t);
  let bytes = 0;
  const flood = await launch(shell('exec yes'), (_, chunk) => (bytes += chunk.length));
  const marks = Array.from({ length: 3 }, (_, i) => launch(shell(`exec touch ${join(folder, String(i))}`)));
  const busyUntil = performance.now() + 2000;
  while (performance.now() < busyUntil); // the one way to keep the event loop from turning
  const taken = bytes;
  const arrived = new Promise<number>((resolve) => setImmediate(resolve, 0)).then(() => bytes - taken);
  for (const mark of await Promise.all(marks)) {
    const { at } = await mark.exited;
    assert.ok(at < busyUntil, `ended ${at - busyUntil} ms after the busy time`);
  }
  assert.ok((await arrived) < 8e6, 'more than 8 MB were under way');
  flood.kill();
  await flood.exited;
});

test('a thread that ends takes its programs along and fails its launches; the next launch gets a new one', async (t) => {
  const entry = join(scratch(t), 'thread.mjs');
  writeFileSync(
    entry,
    `
    import { spawn } from 'node:child_process';
    import { parentPort } from 'node:worker_threads';
    let orders = 0;
    parentPort.on('message', ({ id }) => {
      if ((orders += 1) === 2) throw new Error('broken');
      const { pid } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      parentPort.postMessage({ id, is: 'started', pid, at: 0 });
    });`,
  );
  const thread = new Spawner(pathToFileURL(entry));
  const first = await launch(shell('exit 0'), undefined, thread);
  await assert.rejects(launch(shell('exit 0'), undefined, thread), /the spawner thread ended: broken/);
  assert.deepEqual({ ...(await first.exited), at: 0 }, { code: 137, signal: 'SIGKILL', at: 0, escaped: true });
  assert.equal(first.ended, true);
  const second = await launch(shell('exit 0'), undefined, thread);
  assert.ok(isRunning(second.pid));
  second.kill();
  await assert.rejects(launch(shell('exit 0'), undefined, thread), /broken/);
});

test('a thread that cannot begin is a failed launch', async (t) => {
  const thread = new Spawner(pathToFileURL(join(scratch(t), 'missing.mjs')));
  await assert.rejects(launch(shell('exit 0'), undefined, thread), /the spawner thread ended: .*missing\.mjs/);
});

test('the thread does not keep the process: it ends when its programs have', async (t) => {
  const script = join(scratch(t), 'main.mts');
  writeFileSync(
    script,
    `
    import { HostProcess } from '${new URL('host-process.ts', import.meta.url).href}';
    const program = { file: '/bin/sh', args: ['-c', 'sleep 0.3; echo seen'] };
    await HostProcess.launch({ program, args: [], cwd: '/', env: {}, output: (_, chunk) => process.stdout.write(chunk) });`,
  );
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, out], [0, 'seen\n']);
  await until('it is gone', () => !isRunning(child.pid ?? 0));
});
