import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPatch } from './json.ts';
import { mergePatch } from './merge.ts';
import { strategicPatch } from './strategic.ts';

test('RFC 7386: the examples of its appendix', () => {
  const cases: [unknown, unknown, unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) assert.deepEqual(mergePatch(target, patch), result);
});

test('a merge patch cannot reach the prototype', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
  const result = mergePatch({}, patch) as { polluted?: boolean };
  assert.equal(result.polluted, undefined);
});

test('a JSON patch that is malformed is 400, one that does not fit 422', () => {
  assert.deepEqual(jsonPatch({ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }]), { a: [1, 2] });
  assert.throws(() => jsonPatch({}, { op: 'add' }), { status: 400 });
  assert.throws(() => jsonPatch({}, [{ op: 'remove', path: '/none' }]), { status: 422 });
  assert.throws(() => jsonPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }]), { status: 422 });
});

const pod = {
  metadata: { finalizers: ['x'], ownerReferences: [{ uid: '1', name: 'a' }] },
  spec: {
    containers: [
      { name: 'a', image: 'i', env: [{ name: 'E', value: '1' }], ports: [{ containerPort: 80, name: 'http' }] },
      { name: 'b', image: 'i', args: ['x', 'y'] },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
    tolerations: [{ key: 'k' }],
  },
  status: { conditions: [{ type: 'Ready', status: 'False' }] },
};
const patched = (patch: Record<string, unknown>, kind = 'Pod') =>
  strategicPatch(pod, patch, kind) as unknown as typeof pod;

test('lists are merged by their keys, and only those', () => {
  const result = patched({
    metadata: { finalizers: ['y'], ownerReferences: [{ uid: '2' }] },
    spec: {
      containers: [
        { name: 'b', args: ['z'] },
        { name: 'a', env: [{ name: 'F', value: '2' }], ports: [{ containerPort: 80, protocol: 'TCP' }] },
      ],
      tolerations: [{ key: 'other' }],
    },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Initialized', status: 'True' },
      ],
    },
  });
  assert.deepEqual(result.metadata, {
    finalizers: ['x', 'y'],
    ownerReferences: [{ uid: '1', name: 'a' }, { uid: '2' }],
  });
  const [a, b] = result.spec.containers;
  assert.deepEqual(a?.env, [
    { name: 'E', value: '1' },
    { name: 'F', value: '2' },
  ]);
  assert.deepEqual(a?.ports, [{ containerPort: 80, name: 'http', protocol: 'TCP' }]);
  assert.deepEqual(b?.args, ['z']);
  assert.deepEqual(result.spec.tolerations, [{ key: 'other' }]);
  assert.deepEqual(result.status.conditions, [
    { type: 'Ready', status: 'True' },
    { type: 'Initialized', status: 'True' },
  ]);
});

test('the directives of kubectl are followed', () => {
  const removed = patched({ spec: { containers: [{ $patch: 'delete', name: 'a' }] } });
  assert.deepEqual(
    removed.spec.containers.map((c) => c.name),
    ['b'],
  );
  const replaced = patched({ spec: { containers: [{ $patch: 'replace' }, { name: 'c', image: 'j' }] } });
  assert.deepEqual(replaced.spec.containers, [{ name: 'c', image: 'j' }] as unknown);
  const only = patched({ spec: { $patch: 'replace', nodeName: 'n' } });
  assert.deepEqual(only.spec, { nodeName: 'n' });
  const fewer = patched({ metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } });
  assert.deepEqual(fewer.metadata.finalizers, []);
  const retained = patched({
    spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] },
  });
  assert.deepEqual(retained.spec.volumes, [{ name: 'v', hostPath: { path: '/x' } }] as unknown);
  const ordered = patched({ spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [] } });
  assert.deepEqual(
    ordered.spec.containers.map((c) => c.name),
    ['b', 'a'],
  );
  assert.throws(() => patched({ spec: { containers: [{ image: 'x' }] } }), { status: 400 });
  assert.throws(() => patched({ spec: { $patch: 'explode' } }), { status: 400 });
});

test('ports of a Service are merged by their number, those of a slice are one piece', () => {
  const service = { spec: { ports: [{ port: 80, name: 'a' }] } };
  const patch = { spec: { ports: [{ port: 81, name: 'b' }] } };
  assert.equal((strategicPatch(service, patch, 'Service') as typeof service).spec.ports.length, 2);
  const slice = { ports: [{ port: 80 }], endpoints: [{ addresses: ['1'] }] };
  const next = strategicPatch(slice, { ports: [{ port: 81 }], endpoints: [] }, 'EndpointSlice');
  assert.deepEqual(next, { ports: [{ port: 81 }], endpoints: [] });
});
