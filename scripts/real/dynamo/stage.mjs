// Real Dynamo as one stage for CI: `node scripts/real/dynamo/stage.mjs`. It sets it up (one to four minutes once, then seconds), runs
// `quiesce run --real dynamo`, compares every verdict with suites/dynamo/real-expected.yaml, and looks at what is left. What cannot
// run here is told by name with its reason, and is no pass and no failure. The last line is `N passed, N failed`; the exit code is
// 1 where anything failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { differences } from './differences.mjs';

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));

/** Exit code of a set-up that says `unsupported`: this machine lacks something. */
const UNSUPPORTED = 69;

const scratch = mkdtempSync(join(tmpdir(), 'quiesce-stage-'));
const temp = { ...process.env, TMPDIR: scratch, NODE_TEST_CONTEXT: undefined };

function run(what, argv, seconds, env = process.env) {
  console.log(`\n== ${what}`);
  const from = performance.now();
  const [file, ...args] = argv;
  const { status } = spawnSync(file, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: seconds * 1000, env });
  console.log(`${what}: ended with ${status} after ${((performance.now() - from) / 1000).toFixed(1)} s`);
  return status;
}

/** What must not be there any more: processes by a word of their environment, entries of a folder. */
const processes = (word) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) &&
        Number(pid) !== process.pid &&
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(word)
        ? [`process ${pid}: ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()}`]
        : [];
    } catch {
      return []; // it has just ended
    }
  });
const entries = (folder) => new Set(readdirSync(folder).map((name) => join(folder, name)));

let passed = 0;
const failed = [];
const sharedBefore = entries('/dev/shm');
try {
  const setUp = run('set-up', ['npm', 'run', '--silent', 'real:setup', '--', 'dynamo'], 900);
  if (setUp === UNSUPPORTED) console.log('not run: quiesce run --real dynamo: unsupported on this machine, see above');
  else if (setUp !== 0) failed.push(`the set-up ended with ${setUp}`);
  else {
    const out = join(scratch, 'run');
    const argv = ['scripts/bin.mjs', 'run', '--real', 'dynamo', '--until-decided', '3', '--workers', '2', '--out', out];
    run('run', [process.execPath, ...argv], 900, temp);
    const expected = parse(readFileSync('suites/dynamo/real-expected.yaml', 'utf8'));
    const compared = differences(expected, JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')));
    passed += compared.same;
    failed.push(...compared.different);
    for (const line of compared.notRun) console.log(`not run: ${line}`);
    rmSync(out, { recursive: true });
    const left = [
      ...processes(scratch),
      ...readdirSync(scratch).filter((name) => name.startsWith('quiesce-')),
      ...[...entries('/dev/shm')].filter((path) => !sharedBefore.has(path)),
    ];
    if (left.length === 0) passed += 1;
    failed.push(...left.map((what) => `left behind: ${what}`));
  }
} catch (error) {
  failed.push(`the stage itself: ${error.message}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const line of failed) console.log(`failed: ${line}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
