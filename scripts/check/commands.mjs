import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['src', 'suites', 'fixtures', 'scripts', 'reports'];
const cache = 'node_modules/.cache';
const bin = (name) => `node_modules/.bin/${name}`;

/** Unit tests stand beside their source. `x.slow.test.ts` takes more than some seconds: `npm test` runs it, the check does not. */
export function unitTests(slow) {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith('.test.ts') && name.endsWith('.slow.test.ts') === slow)
    .sort();
}

/** Test files at a time. Node's own default leaves a core free, which on two cores is one file after the other. */
const FILES_AT_ONCE = 3;

const nodeTest = (name, files, seconds, width) => ({
  name,
  file: process.execPath,
  // A test that hangs is one that fails, by name: without a limit it would hold the whole check.
  args: [
    ...['--import', 'tsx', '--test', '--test-reporter=spec', `--test-timeout=${seconds * 1000}`],
    ...[`--test-concurrency=${width}`, ...files],
  ],
  // Node's runner would take these tests for a part of a run above it.
  env: { NODE_TEST_CONTEXT: undefined },
  tests: true,
});

/** What `npm run check` runs, longest first. */
export const checks = () => [
  nodeTest('unit tests', unitTests(false), 240, FILES_AT_ONCE),
  { name: 'lint', file: bin('eslint'), args: ['--cache', '--cache-location', `${cache}/check.eslint.json`, '.'] },
  {
    name: 'types',
    file: bin('tsc'),
    args: ['-p', '.', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', `${cache}/check.tsbuildinfo`],
  },
  {
    name: 'format',
    file: bin('prettier'),
    args: ['--check', '--cache', '--cache-location', `${cache}/check.prettier.json`, '--log-level', 'warn', '.'],
  },
  { name: 'layers', file: bin('depcruise'), args: [...folders, '--config', '.dependency-cruiser.cjs'] },
  { name: 'dead exports', file: bin('knip'), args: ['--no-progress'] },
];

/** Those that the stage of a real Kubernetes runs by itself, once its first part has built one. */
const staged = ['cluster', 'containers', 'outage', 'killed'].map((name) => `scripts/real/${name}.slow.test.ts`);

/** The tests that take too long for the check: clusters under kubectl, killed runs and the like. */
export const slowTests = ({ real = [] } = {}) => {
  const files = unitTests(true).filter((file) => !real.includes('kubernetes') || !staged.includes(file));
  return files.length > 0 ? [nodeTest('slow tests', files, 900, 1)] : [];
};
