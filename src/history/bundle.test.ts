import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { BundleError, openBundle, readBundle, verifyBundle } from './bundle.ts';
import { hashFiles, manifestText, sealManifest } from './hashes.ts';
import type { Manifest } from './manifest.ts';

const manifest: Manifest = {
  format: 1,
  tool: { name: 'quiesce', version: '0.1.0', node: 'v20' },
  scenario: { id: 's', title: 't', document: 'gpustack', section: 'drain-window', cases: {}, decides: [] },
  target: 'embedded',
  versions: { operator: 'v0.9.2' },
  namespace: 'n',
  timeScale: 5,
  seed: 1,
  faults: [],
  startedAt: '2026-11-30T00:00:00Z',
  hashes: {},
};

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quiesce-bundle-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof BundleError);
  assert.equal(error.code, expected);
  assert.ok(error.seen && error.next);
  return true;
};

function write(path = folder, events = 3) {
  const writer = openBundle(path, manifest, { secrets: ['s3cr3t-value'] });
  for (let i = 0; i < events; i++) writer.record('phase', [i, i + 1], 'harness', { name: `p${i}` });
  return writer;
}

test('what is written is read again, with line numbers', () => {
  const writer = write();
  writer.object('pod', { kind: 'Pod', metadata: { name: 'a' } });
  writer.log('main.log', 'hello');
  writer.close('complete');
  const bundle = readBundle(folder);
  assert.deepEqual(bundle.problems, []);
  assert.equal(bundle.manifest.ended, 'complete');
  assert.deepEqual(
    bundle.events.map((e) => [e.line, e.seq, e.kind === 'phase' && e.data.name]),
    [
      [1, 0, 'p0'],
      [2, 1, 'p1'],
      [3, 2, 'p2'],
    ],
  );
  assert.deepEqual(verifyBundle(folder), []);
  assert.equal(existsSync(join(folder, '.lock')), false);
});

test('a killed run leaves a bundle up to its last whole line', () => {
  const writer = write();
  writer.flush();
  const path = join(folder, 'history.jsonl');
  truncateSync(path, readFileSync(path).length - 5);
  const { events, problems, manifest: read } = readBundle(folder);
  assert.equal(events.length, 2);
  assert.equal(read.ended, undefined);
  assert.match(problems.join('\n'), /history\.jsonl:3: torn/);
  assert.match(problems.join('\n'), /unfinished/);
  assert.match(verifyBundle(folder).join(), /unsealed/);
  writer.close('interrupted');
});

test('a line that cannot be read, or is no event, is reported and the rest is used', () => {
  write().close('complete');
  appendFileSync(
    join(folder, 'history.jsonl'),
    'nonsense\n{"seq":9,"at":[2,1],"source":"harness","kind":"phase","subject":"h","data":{"name":"x"}}\n',
  );
  appendFileSync(
    join(folder, 'history.jsonl'),
    '{"seq":9,"at":[1,2],"source":"harness","kind":"phase","subject":"h","data":{}}\n',
  );
  const { events, problems, losses } = readBundle(folder);
  assert.deepEqual(losses, problems);
  assert.match(problems.at(-1) ?? '', /history\.jsonl: changed/);
  assert.equal(events.length, 3);
  assert.match(problems[0] ?? '', /history\.jsonl:4: not JSON/);
  assert.match(problems[1] ?? '', /:5: at is no interval/);
  assert.match(problems[2] ?? '', /:6: phase: data\.name/);
});

test('any changed, missing or added byte is found, by path', () => {
  const writer = write();
  writer.log('a.log', 'one');
  writer.log('b.log', 'two');
  writer.close('complete');
  const flip = (name: string, at: number) => {
    const bytes = readFileSync(join(folder, name));
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, name), bytes);
  };
  flip('logs/a.log', 1);
  rmSync(join(folder, 'logs/b.log'));
  writeFileSync(join(folder, 'new'), '');
  writeFileSync(join(folder, 'verdicts.json'), '[]');
  assert.deepEqual(
    verifyBundle(folder).map((found) => found.split(':').slice(0, 2).join(':')),
    ['logs/a.log: changed', 'logs/b.log: missing', 'new: added'],
  );
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  writeFileSync(join(folder, 'manifest.json'), text.replace('"seed": 1', '"seed": 2'));
  assert.match(verifyBundle(folder).join(), /manifest\.json: changed/);
  writeFileSync(join(folder, 'manifest.json'), ` ${text}`);
  assert.match(verifyBundle(folder).join(), /manifest\.json: changed/);
});

test('lines cut out of a history are missed even where every hash fits', () => {
  write(folder, 9).close('complete');
  const path = join(folder, 'history.jsonl');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((_, i) => ![0, 3, 4].includes(i)).join('\n'));
  const { hashes, ...rest } = readBundle(folder).manifest;
  assert.deepEqual(Object.keys(hashes).sort(), ['history.jsonl', 'manifest.json']);
  writeFileSync(join(folder, 'manifest.json'), manifestText(sealManifest({ ...rest, hashes: {} }, hashFiles(folder))));
  assert.deepEqual(verifyBundle(folder), []);
  const { events, problems, losses } = readBundle(folder);
  assert.equal(events.length, 6);
  assert.deepEqual(losses, ['history.jsonl: missing: event 0', 'history.jsonl: missing: events 3 to 4']);
  assert.deepEqual(problems, losses);
});

