import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { bundle, isBuilt } from '../build.mjs';

const root = join(import.meta.dirname, '../..');
const below = (folder: string, ending: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
const documents = ['README.md', 'CONTRIBUTING.md', 'package.json', ...below('docs', '.md')];
const workflows = below('.github/workflows', '.yml');

/** Options of each sub-command, as its own help has them. */
const known = new Map<string, Set<string>>();

before(async () => {
  if (!isBuilt()) await bundle();
  const help = async (...command: string[]) =>
    (await promisify(execFile)(process.execPath, [join(root, 'scripts/bin.mjs'), ...command, '--help'])).stdout;
  const commands = [...(await help()).matchAll(/^ {2}([a-z]+) (?=.* {2}\S)/gm)].map(([, name = '']) => name);
  await Promise.all(
    commands.map(async (name) => known.set(name, new Set((await help(name)).match(/--[a-z-]+/g) ?? []))),
  );
});

/** The command lines of `quiesce` in a text, each as its words. */
function commandLines(text: string): string[][] {
  const lines = text.replace(/\\\n\s*/g, ' ');
  const found = [...lines.matchAll(/(?:npx quiesce|node scripts\/bin\.mjs) ([^`|;&#\n]+)/g)];
  return found.map(([, line = '']) => line.trim().split(/\s+/));
}

/** What is wrong with a command line, if anything. */
function problem([command = '', ...words]: string[]): string | undefined {
  const options = known.get(command);
  if (!options) return `there is no command ${command}`;
  const wrong = words
    .filter((word) => word.startsWith('--'))
    .find((word) => !options.has(/^--[a-z-]+/.exec(word)?.[0] ?? ''));
  return wrong && `${command} has no option ${wrong}`;
}

test('command lines in documents and workflows name commands and options that there are', () => {
  let count = 0;
  for (const file of [...documents, ...workflows])
    for (const words of commandLines(readFileSync(join(root, file), 'utf8'))) {
      count += 1;
      assert.equal(problem(words), undefined, `${file}: ${words.join(' ')}`);
    }
  assert.ok(count > 30, `${count} command lines`);
  assert.match(problem(['run', '--time-scal', '1']) ?? '', /has no option --time-scal/);
  assert.match(problem(['runs']) ?? '', /no command runs/);
});

test('workflows are YAML, and have jobs that end', () => {
  for (const file of workflows) {
    const document = parseDocument(readFileSync(join(root, file), 'utf8'));
    assert.deepEqual(document.errors, [], file);
    const { jobs } = document.toJS() as { jobs: Record<string, { 'timeout-minutes'?: number }> };
    for (const [name, job] of Object.entries(jobs)) assert.ok(job['timeout-minutes'], `${file}: ${name}`);
  }
});
