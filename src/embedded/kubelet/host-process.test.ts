import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HostProcess, type Launch } from './host-process.ts';
import { isRunning, nodeProgram, scratch, shell, until } from './testing/scratch.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const start = (program: Launch['program'], more: Partial<Launch> = {}) =>
  HostProcess.launch({ program, args: [], cwd: '/', env, output: () => {}, ...more });

test('a program ends with its code, or with 128 and the signal', async () => {
  assert.equal((await (await start(shell('exit 7'))).exited).code, 7);
  const process = await start(shell('sleep 60'));
  process.kill();
  assert.deepEqual({ ...(await process.exited), at: 0 }, { code: 137, signal: 'SIGKILL', at: 0, escaped: false });
});

test('the first byte on the alive pipe is the sign of life', async (t) => {
  const program = nodeProgram(
    scratch(t),
    'alive',
    `
    import { writeSync } from 'node:fs';
    writeSync(Number(process.env.QUIESCE_ALIVE_FD), '.');
    setInterval(() => {}, 1000);`,
  );
  const process = await start(program);
  assert.ok((await process.alive) > 0);
  process.kill();
  await process.exited;
});

test('SIGTERM reaches the program alone; its end takes its group along', async () => {
  let out = '';
  const program = shell(
    `(trap 'echo child' TERM; while :; do sleep 0.05; done) & echo $!; trap 'exit 3' TERM; while :; do sleep 0.05; done`,
  );
  const process = await start(program, { output: (_, chunk) => (out += chunk.toString()) });
  const child = Number(await until('pid of the child', () => /^(\d+)\n/.exec(out)?.[1]));
  process.signal('SIGTERM');
  assert.equal((await process.exited).code, 3);
  assert.ok(!out.includes('child'));
  await until('the child is gone', () => !isRunning(child));
});

test('a descendant that left the group cannot keep the end from being noticed', async () => {
  const process = await start(shell('setsid sleep 4 & exit 0'));
  const begun = performance.now();
  assert.equal((await process.exited).code, 0);
  assert.ok(performance.now() - begun < 3000);
});

test('a program that is missing or not executable is a rejection', async () => {
  await assert.rejects(start({ file: '/nowhere/at/all', args: [] }), { code: 'ENOENT' });
  await assert.rejects(start({ file: '/etc/passwd', args: [] }), { code: 'EACCES' });
});

test('a flood of output is read at a bounded rate and the writer is held', async () => {
  let bytes = 0;
  const process = await start(shell('exec yes'), { output: (_, chunk) => (bytes += chunk.length) });
  const begun = performance.now();
  await until('some output', () => bytes > 1_000_000);
  assert.ok(bytes / ((performance.now() - begun) / 1000) < 40e6, 'more than 40 MB/s');
  process.kill();
  await process.exited;
});

test('a container gives way to the cluster, what is started beside it does not', async (t) => {
  if (!existsSync('/proc/self/autogroup')) return t.skip('this kernel has no scheduling group of a session');
  for (const givesWay of [true, false]) {
    const process = await start(shell('read -r line; exit 0'), { stdin: true, givesWay });
    const nice = () => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${process.pid}/autogroup`, 'utf8'))?.[1]);
    await until('its niceness', () => (nice() > 0 === givesWay ? true : undefined));
    process.kill();
    await process.exited;
  }
});
