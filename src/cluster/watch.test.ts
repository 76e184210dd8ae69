import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { now } from '../time/clock.ts';
import { FakeCollection } from './watch.testing.ts';
import { Watch } from './watch.ts';
import type { WatchOptions } from './watch.ts';

/** A watch on a scripted server, with all that it told as short words. */
async function watching(t: TestContext, fake = new FakeCollection(), options: WatchOptions = {}) {
  const client = await fake.start();
  const told: string[] = [];
  const gaps: { from: number; to: number; reason: string }[] = [];
  const late: { name: string; at: number; since: number }[] = [];
  const looks = new Set<() => void>();
  let fail!: () => void;
  const failed = new Promise<void>((resolve) => (fail = resolve));
  const tell = (word: string) => {
    told.push(word);
    for (const look of [...looks]) look();
  };
  const handlers = {
    event: (type: string, { metadata: { name } }: { metadata: { name: string } }, at: number, since: number) => {
      if (since < at) late.push({ name, at, since });
      tell(`${type} ${name}`);
    },
    synced: () => tell('synced'),
    opened: () => tell('opened'),
    gap: (from: number, to: number, reason: string) => {
      gaps.push({ from, to, reason });
      tell('gap');
    },
    relisted: (reason: string, missed: number) => tell(`relisted ${reason}, ${missed} missed`),
    unparsable: (line: string) => tell(`unparsable ${line}`),
    failed: () => fail(),
  };
  const watch = new Watch(client, fake.path, handlers, options);
  t.after(async () => {
    watch.stop();
    client.close();
    await fake.stop();
  });
  /** Waits until this was told after the first `from` words. */
  const until = async (word: string, from = 0) => {
    while (!told.slice(from).includes(word)) {
      await new Promise<void>((resolve) => looks.add(() => resolve()));
      looks.clear();
    }
  };
  await until('opened');
  return { fake, watch, told, gaps, late, until, failed };
}

test('first the list, then what happens', async (t) => {
  const fake = new FakeCollection();
  fake.put('a');
  const { told, until } = await watching(t, fake);
  fake.put('b');
  fake.put('a');
  fake.remove('b');
  await until('DELETED b');
  assert.deepEqual(told, ['ADDED a', 'synced', 'opened', 'ADDED b', 'MODIFIED a', 'DELETED b']);
});

for (const how of ['end', 'half-line', 'reset'] as const) {
  test(`resumes after a cut (${how}), tells the gap, loses and repeats nothing`, async (t) => {
    const { fake, told, gaps, late, until } = await watching(t);
    fake.put('before');
    await until('ADDED before');
    const cutAt = now();
    fake.cut(how);
    fake.put('meanwhile');
    await until('ADDED meanwhile');
    assert.deepEqual(told, ['synced', 'opened', 'ADDED before', 'gap', 'opened', 'ADDED meanwhile']);
    assert.deepEqual(fake.asked, [null, '100', '101']);
    const [gap] = gaps;
    assert.ok(gap && gap.from <= gap.to && (how === 'reset' || gap.from >= cutAt), JSON.stringify({ gap, cutAt }));
    if (how === 'half-line') assert.match(gap.reason, /inside a line/);
    assert.equal(late.find(({ name }) => name === 'meanwhile')?.since, gap.from);
  });
}

for (const by of ['status', 'event'] as const) {
  test(`a compacted version (${by}) is answered by a fresh list and its differences`, async (t) => {
    const fake = new FakeCollection();
    for (const name of ['kept', 'changed', 'deleted', 'replaced']) fake.put(name);
    const { told, gaps, until } = await watching(t, fake);
    const before = told.length;
    fake.goneBy = by;
    fake.compacted = 1000;
    fake.cut('end');
    fake.put('changed');
    fake.remove('deleted');
    fake.put('new');
    fake.remove('replaced');
    fake.put('replaced', {}, 'another-uid');
    await fake.until(() => fake.asked.length > 2);
    fake.compacted = 0;
    await until('relisted 410 Gone, 5 missed', before);
    const news = told.slice(before);
    assert.deepEqual(news.filter((word) => /^[A-Z]+ /.test(word)).sort(), [
      'ADDED new',
      'ADDED replaced',
      'DELETED deleted',
      'DELETED replaced',
      'MODIFIED changed',
    ]);
    assert.ok(news.indexOf('DELETED replaced') < news.indexOf('ADDED replaced'));
    assert.ok(news.indexOf('gap') < news.indexOf('DELETED deleted'), 'the gap is told before what it hid');
    assert.ok(gaps.length >= 1);
  });
}

