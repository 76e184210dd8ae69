import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { readKubeconfig } from '../cluster/kubeconfig.ts';
import { KubeClient } from '../cluster/rest.ts';
import { Watch } from '../cluster/watch.ts';
import { FIRST_NODE } from './bootstrap.ts';
import { startCluster } from './cluster.ts';
import type { EndpointSlice, Service } from './controllers/objects.ts';
import { actor } from './kubelet/testing/actor.ts';
import { scratch } from './kubelet/testing/scratch.ts';
import type { ProgramRegistry } from './programs.ts';

const nothing: ProgramRegistry = { known: () => false, resolve: () => undefined };

/** Settles when an object of a collection fits. */
function seen<T extends EndpointSlice>(client: KubeClient, path: string, fits: (object: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const watch = new Watch<T>(client, path, {
      event: (_type, object) => {
        if (!fits(object)) return;
        setImmediate(() => watch.stop());
        resolve(object);
      },
    });
  });
}

const refused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false)).on('error', () => resolve(true));
    socket.on('close', () => socket.destroy());
  });

test('a Deployment behind a Service answers, and nothing of the cluster is left after its stop', async (t) => {
  const program = actor(scratch(t));
  const programs = { known: () => true, resolve: () => program };
  const cluster = await startCluster({ timeScale: 10, programs, log: (line) => t.diagnostic(line) });
  t.after(() => cluster.stop());
  assert.equal(statSync(cluster.folder).mode & 0o777, 0o700);
  assert.equal(statSync(cluster.kubeconfig).mode & 0o777, 0o600);
  const client = new KubeClient(readKubeconfig(cluster.kubeconfig));
  t.after(() => client.close());
  const stranger = new KubeClient({ server: cluster.plainUrl });
  t.after(() => stranger.close());
  await assert.rejects(stranger.get('/api/v1/nodes'), /401/);

  const labels = { app: 'web' };
  const port = 8400;
  const container = { name: 'main', image: 'any', args: [`port=${port}`] };
  await client.create('/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ ...container, readinessProbe: { httpGet: { path: '/ready', port }, periodSeconds: 1 } }],
        },
      },
    },
  });
  const ports = [{ port: 80, targetPort: port }];
  const body = { metadata: { name: 'web' }, spec: { selector: labels, ports } };
  const service = await client.create<Service>('/api/v1/namespaces/default/services', body);
  const ready = ({ endpoints }: EndpointSlice) => endpoints?.filter((e) => e.conditions?.ready).length === 2;
  const slice = await seen(client, '/apis/discovery.k8s.io/v1/endpointslices', ready);
  assert.equal(slice.endpoints?.[0]?.nodeName, FIRST_NODE);
  const answer = await fetch(`http://${service.spec.clusterIP}/`);
  assert.equal(await answer.text(), 'ok');

  await cluster.stop();
  assert.ok(!existsSync(cluster.folder));
  assert.ok(await refused(Number(new URL(cluster.url).port)));
  await assert.rejects(fetch(`http://${slice.endpoints?.[0]?.addresses[0]}:${port}/`));
});

test('a port that is taken is one clear error, and nothing stays', async (t) => {
  const cluster = await startCluster({ timeScale: 10, programs: nothing });
  t.after(() => cluster.stop());
  const port = Number(new URL(cluster.url).port);
  await assert.rejects(startCluster({ timeScale: 10, programs: nothing, port }), {
    code: 'QUIESCE_API_LISTEN',
    message: new RegExp(`port ${port} .* is taken`),
  });
});

test('a time scale that is none is refused before anything starts', async () => {
  await assert.rejects(startCluster({ timeScale: 0, programs: nothing }), RangeError);
});

test('Services of clusters side by side have different addresses', async (t) => {
  const address = async (): Promise<string> => {
    const cluster = await startCluster({ timeScale: 10, programs: nothing });
    t.after(() => cluster.stop());
    const client = new KubeClient({ server: cluster.plainUrl, token: cluster.token });
    t.after(() => client.close());
    const service = { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } };
    return (await client.create<Service>('/api/v1/namespaces/default/services', service)).spec.clusterIP ?? '';
  };
  const [one, two] = [await address(), await address()];
  assert.match(one, /^127\.80\./);
  assert.notEqual(one, two);
});
