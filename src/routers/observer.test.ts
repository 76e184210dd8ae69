import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observer, ObserverViewError, parseObserverView, recentDispatch } from './observer.ts';

const selection = { registered: true, healthy: true, circuit_open: false, in_selection: true };
const worker = {
  url: 'http://127.0.0.2:8000',
  port: '8000',
  role: 'regular',
  pod_hint: 'h',
  worker_id: 'w',
  selection,
};
const view = (change: object = {}) => ({
  router: { boot_generation: 1, now_ms: 2 },
  registry_revision: 3,
  workers: [worker],
  ...change,
});

test('a view of each router is read', () => {
  const rows = [
    worker,
    { ...worker, port: null, lane: { busy: true, waiting: 2 }, last_job: { status: 'processing', since: [1] } },
    { ...worker, last_job: { recent_dispatch: true } },
  ];
  const read = parseObserverView(JSON.stringify(view({ workers: rows })));
  assert.deepEqual(
    read.workers.map(({ url }) => url),
    rows.map(({ url }) => url),
  );
  assert.deepEqual(parseObserverView(JSON.stringify(view({ workers: [] }))).workers, []);
});

test('a boot generation in nanoseconds is no error, and another one is another number', () => {
  const at = (boot: string) =>
    parseObserverView(`{"router":{"boot_generation":${boot},"now_ms":1},"registry_revision":1,"workers":[]}`).router;
  assert.equal(at('1796000000123456789').boot_generation, at('1796000000123456789').boot_generation);
  assert.notEqual(at('1796000000123456789').boot_generation, at('1796000001123456789').boot_generation);
});

const without = (key: keyof typeof selection) =>
  Object.fromEntries(Object.entries(selection).filter(([name]) => name !== key));
for (const [what, text] of Object.entries({
  'no JSON': '<html>',
  'half of one': JSON.stringify(view()).slice(0, 60),
  'two values': JSON.stringify(view()) + '{}',
  'an unknown field': JSON.stringify(view({ extra: 1 })),
  'an unknown field of a worker': JSON.stringify(view({ workers: [{ ...worker, extra: 1 }] })),
  'no workers': JSON.stringify(view({ workers: undefined })),
  'null for workers': JSON.stringify(view({ workers: null })),
  'a boot generation of 0': JSON.stringify(view({ router: { boot_generation: 0, now_ms: 1 } })),
  'no router': JSON.stringify(view({ router: undefined })),
  'no selection': JSON.stringify(view({ workers: [{ ...worker, selection: undefined }] })),
  ...Object.fromEntries(
    (Object.keys(selection) as (keyof typeof selection)[]).map((key) => [
      `a selection without ${key}`,
      JSON.stringify(view({ workers: [{ ...worker, selection: without(key) }] })),
    ]),
  ),
  'too much': JSON.stringify(view()) + ' '.repeat(observer.maxBytes),
})) {
  test(`${what}: nothing can be concluded`, () => assert.throws(() => parseObserverView(text), ObserverViewError));
}

test('a journal says whether a dispatch is recent, or it is void', () => {
  const of = (job?: unknown) => recentDispatch({ ...worker, ...(job === undefined ? {} : { last_job: job }) });
  assert.equal(of(), false);
  assert.equal(of({ recent_dispatch: true }), true);
  assert.equal(of({ recent_dispatch: false }), false);
  for (const job of [null, {}, 'yes', { recent_dispatch: 1 }]) assert.throws(() => of(job), ObserverViewError);
});