test('repeated events are dropped, and so are older ones', async (t) => {
  const { fake, told, until } = await watching(t);
  fake.put('a');
  fake.put('a');
  fake.put('b');
  fake.remove('b');
  await until('DELETED b');
  const before = told.length;
  fake.repeatAll();
  fake.put('end');
  await until('ADDED end');
  // The object `b` is gone, so that its whole life comes again: a server that does this cannot be told from a new life.
  assert.deepEqual(told.slice(before), ['ADDED b', 'DELETED b', 'ADDED end']);
});

test('unparsable lines are handed over and cost nothing else', async (t) => {
  const { fake, told, until } = await watching(t);
  const bad = [
    'nonsense',
    'null',
    '{}',
    '{"type":"ADDED"}',
    '{"type":"ADDED","object":null}',
    '{"type":"ODD","object":{}}',
  ];
  for (const line of bad) fake.raw(`${line}\n`);
  fake.raw('\n');
  fake.put('a');
  await until('ADDED a');
  assert.deepEqual(told.slice(2), [...bad.map((line) => `unparsable ${line}`), 'ADDED a']);
});

test('lines come out whole however the bytes are split', async (t) => {
  const { fake, told, until } = await watching(t);
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(300)), async (cuts) => {
      const name = `pod-${(n += 1)}`;
      const metadata = {
        name,
        namespace: 'ns',
        uid: name,
        resourceVersion: String(1000 + n),
        annotations: { word: 'größe' },
      };
      const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata } })}\n`);
      const at = [...new Set(cuts.map((cut) => cut % line.length))].sort((a, b) => a - b);
      for (const [i, from] of [0, ...at].entries())
        for (const s of fake.streams) s.write(line.subarray(from, at[i] ?? line.length));
      await until(`ADDED ${name}`);
    }),
    { numRuns: 50 },
  );
  assert.ok(!told.some((word) => word.startsWith('unparsable')));
});

test('a bookmark moves the version from which a watch resumes', async (t) => {
  const { fake, until, told } = await watching(t);
  fake.deaf = true;
  fake.put('elsewhere'); // of another selector, say: this watch hears of its version by bookmark only
  fake.bookmark();
  fake.deaf = false;
  fake.put('a');
  await until('ADDED a');
  fake.cut('end');
  await until('opened', told.length);
  assert.equal(fake.asked.at(-1), '102');
});

test('a server that is away for a while: one gap, tries counted as failures, nothing lost', async (t) => {
  const { fake, told, gaps, until } = await watching(t);
  fake.put('a');
  await until('ADDED a');
  const from = now();
  await fake.stop();
  fake.put('b');
  await new Promise((resolve) => setTimeout(resolve, 250)); // longer than two tries
  const to = now();
  await fake.start();
  await until('ADDED b');
  assert.deepEqual(told.slice(2), ['ADDED a', 'gap', 'opened', 'ADDED b']);
  assert.ok(gaps[0] && gaps[0].from <= from + 100 && gaps[0].to >= to, JSON.stringify(gaps));
});

test('a watch that is stopped while the server is away tells of the open gap', async (t) => {
  const { fake, watch, gaps, failed } = await watching(t);
  fake.status = 503;
  fake.cut('end');
  await failed;
  assert.equal(gaps.length, 0);
  watch.stop();
  assert.match(gaps[0]?.reason ?? '', /not opened again$/);
  watch.stop();
  assert.equal(gaps.length, 1);
});

test('a half-open connection is found by an audit, and what it hid is told with its gap', async (t) => {
  const { fake, told, gaps, late, until } = await watching(t, undefined, { auditMs: 40, deafMs: 40 });
  fake.put('a');
  await until('ADDED a');
  fake.deaf = true;
  fake.put('hidden');
  fake.remove('a');
  await until('relisted deaf, 2 missed');
  assert.deepEqual(
    told.filter((word) => / (a|hidden)$/.test(word)),
    ['ADDED a', 'DELETED a', 'ADDED hidden'],
  );
  assert.match(gaps[0]?.reason ?? '', /^deaf: 2 changes/);
  assert.equal(late.find(({ name }) => name === 'hidden')?.since, gaps[0]?.from);
});

test('quiet is no gap: an audit that finds nothing changes nothing', async (t) => {
  const { fake, told, watch } = await watching(t, undefined, { auditMs: 20, deafMs: 20 });
  await fake.until(() => fake.asked.filter((asked) => asked === null).length >= 4);
  await watch.audit();
  assert.deepEqual(told, ['synced', 'opened']);
});

test('a server error does not end the watch', async (t) => {
  const { fake, until, told } = await watching(t);
  fake.status = 503;
  fake.cut('end');
  await new Promise((resolve) => setTimeout(resolve, 150));
  fake.status = undefined;
  fake.put('a');
  await until('ADDED a');
  assert.deepEqual(told.slice(2), ['gap', 'opened', 'ADDED a']);
});
