import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exitCodes } from './exit-codes.ts';
import { processesOf, quiesce, recorded, scratch, start, until, type Started } from './testing/cli.ts';

/** A run of the cheapest scenario whose Pod leaves, in a temp folder of its own, at the instant of its action. */
async function underWay(t: TestContext, ...more: string[]): Promise<Started & { temp: string; out: string }> {
  const temp = scratch(t);
  const out = join(temp, 'out');
  const run = start(['run', 'moved-port', ...more, '--workers', '1', '--out', out], { temp });
  t.after(() => run.child.kill('SIGKILL'));
  await until('the action', () => recorded(out, '"name":"act"') || run.child.exitCode !== null);
  return { ...run, temp, out };
}

/** Nothing runs any more, and the temp folder holds the run's own folder alone. */
async function nothingLeft(temp: string): Promise<void> {
  await until('the last process to end', () => processesOf(temp).length === 0);
  assert.deepEqual(
    readdirSync(temp).filter((name) => name !== 'out'),
    [],
  );
}

const bundleFiles = (out: string) => readdirSync(join(out, 'bundles', 'moved-port')).sort();

for (const [signal, code] of [
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.terminated],
] as const) {
  test(`${signal} in mid-run: reports, bundle judged, nothing left, ${code}`, async (t) => {
    const { child, ended, temp, out } = await underWay(t);
    child.kill(signal);
    const end = await ended;
    assert.equal(end.code, code, end.err);
    assert.match(end.out, /GS-LM-08 +│ inconclusive/);
    assert.match(end.out, /decided 0 of \d+ requirements/);
    assert.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /moved-port[^]*<\/testsuites>\s*$/);
    assert.ok(readdirSync(join(out, 'allure-results')).length > 0);
    assert.deepEqual(bundleFiles(out), ['history.jsonl', 'manifest.json', 'verdicts.json']);
    assert.equal((await quiesce(['verify', join(out, 'bundles', 'moved-port')])).code, 0);
    assert.ok(!existsSync(join(out, 'places')));
    await nothingLeft(temp);
  });
}

test('the API server gone in mid-run: told, ends by itself, reports, nothing left', async (t) => {
  const { ended, temp, out } = await underWay(t, 'admission');
  const cluster = processesOf(temp).find((line) => line.includes('cluster.mjs'));
  process.kill(Number(cluster?.split(' ')[0]), 'SIGKILL');
  const { code, out: printed, err } = await ended;
  assert.ok(code === exitCodes.inconclusive || code === exitCodes.harnessError, err);
  assert.match(err, /the embedded cluster is gone \(SIGKILL\).*run it again/);
  assert.match(printed, /GS-LM-08 +│ (inconclusive|harness-error)/);
  assert.match(printed, /GS-DW-03 +│ harness-error/);
  assert.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /<\/testsuites>\s*$/);
  assert.deepEqual(bundleFiles(out), ['history.jsonl', 'manifest.json', 'verdicts.json']);
  await nothingLeft(temp);
});

test('two runs at once in one folder: the second is refused and the first comes to its end', async (t) => {
  const { ended, temp, out } = await underWay(t);
  const second = await quiesce(['run', 'admission', '--out', out]);
  assert.equal(second.code, exitCodes.usage);
  assert.match(second.err, /the out folder .* holds \d+ entries .*\n.*so that two runs never mix\n.*--out/);
  const first = await ended;
  assert.ok((first.code ?? 3) <= exitCodes.inconclusive, first.err);
  assert.deepEqual(readdirSync(join(out, 'bundles')), ['moved-port']);
  await nothingLeft(temp);
});

test('standard output closed in mid-run: the run still comes to its end and says how by its code', async (t) => {
  const { child, ended, temp, out } = await underWay(t, '--fault', 'moved-port-followed');
  child.stdout?.destroy();
  const { code, err } = await ended;
  assert.equal(code, exitCodes.fail, err);
  assert.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /<\/testsuites>\s*$/);
  await nothingLeft(temp);
});

test('a disk that fills up: told once, 3, and what was written can be judged', async (t) => {
  const temp = scratch(t);
  const disk = join(temp, 'out');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'quiesce-test', disk], { stdio: 'pipe' });
  } catch (error) {
    t.skip(`no tmpfs can be mounted here: ${String((error as { stderr?: Buffer }).stderr).trim()}`);
    return;
  }
  try {
    const out = join(disk, 'run');
    const { code, out: printed, err } = await quiesce(['run', 'moved-port', '--out', out], { temp });
    assert.equal(code, exitCodes.harnessError, err);
    assert.match(err, /no space left while writing .*history\.jsonl \(BUNDLE_DISK_FULL\)\. Free some space/);
    assert.match(printed, /GS-LM-08 +│ harness-error/);
    assert.doesNotMatch(err, /fault of quiesce itself|\n\s+at /);
    assert.deepEqual(bundleFiles(out), ['history.jsonl', 'manifest.json']);
    assert.ok(readFileSync(join(out, 'bundles', 'moved-port', 'history.jsonl'), 'utf8').endsWith('}\n'));
    assert.ok(
      !existsSync(join(out, 'junit.xml')) || readFileSync(join(out, 'junit.xml'), 'utf8').endsWith('</testsuites>'),
    );
    const judged = await quiesce(['judge', join(out, 'bundles', 'moved-port')]);
    assert.equal(judged.code, exitCodes.inconclusive, judged.err);
    assert.match(judged.err, /unfinished/);
    await nothingLeft(temp);
  } finally {
    execFileSync('umount', [disk]);
  }
});
