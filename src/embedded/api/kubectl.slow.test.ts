import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CRDS, definition, deployment } from './crd/crd.testing.ts';
import { PODS, TOKEN, podNamed, testServer } from './test-support.ts';
import type { TestServer } from './test-support.ts';

const missing = spawnSync('kubectl', ['version', '--client']).error
  ? 'kubectl is not on the PATH: kubectl tests are skipped'
  : false;

interface Result {
  code: number;
  out: string;
}

describe('kubectl', { skip: missing }, () => {
  let server: TestServer;
  let folder: string;
  const env = () => ({ ...process.env, HOME: folder, KUBECONFIG: join(folder, 'config') });

  before(async () => {
    server = await testServer();
    folder = mkdtempSync(join(tmpdir(), 'quiesce-kubectl-'));
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      clusters: [
        {
          name: 'test',
          cluster: {
            server: server.url,
            'certificate-authority-data': Buffer.from(server.certificate).toString('base64'),
          },
        },
      ],
      users: [{ name: 'test', user: { token: TOKEN } }],
    };
    writeFileSync(join(folder, 'config'), JSON.stringify(config), { mode: 0o600 });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs kubectl to its end; output and errors together. */
  const kubectl = (args: string, input?: object): Promise<Result> =>
    new Promise((resolve) => {
      const child = execFile('kubectl', args.split(' '), { env: env(), timeout: 30_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, out: stdout + stderr }),
      );
      if (input) child.stdin?.end(JSON.stringify(input));
    });
  const succeeds = async (args: string, input?: object): Promise<string> => {
    const { code, out } = await kubectl(args, input);
    assert.equal(code, 0, `kubectl ${args}: ${out}`);
    return out;
  };

  const template = { metadata: { labels: { app: 'web' } }, spec: podNamed('x')['spec'] };
  const web = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template },
  };

  test('apply creates, changes nothing the second time, changes the third', async () => {
    assert.match(await succeeds('apply -f -', web), /deployment.apps\/web created/);
    assert.match(await succeeds('apply -f -', web), /deployment.apps\/web unchanged/);
    const more = { ...web, spec: { ...web.spec, replicas: 3 } };
    assert.match(await succeeds('apply -f -', more), /deployment.apps\/web configured/);
    assert.match(await succeeds('get deployment web -o jsonpath={.spec.replicas}'), /^3$/);
    assert.match(await succeeds('diff -f -', more), /^$/);
  });

  test('apply --server-side creates and changes', async () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ssa' }, data: { a: '1', b: '2' } };
    await succeeds('apply --server-side -f -', config);
    await succeeds('apply --server-side -f -', { ...config, data: { a: '3' } });
    assert.equal(await succeeds('get configmap ssa -o jsonpath={.data}'), '{"a":"3"}');
  });

  test('get shows Pods, wide and in all namespaces', async () => {
    await server.client.create(PODS, podNamed('shown', { nodeName: 'n1' }));
    const out = await succeeds('get pods -A -o wide');
    assert.match(out, /^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n/);
    assert.match(out, /default +shown +0\/1 +Pending +0 +\d+s +<none> +n1 +<none> +<none>/);
    assert.match(await succeeds('get all'), /pod\/shown[^]*deployment.apps\/web/);
  });

  test('patch, label and describe', async () => {
    await succeeds('patch pod shown -p {"metadata":{"labels":{"a":"b"}}}');
    await succeeds('label pod shown c=d');
    await succeeds('annotate pod shown e=f');
    const out = await succeeds('describe pod shown');
    assert.match(out, /Labels: +a=b\n +c=d\n/);
    assert.match(out, /Events: +<none>/);
    assert.match(await succeeds('describe deployment web'), /Selector: +app=web/);
  });

  test('get -w follows, wait waits', async () => {
    const child = spawn('kubectl', ['get', 'pods', '-w', '--no-headers'], { env: env() });
    let out = '';
    const followed = new Promise<void>((resolve) => {
      child.stdout.on('data', (part: Buffer) => {
        out += part.toString();
        if (out.includes('shown') && !out.includes('Running')) void server.client.patch(`${PODS}/shown/status`, ready);
        if (/shown +1\/1 +Running/.test(out)) resolve();
      });
    });
    const ready = {
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [
          { name: 'main', ready: true, restartCount: 0, image: 'i', imageID: '', state: { running: {} } },
        ],
      },
    };
    await followed;
    child.kill();
    assert.match(await succeeds('wait --for=condition=Ready pod/shown --timeout=10s'), /condition met/);
  });

  test('custom kinds: api-resources, columns, explain, the words of a refusal', async () => {
    await server.client.create(CRDS, definition);
    assert.match(
      await succeeds('api-resources'),
      /modeldeployments +md +worker.gpustack.ai\/v1alpha1 +true +ModelDeployment/,
    );
    await succeeds('apply -f -', deployment('m', [{ name: 'a' }, { name: 'b' }]));
    assert.match(await succeeds('get md'), /^NAME +ROLES +PHASE +AGE\nm +a,b + \d+s\n$/);
    assert.match(await succeeds('explain md.spec.roles'), /terminationGracePeriodSeconds\s+<integer>/);
    const { code, out } = await kubectl(
      'apply -f -',
      deployment('m', [{ name: 'a', terminationGracePeriodSeconds: 14 }]),
    );
    assert.equal(code, 1);
    assert.match(
      out,
      /The ModelDeployment "m" is invalid: spec.roles\[0\].terminationGracePeriodSeconds: Invalid value: 14/,
    );
  });

  test('scale, logs, drain, delete', async () => {
    await succeeds('scale deployment web --replicas=1');
    assert.match(await succeeds('logs shown'), /first line\nsecond line/);
    await server.client.create('/api/v1/nodes', { metadata: { name: 'n1' } });
    const drained = kubectl('drain n1 --force --timeout=20s');
    // What a kubelet does once it sees the deletionTimestamp.
    const stop = server.store.subscribe('pods', ({ object }) => {
      if (object.metadata.deletionGracePeriodSeconds === 30)
        void server.client.remove(`${PODS}/shown`, { gracePeriodSeconds: 0 });
    });
    const { code, out } = await drained;
    stop();
    assert.equal(code, 0, out);
    assert.match(out, /evicting pod default\/shown[^]*node\/n1 drained/);
    assert.match(await succeeds('get nodes'), /n1 +Unknown,SchedulingDisabled/);
    await server.client.create(PODS, podNamed('gone'));
    assert.match(await succeeds('delete pod gone'), /pod "gone" deleted/);
    assert.match(await succeeds('delete deployment web'), /deployment.apps "web" deleted/);
  });
});
