import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from './exit-codes.ts';
import { quiesce, scratch } from './testing/cli.ts';

/** What is typed, and the words that the message must have: what was seen, what was expected, what to do next. */
const refused: [typed: string[], ...words: RegExp[]][] = [
  [['run', 'GS-DW-O7'], /"GS-DW-O7" is neither/, /did you mean .*GS-DW-07/, /next: quiesce list/],
  [['run', 'delete-drain'], /did you mean delete-drains/],
  [['run', 'GS-XX-*'], /"GS-XX-\*" is neither/, /expected: .*glob/],
  [['run', '--tag', 'no-such-tag'], /no scenario has the tag "no-such-tag"/, /expected: one of/],
  [['run', '--fault', 'hook-mising'], /did you mean hook-missing\?/, /next: quiesce faults/],
  [['detection', 'hook-mising'], /did you mean hook-missing\?/],
  [
    ['run', '--profile', 'v0.10'],
    /no profile "v0\.10"; did you mean gpustack-v0\.10\?/,
    /next: quiesce list --profile/,
  ],
  [
    ['run', '--double', 'gpustack-operator=as-implmented'],
    /did you mean as-implemented/,
    /expected: gpustack-operator=as-d/,
  ],
  [['run', '--double', 'operator=as-implemented'], /there is no double "operator"/],
  [['list', '--profile', 'nothing'], /no profile "nothing"\n/, /expected: one of: gpustack-v0\.9\.2, gpustack-v0\.10/],
  [['plan', '--profile', 'gpustack-v0.12'], /did you mean gpustack-v0\.1/],
  [
    ['run', 'refused-split', '--profile', 'gpustack-v0.11'],
    /"refused-split" is of other profiles/,
    /--profile gpustack-v0\.9\.2/,
  ],
  [['run', '--time-scale', '0'], /time scale 0: expected a number above 0 and at most 100/],
  [['run', '--time-scale', '-1'], /time scale -1: expected/],
  [['cluster', '--time-scale', 'abc'], /time scale "abc": expected/],
  [['run', '--repeat', '0'], /expected a whole number from 1 to 1000/],
  [['run', '--seed', ''], /expected a whole number from 0 on/],
  [['cluster', '--port', '70000'], /expected a whole number from 0 to 65535/],
  [['run', '--target', 'kubernetes'], /without --kubeconfig/, /next: add --kubeconfig FILE/],
  [['run', '--kubeconfig', 'k'], /--kubeconfig with --target embedded/, /next: add --target kubernetes/],
  [['run', '--context', 'c'], /--context with --target embedded/],
  [['run', '--repeat', '1000000000'], /expected a whole number from 1 to 1000/],
  [['rn'], /unknown command 'rn'/, /Did you mean run\?/],
];

for (const [typed, ...words] of refused) {
  test(`${typed.join(' ')}: one message, 64, nothing written`, async (t) => {
    const temp = scratch(t);
    const out = typed[0] === 'run' || typed[0] === 'detection' ? ['--out', join(temp, 'out')] : [];
    const { code, err, out: printed } = await quiesce([...typed, ...out], { temp });
    assert.equal(code, exitCodes.usage, err);
    for (const word of words) assert.match(err, word);
    assert.equal(printed, '');
    assert.doesNotMatch(err, /\n\s+at /, 'no stack');
    assert.deepEqual(readdirSync(temp), []);
  });
}

test('a kubeconfig that is broken or missing is told before anything is written', async (t) => {
  const temp = scratch(t);
  const broken = join(temp, 'kubeconfig');
  const out = join(temp, 'out');
  for (const [text, words] of [
    ['a: [', /cannot be read/],
    ['{}', /has no context/],
    [undefined, /ENOENT/],
  ] as const) {
    if (text !== undefined) writeFileSync(broken, text);
    const file = text === undefined ? join(temp, 'absent') : broken;
    const { code, err } = await quiesce([
      'run',
      'admission',
      '--target',
      'kubernetes',
      '--kubeconfig',
      file,
      '--out',
      out,
    ]);
    assert.equal(code, exitCodes.usage, err);
    assert.match(err, words);
    assert.ok(err.includes(file));
    assert.ok(!existsSync(out));
  }
});

test('an out folder that cannot be written or is in use', async (t) => {
  const temp = scratch(t);
  writeFileSync(join(temp, 'file'), 'mine');
  mkdirSync(join(temp, 'used'));
  writeFileSync(join(temp, 'used', 'mine'), 'mine');
  for (const [folder, words] of [
    [join(temp, 'file'), /cannot be used: EEXIST/],
    [join(temp, 'file', 'below'), /cannot be used: ENOTDIR/],
    ['/proc/quiesce', /cannot be used: ENOENT/], // root may write everywhere else
    [join(temp, 'used'), /holds 1 entries \(mine\)/],
  ] as const) {
    const { code, err } = await quiesce(['run', 'admission', '--out', folder]);
    assert.equal(code, exitCodes.usage, err);
    assert.match(err, words);
    assert.match(err, /next: name another folder with --out/);
  }
  assert.deepEqual(readdirSync(temp).sort(), ['file', 'used']);
  assert.deepEqual(readdirSync(join(temp, 'used')), ['mine']);
});

test('a port that is taken: one line, 3, nothing left', async (t) => {
  const temp = scratch(t);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { code, err } = await quiesce(['cluster', '--port', String(port)], { temp });
  assert.equal(code, exitCodes.harnessError);
  assert.match(err, new RegExp(`^quiesce: API server: port ${port} .*taken by another program; choose another.*\\n$`));
  assert.deepEqual(readdirSync(temp), []);
});
