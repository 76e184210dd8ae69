// `npm test`: the check, the slow tests, the suites (`quiesce run`) and the detection suite, one after the other.
// With QUIESCE_REAL, a list of `dynamo` and `kubernetes`, the real programs follow, each with a set-up of its own. Everything
// counts in the closing line `N passed, N failed`, above which all that went wrong is said again; the exit code is 1 where anything failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAndTell } from './check.mjs';
import { checks, slowTests } from './commands.mjs';
import { failedTrials, failedVerdicts } from './failed.mjs';
import { atLeastOne, line, sum, toldTotals, verdictTotals } from './totals.mjs';

const totals = [];
const wrong = [];

/** Runs one stage and tells what it came to; none is begun after an interrupt, which leaves its exit code behind. */
async function stage(name, run) {
  if (process.exitCode !== undefined) return;
  console.log(`\n== ${name}`);
  const total = await run();
  totals.push(total);
  wrong.push(...(total.wrong ?? []).map((what) => `${name}: ${what}`));
  console.log(`\n${name}: ${line(total)}`);
}

/** Runs a sub-command of `quiesce`, its output passed on as it comes. */
const quiesce = (...args) => node('scripts/bin.mjs', ...args);

function node(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
    const stop = (signal) => {
      process.exitCode = signal === 'SIGINT' ? 130 : 143;
      child.kill(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve({ code, output });
    });
  });
}

/** The verdicts that a run came to, its samples merged. */
function verdictsOf(out) {
  const file = join(out, 'results.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).flatMap(({ verdicts }) => verdicts) : [];
}

/** A test machine may be busy with other things: more samples where one is undecided. */
const patient = ['--until-decided', '5'];

mkdirSync('out', { recursive: true });
const out = mkdtempSync(join('out', 'test-'));

await stage('check', () => runAndTell(checks()));
const real = (process.env.QUIESCE_REAL ?? '').split(',').filter(Boolean);
const slow = slowTests({ real });
if (slow.length > 0) await stage('slow tests', () => runAndTell(slow));
await stage('suites', async () => {
  const { code } = await quiesce('run', ...patient, '--out', join(out, 'run'));
  const verdicts = verdictsOf(join(out, 'run'));
  return { ...atLeastOne(verdictTotals(verdicts), code), wrong: failedVerdicts(verdicts) };
});
await stage('detection', async () => {
  const { code, output } = await quiesce('detection', ...patient, '--out', join(out, 'detection'));
  return { ...toldTotals(output, code), wrong: failedTrials(output) };
});
const programs = {
  dynamo: ['real Dynamo', 'scripts/real/dynamo/stage.mjs'],
  kubernetes: ['real Kubernetes', 'scripts/real/stage.mjs'],
};
for (const part of real) {
  const [name, script] = programs[part] ?? [`QUIESCE_REAL=${part}`, undefined];
  await stage(name, async () => {
    if (script === undefined)
      return { passed: 0, failed: 1, wrong: [`expected of ${Object.keys(programs).join(', ')}`] };
    const { code, output } = await node(script);
    const wrong = [...output.matchAll(/^failed: (.*)$/gm)].map(([, what]) => what);
    return { ...toldTotals(output, code), wrong };
  });
}

const total = sum(totals);
if (total.failed === 0 && process.exitCode === undefined) rmSync(out, { recursive: true, force: true });
else console.log(`bundles: ${out}`);
if (wrong.length > 0) console.log(`\nwhat went wrong:\n${wrong.join('\n')}`);
console.log(`\n${line(total)}`);
process.exitCode ??= total.failed > 0 ? 1 : 0;
