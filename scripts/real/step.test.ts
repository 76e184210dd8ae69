import { test } from 'node:test';
import assert from 'node:assert/strict';
import { perform, shown, type Step } from './step.ts';

/** Steps that note what is done with them; the one named `failing` fails. */
function steps(names: string[], noted: string[], failing?: string): Step[] {
  return names.map((name) => ({
    does: name,
    shows: [`run ${name}`],
    run: async () => {
      noted.push(name);
      if (name === failing) throw new Error(`${name} failed`);
    },
    undo: async () => void noted.push(`undo ${name}`),
  }));
}

test('a dry run prints every step with its commands, and does none', async () => {
  const noted: string[] = [];
  const said: string[] = [];
  await perform(steps(['a', 'b'], noted), { dryRun: true, say: (line) => said.push(line) });
  assert.deepEqual(noted, []);
  assert.deepEqual(said, ['would a', '    run a', 'would b', '    run b']);
});

test('where a step fails, it and all before it are undone, last first', async () => {
  const noted: string[] = [];
  await assert.rejects(perform(steps(['a', 'b', 'c'], noted, 'b'), { say: () => undefined }), /b failed/);
  assert.deepEqual(noted, ['a', 'b', 'undo b', 'undo a']);
});

test('an undo that fails is told, and the others are undone all the same', async () => {
  const noted: string[] = [];
  const said: string[] = [];
  const [a, b] = steps(['a', 'b'], noted, 'b') as [Step, Step];
  b.undo = () => Promise.reject(new Error('busy'));
  await assert.rejects(perform([a, b], { say: (line) => said.push(line) }), /b failed/);
  assert.deepEqual(noted, ['a', 'b', 'undo a']);
  assert.match(said.join('\n'), /could not: Error: busy/);
});

test('a reason to stop is asked for before each step', async () => {
  const noted: string[] = [];
  const stop = () => (noted.includes('a') ? new Error('interrupted') : undefined);
  await assert.rejects(perform(steps(['a', 'b'], noted), { say: () => undefined, stop }), /interrupted/);
  assert.deepEqual(noted, ['a', 'undo a']);
});

test('a command line is shown as a shell would take it', () => {
  assert.equal(shown(['go', 'build', '-ldflags', '-s -w', "it's", '']), `go build -ldflags '-s -w' 'it'\\''s' ''`);
});