test('an edited manifest, or one without its hashes, is a loss; a killed run is none', () => {
  const writer = write();
  writer.flush();
  assert.deepEqual(readBundle(folder).losses, []);
  writer.close('complete');
  assert.deepEqual(readBundle(folder).losses, []);
  const path = join(folder, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"timeScale": 5', '"timeScale": 4'));
  assert.match(readBundle(folder).losses.join(), /^manifest\.json: changed/);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), hashes: {} }));
  assert.match(readBundle(folder).losses.join(), /manifest\.json: changed/);
  assert.match(verifyBundle(folder).join(), /manifest\.json: changed/);
});

test('links and a lock that somebody put into a bundle are found, and nobody follows them', () => {
  write().close('complete');
  symlinkSync('/', join(folder, 'root'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  writeFileSync(join(folder, '.lock'), '');
  assert.deepEqual(verifyBundle(folder), ['.lock: added', 'dangling: added', 'root: added']);
});

test('a folder that is not empty, another run in it, a file in its place', () => {
  const writer = write();
  assert.throws(() => write(), code('BUNDLE_LOCKED'));
  writer.close('complete');
  assert.throws(() => write(), code('BUNDLE_NOT_EMPTY'));
  assert.throws(() => write(join(folder, 'manifest.json')), code('BUNDLE_NOT_WRITABLE'));
  writer.close('complete');
  assert.throws(() => writer.record('phase', [0, 0], 'harness', { name: 'late' }), code('BUNDLE_CLOSED'));
});

test('no bundle, a damaged manifest, a newer format', () => {
  assert.throws(() => readBundle(join(folder, 'nothing')), code('BUNDLE_UNREADABLE'));
  write().close('complete');
  const path = join(folder, 'manifest.json');
  writeFileSync(path, '{');
  assert.throws(() => readBundle(folder), code('BUNDLE_DAMAGED'));
  writeFileSync(path, JSON.stringify({ ...manifest, seed: 'x' }));
  assert.throws(() => readBundle(folder), code('BUNDLE_DAMAGED'));
  writeFileSync(path, JSON.stringify({ format: 2 }));
  assert.throws(() => readBundle(folder), code('BUNDLE_NEWER'));
});

test('a full disk is told once, and the bundle stays readable', { skip: !existsSync('/dev/full') }, () => {
  const told: string[] = [];
  const writer = openBundle(folder, manifest, { onFailure: (error) => told.push(error.code) });
  writer.record('phase', [0, 1], 'harness', { name: 'kept' });
  writer.flush();
  // The device that is always full stands in for a file of a full disk.
  assert.throws(() => writer.file('../../../../../../../../dev/full', 'x'), code('BUNDLE_DISK_FULL'));
  assert.throws(() => writer.record('phase', [0, 1], 'harness', { name: 'lost' }), code('BUNDLE_DISK_FULL'));
  assert.throws(() => writer.close('interrupted'), code('BUNDLE_DISK_FULL'));
  assert.deepEqual(told, ['BUNDLE_DISK_FULL']);
  assert.equal(readBundle(folder).events.length, 1);
  assert.equal(existsSync(join(folder, '.lock')), false);
});

test('secrets never reach the disk', () => {
  const writer = write();
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJlLXNpZ25hdHVyZQ';
  writer.record('object.added', [0, 1], 'Secret/n/s', {
    object: {
      metadata: { name: 's', annotations: { last: 'cGFzczE=' } },
      data: { key: 'cGFzczI=' },
      stringData: { a: 'pass3' },
    },
  });
  writer.record('action.answered', [0, 1], 'action/1', {
    id: '1',
    status: 200,
    object: { kind: 'Secret', data: { k: 'cGFzczQ=' } },
  });
  writer.record('action.sent', [0, 1], 'action/2', {
    id: '2',
    verb: 'read',
    target: 'x',
    request: { headers: { Authorization: 'Bearer abcdefgh12345' } },
  });
  const line = `Authorization: Bearer pass5pass5pass5 {\\"token\\":\\"pass6-6\\"} ${jwt} s3cr3t-value password: pass7-7`;
  writer.record('log.line', [0, 1], 'Pod/n/p', { uid: 'u', container: 'main', line });
  writer.log('raw.log', 'token: pass8-8888\nAuthorization: Basic cGFzczk5OTk=');
  writer.close('complete');
  const text = readFileSync(join(folder, 'history.jsonl'), 'utf8') + readFileSync(join(folder, 'logs/raw.log'), 'utf8');
  for (const secret of ['cGFzc', 'pass3', 'abcdefgh12345', 'pass5', 'pass6', 'pass7', 'pass8', jwt, 's3cr3t-value']) {
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }
  assert.equal(readBundle(folder).problems.length, 0);
});
