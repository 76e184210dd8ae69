import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { once } from 'node:events';

/** The two scripts of a Job beside each other, `quiesce` being a program that runs until it is killed. */
function job(t: TestContext, keep: string) {
  const shared = mkdtempSync(join(tmpdir(), 'quiesce-job-'));
  t.after(() => rmSync(shared, { recursive: true }));
  writeFileSync(join(shared, 'quiesce'), '#!/bin/sh\necho "runs $*"\nexec sleep 60\n', { mode: 0o755 });
  const PATH = [shared, process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH, QUIESCE_SHARED: shared, QUIESCE_KEEP: keep };
  const start = (name: string, ...args: string[]) => {
    const child = spawn('sh', [join(import.meta.dirname, `${name}.sh`), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    return { child, ended: once(child, 'close'), said: () => once(child.stdout, 'data'), output: () => output };
  };
  return start;
}

test('results are kept until they were fetched, however the run ended', async (t) => {
  const start = job(t, '600');
  const results = start('quiesce-results');
  await results.said();
  const run = start('quiesce-run', 'run', 'two words');
  await run.said();
  assert.equal(run.output(), 'runs run two words\n');
  assert.doesNotMatch(results.output(), /ended/, 'the run lives');
  const told = results.said();
  run.child.kill('SIGKILL');
  await told;
  assert.match(results.output(), /the run has ended; its results are kept for 600 s/);
  assert.equal(results.child.exitCode, null);
  await start('quiesce-results', 'release').ended;
  assert.deepEqual(await results.ended, [0, null]);
});

test('results that nobody fetches are let go, and so is a container that is stopped', async (t) => {
  const start = job(t, '1');
  const results = start('quiesce-results');
  const run = start('quiesce-run');
  await run.said();
  run.child.kill('SIGTERM');
  assert.deepEqual(await run.ended, [null, 'SIGTERM'], 'the signal reaches the run itself');
  assert.deepEqual(await results.ended, [0, null]);
  const waiting = job(t, '600')('quiesce-results');
  await waiting.said();
  waiting.child.kill('SIGTERM');
  assert.deepEqual(await waiting.ended, [0, null]);
});
