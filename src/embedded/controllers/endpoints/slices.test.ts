import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { isReady, isTerminal } from '../objects.ts';
import type { EndpointSlice, Pod } from '../objects.ts';
import { Lab } from '../testing/lab.ts';

/** The conditions of the one endpoint, as `ready serving terminating`; `none` where there is no endpoint. */
const shown = ({ endpoints }: EndpointSlice): string => {
  const conditions = endpoints?.[0]?.conditions;
  const { ready, serving, terminating } = conditions ?? {};
  return conditions ? [ready, serving, terminating].map((c) => (c ? 't' : 'f')).join('') : 'none';
};

test('an endpoint lives as on a real cluster: fff, ttf, ftt, fft, gone at the end of the Pod', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  const slices = lab.watch<EndpointSlice>('/apis/discovery.k8s.io/v1/endpointslices');
  const endpoints = lab.watch<KubeObject & { subsets?: { addresses?: unknown[] }[] }>('/api/v1/endpoints');
  await lab.node('n1', {});
  await lab.client.create('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'serve' }] },
  });
  const container = { name: 'main', image: 'test', ports: [{ name: 'serve', containerPort: 8123 }] };
  await lab.pod('default', 'web-0', 0, { containers: [container] }, { labels: { app: 'web' } });
  const { object } = await pods.see('bound', (seen) => seen.object.spec.nodeName === 'n1');
  const states: string[] = [];
  const state = async (wanted: string) => {
    const seen = await slices.see(wanted, ({ object: slice }) => shown(slice) === wanted);
    states.push(wanted);
    return seen;
  };

  let pod = await lab.run(object, false);
  const first = await state('fff');
  assert.match(first.object.metadata.name, /^web-[a-z0-9]{5}$/);
  assert.deepEqual(first.object.ports, [{ name: 'http', port: 8123, protocol: 'TCP' }]);
  const { nodeName, targetRef } = first.object.endpoints?.[0] ?? {};
  assert.equal(nodeName, 'n1');
  assert.deepEqual(targetRef, { kind: 'Pod', namespace: 'default', name: 'web-0', uid: pod.metadata.uid });
  pod = await lab.run(pod);
  await state('ttf');
  await endpoints.see('ready in Endpoints', (seen) => seen.object.subsets?.[0]?.addresses?.length === 1);
  await lab.remove(pod);
  const leaving = await state('ftt');
  const deleted = await pods.see('deletion', (seen) => seen.object.metadata.deletionTimestamp !== undefined);
  assert.ok(leaving.at - deleted.at < 500, `${leaving.at - deleted.at} ms after the deletion`);
  await endpoints.see('not in Endpoints', (seen) => seen.at > deleted.at && !seen.object.subsets?.length);
  await lab.run(pod, false);
  await state('fft');
  await lab.end(pod);
  const ended = await pods.see('terminal', (seen) => isTerminal(seen.object));
  const gone = await slices.see('gone', (seen) => seen.at > leaving.at && shown(seen.object) === 'none');
  assert.ok(gone.at - ended.at < 500, `${gone.at - ended.at} ms after the end`);
  assert.ok(!pods.all.some((seen) => seen.type === 'DELETED'), 'gone before the object is');
  assert.deepEqual(states, ['fff', 'ttf', 'ftt', 'fft']);
  assert.equal(new Set(slices.all.map((seen) => seen.object.metadata.name)).size, 1);
});

test('a Service that publishes Pods that are not ready shows them as ready', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  const slices = lab.watch<EndpointSlice>('/apis/discovery.k8s.io/v1/endpointslices');
  await lab.node('n1', {});
  await lab.client.create('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { clusterIP: 'None', selector: { app: 'web' }, publishNotReadyAddresses: true, ports: [{ port: 80 }] },
  });
  await lab.pod('default', 'web-0', 0, {}, { labels: { app: 'web' } });
  const { object } = await pods.see('bound', (seen) => seen.object.spec.nodeName === 'n1');
  assert.ok(!isReady(await lab.run(object, false)));
  const seen = await slices.see('tff', ({ object: slice }) => shown(slice) === 'tff');
  assert.equal(seen.object.metadata.labels?.['service.kubernetes.io/headless'], '');
});
