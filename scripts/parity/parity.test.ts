import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { normalise } from './normal.ts';
import { matches, project } from './project.ts';
import { watchable } from './trace.ts';
import { judge } from './verdict.ts';

const names = { namespace: 'parity-1', image: 'quiesce/parity:1', node: 'node-1' };
const uid = (n: number) => `11111111-2222-3333-4444-55555555555${n}`;

test('what clusters cannot agree on is replaced; equal ids stay equal', () => {
  const told = normalise(
    [
      {
        metadata: {
          uid: uid(1),
          resourceVersion: '7',
          name: 'd-abc-xyz42',
          generateName: 'd-abc-',
          namespace: 'parity-1',
        },
        message: `bound to node-1 at 10.2.3.4, not node-10, uid ${uid(1)}`,
        at: ['2026-11-30T04:53:00Z', '2026-11-30T04:53:00.123456Z', '1970-01-01T00:00:00Z'],
      },
    ],
    names,
  );
  assert.deepEqual(told, [
    {
      at: ['<time>', '<microtime>', '1970-01-01T00:00:00Z'],
      message: 'bound to <node> at <ip>, not node-10, uid <uid 1>',
      metadata: {
        generateName: 'd-abc-',
        name: 'd-abc-<5>',
        namespace: '<ns>',
        resourceVersion: '<version>',
        uid: '<uid 1>',
      },
    },
  ]);
});

test('fields are compared one by one, times with their tolerance, another status as one difference', () => {
  const at = (real: unknown, embedded: unknown) => compare('x', real, embedded).map((unequal) => unequal.at);
  assert.deepEqual(at([{ step: 'GET a', body: { a: 1, b: [1, 2] } }], [{ step: 'GET a', body: { a: 1, b: [1, 3] } }]), [
    '0 GET a.body.b[1]',
  ]);
  const timed = (seconds: number) => [{ step: 's', seconds, within: 1 }];
  assert.deepEqual(at(timed(5), timed(5.9)), []);
  assert.deepEqual(at(timed(5), timed(6.1)), ['0 s']);
  assert.deepEqual(
    at([{ step: 'GET a', status: 200, body: { a: 1, b: 2 } }], [{ step: 'GET a', status: 404, body: {} }]),
    ['0 GET a'],
  );
});

test('a listed difference explains what it names; one that nothing shows, a missing recording and a vain wait do not pass', () => {
  const real = { a: [{ step: 'GET p', x: 1 }], b: [{ step: 'until p', late: 'not within 25 s' }] };
  const listed = [{ experiment: 'a', at: '* GET p.x', reason: 'because' }];
  assert.deepEqual(judge(['a'], real, { a: [{ step: 'GET p', x: 2 }] }, true, listed).unexplained, []);
  assert.equal(judge(['a'], real, { a: [{ step: 'GET p', x: 1 }] }, true, listed).unexplained.length, 1);
  assert.equal(judge(['a'], real, { a: [{ step: 'GET p', x: 1 }] }, false, listed).unexplained.length, 0);
  assert.equal(judge(['b'], real, { b: real.b }, false, []).unexplained.length, 2);
  assert.equal(judge(['c'], real, { c: [] }, false, []).unexplained.length, 1);
});

test('paths of watches, projections and matches', () => {
  assert.equal(watchable('/api/v1/namespaces/n/pods/p'), '/api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp');
  assert.equal(watchable('/api/v1/namespaces/n'), '/api/v1/namespaces?fieldSelector=metadata.name%3Dn');
  assert.equal(watchable('/apis/apps/v1/namespaces/n/deployments'), '/apis/apps/v1/namespaces/n/deployments');
  assert.deepEqual(project({ a: [{ b: 1, c: 2 }, { c: 3 }], d: 1 }, ['a.b', 'e']), { a: [{ b: 1 }, {}] });
  assert.ok(matches({ a: [{ b: 1 }, { b: 2, c: 3 }] }, { a: [{ b: 2 }], d: null }));
  assert.ok(!matches({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }));
});
