import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PODS, podNamed, testServer } from '../test-support.ts';
import type { TestServer } from '../test-support.ts';

let server: TestServer;
before(async () => (server = await testServer()));
after(() => server.close());

const noop = { exec: { command: ['true'] } };
const exists = { operator: 'Exists', key: 'a' };

/** Parts of a container or a Pod, and what a real server (1.34.4) says to them. */
const refused: [main: object, spec: object, message: string][] = [
  [{ image: ' x' }, {}, 'containers[0].image: Invalid value: " x": must not have leading or trailing whitespace'],
  [{ ports: [{ containerPort: 0 }] }, {}, 'containers[0].ports[0].containerPort: Required value'],
  [
    { env: [{ name: 'A', valueFrom: {} }] },
    {},
    'containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
  ],
  [
    { livenessProbe: { ...noop, successThreshold: 2 } },
    {},
    'containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    { lifecycle: { preStop: { sleep: { seconds: 100 } } } },
    {},
    'containers[0].lifecycle.preStop.sleep: Invalid value: 100: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ],
  [
    { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
    {},
    'containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    { resources: { requests: { 'nvidia.com/gpu': '1' } } },
    {},
    'containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    {},
    { initContainers: [{ name: 'i', image: 'x', lifecycle: { preStop: noop } }] },
    'initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
  ],
  [
    {},
    { tolerations: [{ ...exists, effect: 'NoSchedule', tolerationSeconds: 3 }] },
    'tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ],
  [
    {},
    { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }] },
    'volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
  ],
];

test('what is wrong with a Pod is said in the words of a real server', async () => {
  for (const [main, spec, message] of refused) {
    const body = podNamed('p', { containers: [{ name: 'main', image: 'x', ...main }], ...spec });
    await assert.rejects(server.client.create(PODS, body), (error: Error) => {
      assert.ok(error.message.endsWith(`Pod "p" is invalid: spec.${message}`), error.message);
      return true;
    });
  }
});

test('a Pod stays 300 s on a lost Node unless it says otherwise; an unknown account is refused', async () => {
  const { spec } = await server.client.create<{ spec: { tolerations: object[] } }>(PODS, podNamed('plain'));
  assert.deepEqual(spec.tolerations, [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ]);
  const own = podNamed('own', { tolerations: [{ operator: 'Exists' }] });
  const kept = await server.client.create<{ spec: { tolerations: object[] } }>(PODS, own);
  assert.equal(kept.spec.tolerations.length, 1);
  await assert.rejects(
    server.client.create(PODS, podNamed('other', { serviceAccountName: 'none' })),
    /error looking up service account default\/none: serviceaccount "none" not found/,
  );
});

test('a gated Pod says so from its first moment', async () => {
  const gated = podNamed('gated', { schedulingGates: [{ name: 'quiesce.dev/g' }] });
  const { status } = await server.client.create<{ status: { conditions: { reason: string }[] } }>(PODS, gated);
  assert.equal(status.conditions[0]?.reason, 'SchedulingGated');
});
