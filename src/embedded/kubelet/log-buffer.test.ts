import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { LogBuffer } from './log-buffer.ts';
import { viewLog } from './log-view.ts';
import { scratch } from './testing/scratch.ts';

const all = { follow: false, timestamps: false, previous: false };
const push = (log: LogBuffer, out: string) => log.push('stdout', Buffer.from(out));

test('lines are whole, whatever the chunks; a last one without an end counts, and gets none', async () => {
  const log = new LogBuffer();
  const bytes = Buffer.from('eins\nzwei ü\ndr');
  for (const byte of bytes) log.push('stdout', Buffer.from([byte]));
  log.push('stderr', Buffer.from('err\n'));
  push(log, 'ei');
  log.end();
  assert.equal(await text(viewLog(log, all)), 'eins\nzwei ü\nerr\ndrei');
});

test('tail, limit, since and timestamps', async () => {
  const log = new LogBuffer();
  push(log, 'a\nb\nc\n');
  assert.equal(await text(viewLog(log, { ...all, tailLines: 2 })), 'b\nc\n');
  assert.equal(await text(viewLog(log, { ...all, tailLines: 0 })), '');
  assert.equal(await text(viewLog(log, { ...all, limitBytes: 3 })), 'a\nb');
  assert.equal(await text(viewLog(log, { ...all, sinceSeconds: 60 })), 'a\nb\nc\n');
  assert.match(
    await text(viewLog(log, { ...all, timestamps: true, tailLines: 1 })),
    /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{9}Z c\n$/,
  );
});

test('a follower gets what was and what comes, until the log ends', async () => {
  const log = new LogBuffer();
  push(log, 'a\n');
  const whole = text(viewLog(log, { ...all, follow: true }));
  push(log, 'b\nc');
  log.end();
  assert.equal(await whole, 'a\nb\nc');
});

test('memory and file are bounded: the newest lines stay, the first are in the file', async (t) => {
  const path = join(scratch(t), '0.log');
  const log = new LogBuffer(path, { memory: 20_000, file: 5_000 });
  for (let i = 0; i < 1000; i += 1) push(log, `line ${i}\n`);
  await log.flushed();
  const lines = log.lines();
  assert.ok(lines.length < 250);
  assert.equal(lines.at(-1)?.text, 'line 999');
  const file = readFileSync(path, 'utf8');
  assert.match(file, /^\S+ stdout F line 0\n/);
  assert.match(file, /log file is full/);
  assert.ok(file.length < 6_000);
});

test('a line without an end cannot grow for ever', () => {
  const log = new LogBuffer();
  push(log, 'x'.repeat(100_000));
  assert.ok(log.lines().length >= 6);
});
