import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the project's own layer check on a small tree of files; the names of the rules that it broke. */
function broken(files: Record<string, string>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'quiesce-layers-'));
  try {
    const all = {
      'package.json': '{}',
      'tsconfig.json': '{"compilerOptions":{"allowImportingTsExtensions":true}}',
      ...files,
    };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      writeFileSync(join(tree, name), text);
    }
    const config = join(root, '.dependency-cruiser.cjs');
    const args = [join(root, 'node_modules/.bin/depcruise'), 'src', '--config', config, '--output-type', 'json'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
    assert.match(stdout, /^\{/, stderr);
    const { summary } = JSON.parse(stdout) as {
      summary: { totalCruised: number; violations: { rule: { name: string } }[] };
    };
    assert.equal(summary.totalCruised >= Object.keys(files).length, true, 'the check saw every file of the tree');
    return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

const it = 'export const it = 1;\n';
const imports = (path: string): string => `import { it } from '${path}';\nexport const mine = it;\n`;

test('an import of a lower layer is allowed', () => {
  assert.deepEqual(broken({ 'src/time/a.ts': it, 'src/judge/b.ts': imports('../time/a.ts') }), []);
});

test('an import of a higher layer breaks the rule of the lower one', () => {
  assert.deepEqual(broken({ 'src/time/a.ts': imports('../judge/b.ts'), 'src/judge/b.ts': it }), ['layer-time']);
});

test('a type-only import counts as well', () => {
  const type = "import type { it } from '../embedded/b.ts';\nexport type Mine = typeof it;\n";
  assert.deepEqual(broken({ 'src/scenario/a.ts': type, 'src/embedded/b.ts': it }), ['layer-scenario']);
});

test('a stranger is refused although it stands lower', () => {
  assert.deepEqual(broken({ 'src/embedded/a.ts': imports('../engines/b.ts'), 'src/engines/b.ts': it }), [
    'stranger-embedded',
  ]);
});

test('a judge does no I/O, but its test may', () => {
  const reads = "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n";
  assert.deepEqual(broken({ 'src/judge/a.ts': reads }), ['judge-is-pure']);
  assert.deepEqual(broken({ 'src/judge/a.test.ts': reads }), []);
});

test('a cycle is refused', () => {
  const cycle = {
    'src/load/a.ts': imports('./b.ts'),
    'src/load/b.ts': "import { mine } from './a.ts';\nexport const it = mine;\n",
  };
  assert.deepEqual(broken(cycle), ['no-cycles']);
});
