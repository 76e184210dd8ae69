// `npm test`: the check, the slow tests, the suites (`quiesce run`) and the detection suite, one after the other.
// Everything counts in the closing line `N passed, N failed`; the exit code is 1 where anything failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAndTell } from './check.mjs';
import { checks, slowTests } from './commands.mjs';
import { closingTotals, line, sum, verdictTotals } from './totals.mjs';

const stages = [];
const finish = (name, total) => {
  stages.push(total);
  console.log(`\n${name}: ${line(total)}`);
};

/** Runs a sub-command of `quiesce`, its output passed on as it comes. */
function quiesce(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/bin.mjs', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

function verdictsOf(out) {
  const bundles = join(out, 'bundles');
  if (!existsSync(bundles)) return [];
  return readdirSync(bundles)
    .map((name) => join(bundles, name, 'verdicts.json'))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).verdicts);
}

/** A stage that ended badly although nothing in it failed has failed all the same. */
const atLeastOne = (total, code) => (code === 0 || total.failed > 0 ? total : { ...total, failed: 1 });
const nothing = { passed: 0, failed: 0 };

console.log('== check');
finish('check', await runAndTell(checks()));

if (slowTests().length > 0) {
  console.log('\n== slow tests');
  finish('slow tests', await runAndTell(slowTests()));
}

console.log('\n== suites');
mkdirSync('out', { recursive: true });
const out = mkdtempSync(join('out', 'test-'));
const run = await quiesce('run', '--out', join(out, 'run'));
finish('suites', atLeastOne(verdictTotals(verdictsOf(join(out, 'run'))), run.code));

console.log('\n== detection');
const detection = await quiesce('detection', '--out', join(out, 'detection'));
finish('detection', atLeastOne(closingTotals(detection.output) ?? nothing, detection.code));

const total = sum(stages);
if (total.failed === 0) rmSync(out, { recursive: true, force: true });
else console.log(`bundles: ${out}`);
console.log(`\n${line(total)}`);
process.exitCode ??= total.failed > 0 ? 1 : 0;
