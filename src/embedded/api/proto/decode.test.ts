import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../errors.ts';
import { decodeProtobuf } from './decode.ts';

/** A field of bytes, texts or messages; short ones only. */
const held = (number: number, content: string | Buffer) => {
  const bytes = Buffer.from(content as Buffer);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};
const whole = (number: number, value: number) => Buffer.from([number << 3, value]);
const all = (...parts: Buffer[]) => Buffer.concat(parts);
const enveloped = (apiVersion: string, kind: string, raw: Buffer) =>
  all(Buffer.from('k8s\0'), held(1, all(held(1, apiVersion), held(2, kind))), held(2, raw));

test('a Lease as controller-runtime writes it', () => {
  const time = all(whole(1, 100), whole(2, 0));
  const metadata = all(held(1, 'epp'), held(2, ''), held(3, 'default'), held(11, all(held(1, 'a'), held(2, 'b'))));
  const spec = all(held(1, 'me'), whole(2, 15), held(3, time));
  const lease = decodeProtobuf(enveloped('coordination.k8s.io/v1', 'Lease', all(held(1, metadata), held(2, spec))));
  assert.deepEqual(lease, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'epp', namespace: 'default', labels: { a: 'b' } },
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: '1970-01-01T00:01:40.000000Z' },
  });
});

test('fields of Go structs that JSON inlines, lists and int-or-string', () => {
  const probe = all(held(1, held(2, all(held(1, '/health'), held(2, all(whole(1, 0), whole(2, 80)))))), whole(4, 5));
  const container = all(held(1, 'main'), held(3, 'a'), held(3, 'b'), held(10, probe));
  const pod = decodeProtobuf(enveloped('v1', 'Pod', held(2, held(2, container))));
  assert.deepEqual(pod['spec'], {
    containers: [
      {
        name: 'main',
        command: ['a', 'b'],
        livenessProbe: { httpGet: { path: '/health', port: 80 }, periodSeconds: 5 },
      },
    ],
  });
});

test('broken bytes are 400, kinds that are not built in 415, and nothing else is thrown', () => {
  assert.throws(() => decodeProtobuf(Buffer.from('{}')), { status: 400 });
  assert.throws(() => decodeProtobuf(enveloped('v1', 'Pod', Buffer.from([0x0a, 9]))), { status: 400 });
  assert.throws(() => decodeProtobuf(enveloped('a.b/v1', 'Other', Buffer.alloc(0))), { status: 415 });
  const junk = fc.uint8Array({ maxLength: 60 });
  fc.assert(
    fc.property(junk, junk, (inside, outside) => {
      for (const body of [
        enveloped('v1', 'Pod', Buffer.from(inside)),
        all(Buffer.from('k8s\0'), Buffer.from(outside)),
      ]) {
        try {
          decodeProtobuf(body);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
      }
    }),
  );
});
