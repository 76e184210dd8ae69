import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { bundle, isBuilt } from '../../build.mjs';
import { exitCodes } from '../../exit-codes.ts';
import { processesOf, quiesce, scratch } from '../../testing/cli.ts';
import { script, start, type Ended } from '../testing/script.ts';
import { dynamoPlaces } from './places.ts';
import { findPython, PYTHON } from './python.ts';

const base = await findPython();
const withoutPython = 'seen' in base ? `no Python ${PYTHON} on this machine: ${base.seen}` : false;

/** Whether this user may mount in a namespace of its own: full and read-only disks are made so. */
const mounts = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'quiesce', '/mnt']).status === 0;
const withoutMounts = mounts ? false : 'no full or read-only disk without the right to mount one';

before(async () => {
  if (!isBuilt()) await bundle();
});

/** One error of three lines: what was seen, what was expected, the next step; and the code that says `unsupported`. */
function unsupported({ code, output }: Ended, seen: RegExp, next: RegExp): void {
  assert.equal(code, exitCodes.unsupported, output);
  const said = output.slice(output.indexOf('setup: ')).replace(/^left:.*\n/m, '');
  const [error, ...more] = said.trim().split('\n');
  assert.match(error ?? '', /^setup: unsupported: /);
  assert.match(error ?? '', seen);
  assert.equal(more.length, 2, output);
  assert.match(more[0] ?? '', /^ {2}expected: /);
  assert.match(more[1] ?? '', next);
}

/** What is in a cache, apart from the lock, which is there for all. */
const left = (cache: string) => readdirSync(cache).filter((name) => name !== 'dynamo.lock');

const setUp = (cache: string, env: NodeJS.ProcessEnv = {}) =>
  script('real/setup', ['dynamo'], { QUIESCE_CACHE: cache, ...env });

/** On a disk that is mounted at `cache` for this process alone; what is left there is its last line. */
const setUpOn = (options: string, cache: string) => {
  const body = `mount -t tmpfs -o ${options} quiesce "$0" || exit; "$@"; code=$?; echo "left:" $(ls -A "$0"); exit $code`;
  const typed = ['node_modules/.bin/zx', 'scripts/real/setup', 'dynamo'];
  return start(['unshare', '--mount', 'sh', '-c', body, cache, ...typed], { QUIESCE_CACHE: cache });
};

test('no Python: which were looked at, what to install', async (t) => {
  const cache = scratch(t);
  const ended = await setUp(cache, { QUIESCE_PYTHON: '/nowhere/python3.10' }).ended;
  unsupported(
    ended,
    /no Python 3\.10 with venv.*: \/nowhere\/python3\.10 is not there$/,
    /next: install it \(uv python/,
  );
  assert.deepEqual(left(cache), []);
});

const other = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => {
  const asked = spawnSync(path, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.trim() !== PYTHON;
});

test('another Python: its version', { skip: other ? false : 'no other Python on this machine' }, async (t) => {
  const cache = scratch(t);
  const ended = await setUp(cache, { QUIESCE_PYTHON: other }).ended;
  unsupported(ended, new RegExp(`: ${other} is Python \\d+\\.\\d+$`), /next: install it/);
  assert.deepEqual(left(cache), []);
});

test('an index without the wheels: which one is missing, and nothing is left', { skip: withoutPython }, async (t) => {
  const cache = scratch(t);
  // What a killed set-up left is removed, too.
  const { folder } = dynamoPlaces({ QUIESCE_CACHE: cache });
  mkdirSync(join(folder, 'venv'), { recursive: true });
  const ended = await setUp(cache, { PIP_NO_INDEX: '1' }).ended;
  assert.match(ended.output, /^- to be made: .* is half a set-up/m);
  unsupported(
    ended,
    /pip did not install ai-dynamo 1\.6\.1: ERROR: .* requirement ai-dynamo==1\.6\.1/,
    /next: see pip config list/,
  );
  assert.deepEqual(left(cache), []);
});

test('a set-up that is interrupted leaves nothing, no process either', { skip: withoutPython }, async (t) => {
  const cache = scratch(t);
  const silent = createServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const asked = new Promise<void>((resolve) => silent.once('connection', () => resolve()));
  const { port } = silent.address() as { port: number };
  const running = setUp(cache, { PIP_INDEX_URL: `http://127.0.0.1:${port}/simple`, PIP_EXTRA_INDEX_URL: '' });
  await asked;
  running.interrupt('SIGTERM');
  const { code, output } = await running.ended;
  assert.equal(code, exitCodes.terminated, output);
  assert.match(output, /^setup: interrupted by SIGTERM$/m);
  assert.deepEqual(left(cache), []);
  assert.deepEqual(processesOf(cache), []);
});

test('a cache that is no folder', async (t) => {
  const file = join(scratch(t), 'file');
  writeFileSync(file, '');
  const ended = await setUp(join(file, 'cache')).ended;
  unsupported(
    ended,
    /the cache .*\/file\/cache cannot be written: ENOTDIR/,
    /next: set QUIESCE_CACHE to one, for the runs too/,
  );
});

test('a cache on a read-only disk', { skip: withoutMounts }, async (t) => {
  const ended = await setUpOn('ro', scratch(t)).ended;
  unsupported(ended, /cannot be written: EROFS/, /next: set QUIESCE_CACHE/);
  assert.match(ended.output, /^left:$/m);
});

test('a disk that is full before the wheels are there', { skip: withoutMounts || withoutPython }, async (t) => {
  const ended = await setUpOn('size=1m', scratch(t)).ended;
  unsupported(ended, /cannot be written: .*(No space left|ENOSPC|ensurepip)/, /next: set QUIESCE_CACHE/);
  assert.match(ended.output, /^left: dynamo\.lock$/m);
});

test('a run without it: every verdict unsupported, with what to type, and nothing is deployed', async (t) => {
  const cache = scratch(t);
  mkdirSync(dynamoPlaces({ QUIESCE_CACHE: cache }).venv, { recursive: true });
  const out = join(scratch(t), 'out');
  const former = process.env['QUIESCE_CACHE'];
  process.env['QUIESCE_CACHE'] = cache;
  t.after(() => (former === undefined ? delete process.env['QUIESCE_CACHE'] : (process.env['QUIESCE_CACHE'] = former)));
  const { code, err } = await quiesce(['run', '--real', 'dynamo', 'dynamo-interrupt', '--out', out]);
  assert.equal(code, exitCodes.unsupported, err);
  const [{ verdicts }] = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as [
    { verdicts: { outcome: string; findings: { seen: string }[] }[] },
  ];
  assert.ok(verdicts.length > 0);
  for (const { outcome, findings } of verdicts) {
    assert.equal(outcome, 'unsupported');
    assert.match(
      findings[0]?.seen ?? '',
      /not set up on this machine \(.* is half a set-up: .*\): npm run real:setup -- dynamo$/,
    );
  }
  assert.doesNotMatch(readFileSync(join(out, 'bundles/dynamo-interrupt/history.jsonl'), 'utf8'), /object\.added/);
  assert.ok(!existsSync(join(out, 'images.json')));
});
