import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, truncateSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from './exit-codes.ts';
import { writeBundle } from './testing/bundle.ts';
import { quiesce, scratch } from './testing/cli.ts';

function stored(t: TestContext): { temp: string; bundle: string; history: string } {
  const temp = scratch(t);
  const bundle = join(temp, 'bundle');
  writeBundle(bundle);
  return { temp, bundle, history: join(bundle, 'history.jsonl') };
}

const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, 'utf8')));

test('judging a bundle again gives the same bytes, wherever it lies and whoever judges', async (t) => {
  const { temp, bundle } = stored(t);
  const verdicts = () => readFileSync(join(bundle, 'verdicts.json'), 'utf8');
  const first = await quiesce(['judge', bundle]);
  assert.ok([exitCodes.pass, exitCodes.inconclusive].includes(first.code as 0), first.err);
  const once = verdicts();
  assert.deepEqual(await quiesce(['judge', bundle]), first);
  assert.equal(verdicts(), once);
  const copy = join(temp, 'elsewhere', 'copied');
  mkdirSync(join(temp, 'elsewhere'));
  cpSync(bundle, copy, { recursive: true });
  await quiesce(['judge', 'copied'], { cwd: join(temp, 'elsewhere'), temp: join(temp, 'elsewhere') });
  assert.equal(readFileSync(join(copy, 'verdicts.json'), 'utf8'), once);
  assert.ok(!once.includes(temp));
  const { code, out } = await quiesce(['verify', bundle, copy]);
  assert.equal(code, 0);
  assert.equal(out, `${bundle}: unchanged\n${copy}: unchanged\n`);
});

test('a truncated bundle is judged up to its last whole line, and verify finds it', async (t) => {
  const { bundle, history } = stored(t);
  truncateSync(history, statSync(history).size - 30);
  const { code, err, out } = await quiesce(['judge', bundle]);
  assert.equal(code, exitCodes.inconclusive, 'no pass rests on it');
  assert.match(err, /history\.jsonl:\d+: torn: cut after \d+ characters\n.*history\.jsonl: changed: .*\n$/);
  assert.doesNotMatch(out, / pass /);
  assert.match(out, /GS-DW-07/);
  const verified = await quiesce(['verify', bundle]);
  assert.equal(verified.code, exitCodes.fail);
  assert.match(verified.out, /history\.jsonl: changed: SHA-256 is/);
});

test('verify finds an edited, an added and a missing file, and a line that is none is told', async (t) => {
  const { bundle, history } = stored(t);
  edit(history, (text) => text.replace(/\n.*\n/, '\ngarbage\n'));
  edit(join(bundle, 'manifest.json'), (text) => text.replace('"seed": 1', '"seed": 2'));
  writeFileSync(join(bundle, 'extra'), '');
  const { code, out } = await quiesce(['verify', bundle]);
  assert.equal(code, exitCodes.fail);
  assert.match(out, /extra: added\n.*history\.jsonl: changed: .*\n.*manifest\.json: changed/);
  assert.match((await quiesce(['judge', bundle])).err, /history\.jsonl:2: not JSON: garbage/);
});

test('verify finds edited verdicts: it judges again', async (t) => {
  const { bundle } = stored(t);
  await quiesce(['judge', bundle]);
  assert.equal((await quiesce(['verify', bundle])).code, exitCodes.pass);
  edit(join(bundle, 'verdicts.json'), (text) => text.replace('inconclusive', 'pass'));
  const { code, out } = await quiesce(['verify', bundle]);
  assert.equal(code, exitCodes.fail);
  assert.equal(out, `${bundle}: verdicts.json: changed: judging again gives other bytes\n`);
});

for (const [what, change, words] of [
  ['of a newer format', (m: string) => m.replace('"format": 1', '"format": 99'), /has bundle format 99; .*up to 1/],
  ['whose manifest is torn', (m: string) => m.slice(0, 40), /manifest\.json is not JSON/],
  ['whose manifest says nothing', () => '{}', /BUNDLE_DAMAGED/],
] as const) {
  test(`a bundle ${what}: one message, 64, nothing written`, async (t) => {
    const { bundle } = stored(t);
    edit(join(bundle, 'manifest.json'), change);
    for (const command of ['judge', 'verify', 'show']) {
      const { code, err } = await quiesce([command, bundle]);
      assert.equal(code, exitCodes.usage, err);
      assert.match(err, words);
      assert.match(err, /\)\. \w.*\.\n$/, 'and what to do next');
    }
    assert.deepEqual(readdirSync(bundle).sort(), ['history.jsonl', 'manifest.json']);
  });
}

test('a bundle that is not there: one message, 64', async (t) => {
  const absent = join(scratch(t), 'absent');
  for (const command of ['judge', 'verify', 'show']) {
    const { code, err } = await quiesce([command, absent]);
    assert.equal(code, exitCodes.usage);
    assert.match(err, /absent.*cannot be read .*Name a folder that holds manifest\.json and history\.jsonl/);
  }
});

/** Runs a line of shell, with `quiesce` in it for the command. */
const shell = (line: string) =>
  new Promise<{ out: string; err: string }>((resolve) => {
    const command = `'${process.execPath}' '${fileURLToPath(new URL('bin.mjs', import.meta.url))}'`;
    execFile('bash', ['-c', line.replaceAll('quiesce', command)], (_, out, err) => resolve({ out, err }));
  });

test('output that nobody reads to its end changes neither what is done nor the exit code', async (t) => {
  const { bundle, history } = stored(t);
  const { out, err } = await shell(`quiesce list --json | head -1; echo "$\{PIPESTATUS[0]}"`);
  assert.deepEqual({ out, err }, { out: '[\n0\n', err: '' });
  const { code } = await quiesce(['judge', bundle]);
  assert.deepEqual(await shell(`quiesce judge ${bundle} | true; echo "$\{PIPESTATUS[0]}"`), {
    out: `${code}\n`,
    err: '',
  });
  edit(history, (text) => `${text} `);
  assert.deepEqual(await shell(`quiesce verify ${bundle} | true; echo "$\{PIPESTATUS[0]}"`), { out: '1\n', err: '' });
});

test('output on a full disk: one message, 3', async () => {
  const { out, err } = await shell('quiesce list > /dev/full; echo $?');
  assert.equal(out, '3\n');
  assert.match(err, /^quiesce: the output cannot be written: ENOSPC.*\n {2}next: .*\n$/);
});
