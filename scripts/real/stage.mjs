// What needs a real Kubernetes on this machine, as one stage for CI: `node scripts/real/stage.mjs`. The first run builds
// Kubernetes, which takes 4 to 15 minutes. What cannot run here is told by name with its reason, and is no pass and no failure.
// The last line is `N passed, N failed`; the exit code is 1 where anything failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, isBuilt } from '../build.mjs';
import { failedTests, failedTrials, failedVerdicts } from '../check/failed.mjs';
import { line, skippedTests, sum, toldTotals, totalOf, verdictTotals } from '../check/totals.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
if (!isBuilt()) await bundle();
const { placesOf, whyNotUp } = await import('../../dist/real.mjs');

const NAME = 'stage';
const out = mkdtempSync(join(tmpdir(), 'quiesce-stage-'));
const zx = (name, ...args) => ['node_modules/.bin/zx', `scripts/real/${name}`, '--name', NAME, ...args];
const node = (...args) => [process.execPath, '--import', 'tsx', ...args];
const tests = (...files) => node('--test', '--test-concurrency=1', '--test-reporter=spec', ...files);
const { kubeconfig, pki } = placesOf(NAME);
const known = Object.entries({
  QUIESCE_REAL_CLUSTER: NAME,
  QUIESCE_REAL_KUBECONFIG: kubeconfig,
  QUIESCE_REAL_PKI: pki,
}).map(([variable, value]) => `${variable}=${value}`);
/** A command of `quiesce` on the cluster, its Nodes served by the process kubelet; as patient as the other suites. */
const quiesce = (command, folder, ...selection) => [
  ...zx('in-cluster-net', '--process-node', process.execPath, 'scripts/bin.mjs', command, ...selection),
  ...['--target', 'kubernetes', '--kubeconfig', kubeconfig, '--install-crds'],
  ...['--workers', '6', '--until-decided', '5', '--out', join(out, folder)],
];
/** One fault or two of each part that serves a drain there, API server and scheduler being real: QUIESCE_FAULTS names others. */
const faults = process.env.QUIESCE_FAULTS?.split(' ') ?? [
  ...['hook-one-idle-read', 'hook-late-bound', 'kubelet-late-hook', 'kubelet-never-kills', 'router-keeps-leaving'],
  ...['rollout-two-at-once', 'quota-released-at-delete', 'engine-slow-exit', 'vllm-drain-skipped'],
];
const impossible = await whyNotUp();

const parts = [
  { name: 'first up', argv: zx('kubernetes-up', '--without-kubelet') },
  { name: 'scenarios', argv: quiesce('run', 'run', 'GS-*'), results: join(out, 'run', 'results.json') },
  { name: 'detection', argv: quiesce('detection', 'detection', ...faults), trials: true },
  {
    name: 'rights, outages and killed runs',
    argv: zx(
      ...['in-cluster-net', '--process-node', 'env', ...known],
      ...tests(
        'scripts/preflight/rights.slow.test.ts',
        'scripts/real/outage.slow.test.ts',
        'scripts/real/killed.slow.test.ts',
      ),
    ),
    tests: true,
  },
  {
    name: 'a Node that serves it',
    argv: zx('in-cluster-net', 'env', ...known, ...tests('scripts/commands/node.slow.test.ts')),
    tests: true,
  },
  { name: 'down', argv: zx('kubernetes-down') },
  { name: 'up and down', argv: tests('scripts/real/cluster.slow.test.ts'), tests: true },
  { name: 'containers', argv: tests('scripts/real/containers.slow.test.ts'), tests: true },
  { name: 'parity', argv: ['npm', 'run', 'parity'] },
];

/** What one part came to, and what went wrong in it. */
function totalOfPart({ name, results, trials, tests: counted = false }, code, output) {
  if (trials) return { ...toldTotals(output, code), wrong: failedTrials(output) };
  if (results === undefined)
    return {
      ...totalOf({ code, output, tests: counted }),
      wrong: failedTests({ name, code, output, tests: counted }),
    };
  const verdicts = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')).flatMap((r) => r.verdicts) : [];
  const total = verdictTotals(verdicts);
  const wrong = failedVerdicts(verdicts);
  if (code === 0 || total.failed > 0) return { ...total, wrong };
  return { ...total, failed: 1, wrong: [`${name} ended with ${code}`] };
}

const totals = [];
const notRun = [];
for (const part of parts) {
  const { name, argv, tests: counted = false } = part;
  console.log(`\n== ${name}`);
  if (impossible !== undefined) {
    notRun.push(`not run: ${name}: ${impossible}`);
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
  const total = totalOfPart(part, status ?? 1, stdout ?? '');
  totals.push(total);
  if (counted) notRun.push(...skippedTests(stdout ?? '').map((test) => `not run: ${name}: ${test}`));
  console.log(`${name}: ${line(total)} (${((performance.now() - from) / 1000).toFixed(1)} s)`);
}
rmSync(out, { recursive: true, force: true });
console.log(`\n${notRun.join('\n')}`);
for (const { wrong } of totals) for (const what of wrong) console.log(`failed: ${what}`);
const total = sum(totals);
console.log(line(total));
process.exitCode = total.failed > 0 ? 1 : 0;
