// What needs a real Kubernetes on this machine, as one stage for CI: `node scripts/real/stage.mjs`. The first run builds
// Kubernetes, which takes 4 to 15 minutes. What cannot run here is told by name with its reason, and is no pass and no failure.
// The last line is `N passed, N failed`; the exit code is 1 where anything failed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, isBuilt } from '../build.mjs';
import { line, skippedTests, sum, totalOf } from '../check/totals.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
if (!isBuilt()) await bundle();
const { whyNotUp } = await import('../../dist/real.mjs');

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const zx = (name, ...args) => ['node_modules/.bin/zx', `scripts/real/${name}`, ...args];
const tests = (file) => [process.execPath, '--import', 'tsx', '--test', '--test-reporter=spec', file];
const impossible = await whyNotUp();

const parts = [
  { name: 'first up', argv: zx('kubernetes-up', '--name', 'stage') },
  { name: 'down', argv: zx('kubernetes-down', '--name', 'stage') },
  { name: 'up from the cache', argv: zx('kubernetes-up', '--name', 'stage'), seconds: 30 },
  { name: 'down again', argv: zx('kubernetes-down', '--name', 'stage') },
  { name: 'up and down', argv: tests('scripts/real/cluster.slow.test.ts'), tests: true },
  { name: 'containers', argv: tests('scripts/real/containers.slow.test.ts'), tests: true },
  {
    name: 'parity',
    argv: ['npm', 'run', 'parity'],
    why: scripts.parity ? undefined : 'package.json has no script "parity"',
  },
];

const totals = [];
const notRun = [];
for (const { name, argv, why = impossible, tests: counted = false, seconds = Infinity } of parts) {
  console.log(`\n== ${name}`);
  if (why !== undefined) {
    notRun.push(`not run: ${name}: ${why}`);
    console.log(notRun.at(-1));
    continue;
  }
  const [file, ...args] = argv;
  const from = performance.now();
  const { status, stdout } = spawnSync(file, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  process.stdout.write(stdout ?? '');
  const took = (performance.now() - from) / 1000;
  if (took > seconds) console.log(`it took ${took.toFixed(1)} s; expected at most ${seconds}`);
  const code = took > seconds ? 1 : (status ?? 1);
  const total = totalOf({ name, code, output: stdout ?? '', tests: counted });
  totals.push(total);
  if (counted) notRun.push(...skippedTests(stdout ?? '').map((test) => `not run: ${name}: ${test}`));
  console.log(`${name}: ${line(total)} (${took.toFixed(1)} s)`);
}
console.log(`\n${notRun.join('\n')}`);
const total = sum(totals);
console.log(line(total));
process.exitCode = total.failed > 0 ? 1 : 0;
