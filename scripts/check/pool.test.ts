import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAll } from './pool.mjs';

const node = (name: string, code: string) => ({ name, file: process.execPath, args: ['-e', code] });

test('every command runs, and its code and output are kept', async () => {
  const told: string[] = [];
  const commands = [
    node('bad', 'console.error("why"); process.exitCode = 3'),
    node('good', 'console.log("fine")'),
    { name: 'absent', file: '/no/such/program', args: [] },
  ];
  const results = await runAll(commands, 2, ({ name }) => told.push(name));
  assert.deepEqual(
    results.map(({ name, code }) => [name, code]),
    [
      ['bad', 3],
      ['good', 0],
      ['absent', 127],
    ],
  );
  assert.deepEqual(told.sort(), ['absent', 'bad', 'good']);
  assert.match(results[0]?.output ?? '', /why/);
  assert.match(results[2]?.output ?? '', /ENOENT/);
});

test('a command may be given an environment, and lose a variable', async () => {
  const print = 'console.log(process.env.QUIESCE_A ?? "none", process.env.PATH ?? "none")';
  const [result] = await runAll([{ ...node('env', print), env: { QUIESCE_A: 'a', PATH: undefined } }], 1);
  assert.equal(result?.output, 'a none\n');
});
