import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { modelDeployment } from '../../src/systems/gpustack/model-deployment.ts';
import { defaults } from '../../src/systems/gpustack/names.ts';
import { appliedFolders } from '../testing/kustomize.ts';
import { whyNotNow } from './possible.ts';
import { root } from './root.ts';
import { script } from './testing/script.ts';

const name = `test-${process.pid}`;
const run = (file: string, ...args: string[]) => script(`real/${file}`, ['--name', name, ...args]).ended;

/** Runs kubectl in the cluster's network. Both streams of what it printed. */
async function kubectl(...args: string[]): Promise<string> {
  const { code, output } = await run('in-cluster-net', 'kubectl', ...args);
  assert.equal(code, 0, `kubectl ${args.join(' ')}: ${output}`);
  return output.trim();
}

const engine = modelDeployment({ name: 'x', namespace: 'x', roles: [] }, 'B').spec.engine.image;

/** A vLLM double that leaves by a hook, as the operator renders it, and a Service in front of it. */
const pod = (podName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: podName, namespace: 'default', labels: { app: podName } },
  spec: {
    terminationGracePeriodSeconds: 60,
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'main',
        image: engine,
        command: ['vllm', 'serve', 'quiesce/tiny', '--host', '0.0.0.0', '--port', '8000'],
        ports: [{ name: 'http', containerPort: 8000 }],
        resources: { limits: { 'nvidia.com/gpu': '1' } },
        readinessProbe: { httpGet: { path: '/health', port: 'http' }, periodSeconds: 1 },
        lifecycle: {
          preStop: {
            exec: {
              command: [
                ...['drain-hook', '--scheme', 'http', '--port', '8000', '--grace', '60'],
                ...['--gauges', 'vllm:num_requests_running,vllm:num_requests_waiting'],
              ],
            },
          },
        },
      },
    ],
  },
});
const service = (app: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: app, namespace: 'default' },
  spec: { selector: { app }, ports: [{ port: 80, targetPort: 'http' }] },
});

describe('doubles as containers under the real kubelet', { skip: (await whyNotNow(true)) ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-containers-'));
  after(() => rmSync(folder, { recursive: true }));
  before(async () => {
    const up = await run('kubernetes-up');
    assert.equal(up.code, 0, up.output);
  });
  after(() => run('kubernetes-down'));

  const apply = (...objects: object[]) => {
    const file = join(folder, 'objects.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    return kubectl('apply', '-f', file);
  };

  test('an engine is served, entered, drained by its hook and stopped', async () => {
    await apply(pod('one'), service('one'));
    await kubectl('wait', 'pod/one', '--for=condition=Ready', '--timeout=60s');
    assert.equal(await kubectl('exec', 'one', '--', 'sh', '-c', 'echo $QUIESCE_POD_IP; exit 0'), '0.0.0.0');
    const failed = await run('in-cluster-net', 'kubectl', 'exec', 'one', '--', 'sh', '-c', 'exit 7');
    assert.equal(failed.code, 7, failed.output);

    // The log is followed from before the delete: it ends with the container.
    const log = script('real/in-cluster-net', ['--name', name, 'kubectl', 'logs', '--follow', 'one']);
    await log.said(/\S/);
    await kubectl('delete', 'pod/one', '--wait=true', '--timeout=90s');
    const { output } = await log.ended;
    assert.match(output, /GET \/metrics HTTP\/1\.1" 200/, 'the hook has read the gauges');
    assert.match(output, /[Ss]hutting down/, 'SIGTERM has reached the engine itself, not a shell before it');
    const events = await kubectl('get', 'events', '--field-selector', 'involvedObject.name=one', '-o', 'name');
    assert.doesNotMatch(events, /FailedPreStopHook/);
  });

  test('a Service’s address leads to its Pods, from the Node and from a Pod', async () => {
    await apply(pod('two'), service('two'));
    await kubectl('wait', 'pod/two', '--for=condition=Ready', '--timeout=60s');
    const address = await kubectl('get', 'service/two', '-o', 'jsonpath={.spec.clusterIP}');
    // kube-proxy writes its rules a moment after the Pod is Ready: until then the connection is refused.
    const ask = `const until = Date.now() + 30000; (async function ask() {
      const r = await fetch('http://${address}/v1/models').catch((error) => error);
      if (r instanceof Error && Date.now() < until) return setTimeout(ask, 100);
      if (r instanceof Error) throw r;
      console.log(r.status, await r.text());
    })()`;
    const fromNode = await run('in-cluster-net', process.execPath, '-e', ask);
    assert.match(fromNode.output, /^200 .*quiesce\/tiny/);
    // By its own Service: the packet leaves the Pod and comes back to it.
    assert.match(await kubectl('exec', 'two', '--', 'node', '-e', ask), /^200 .*quiesce\/tiny/);
    await kubectl('delete', 'pod/two', 'service/two', '--grace-period=1');
  });

  /** The Job of manifests/job, as an overlay runs one cheap scenario by it; settles when the run has begun. */
  async function startJob(): Promise<void> {
    const args = ['run', 'delete-drains', '--target=kubernetes', '--kubeconfig=in-cluster', '--double-images'];
    const patch = [
      {
        op: 'replace',
        path: '/spec/template/spec/containers/0/args',
        value: [...args, '--until-decided=3', '--out=/results/run'],
      },
    ];
    const overlay = {
      resources: [relative(folder, join(root, 'manifests/job'))],
      patches: [{ target: { kind: 'Job' }, patch: JSON.stringify(patch) }],
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    await kubectl('apply', '-f', join(root, 'manifests/rbac.yaml'));
    await kubectl('apply', '-k', join(root, 'manifests/crds'));
    await kubectl('apply', '-k', folder);
    await kubectl(...ofJob, 'wait', 'job/quiesce', '--for=jsonpath={.status.ready}=1', '--timeout=60s');
  }
  const ofJob = ['--namespace', 'quiesce'];
  const ours = async () => (await kubectl('get', 'namespaces', '-o', 'name')).match(/namespace\/q-\S+/g) ?? [];

  test('the harness runs as a Job with the rights of manifests/rbac.yaml, and its results are fetched', async () => {
    await startJob();
    const log = await kubectl(...ofJob, 'logs', '--follow', 'job/quiesce', '--container', 'run');
    const got = join(folder, 'got');
    mkdirSync(got);
    const tar = `kubectl -n quiesce exec job/quiesce --container results -- tar -cC /results . | tar -xC ${got}`;
    const fetched = await run('in-cluster-net', 'sh', '-c', tar);
    assert.equal(fetched.code, 0, fetched.output);
    const results = JSON.parse(readFileSync(join(got, 'run/results.json'), 'utf8')) as {
      verdicts: { requirement: string; outcome: string }[];
    }[];
    const verdicts = results.flatMap((result) => result.verdicts);
    assert.ok(verdicts.length > 5, log);
    assert.deepEqual([...new Set(verdicts.map(({ outcome }) => outcome))], ['pass'], log);
    assert.deepEqual(await ours(), [], 'a run that ends by itself leaves nothing');

    await kubectl(...ofJob, 'exec', 'job/quiesce', '--container', 'results', '--', 'quiesce-results', 'release');
    await kubectl(...ofJob, 'wait', 'job/quiesce', '--for=condition=Complete', '--timeout=30s');
    await kubectl(...ofJob, 'delete', 'job/quiesce', '--cascade=foreground', '--timeout=60s');
  });

  test('a Job that is deleted in the middle takes with it what its run made', async () => {
    await startJob();
    for (const end = Date.now() + 60_000; (await ours()).length === 0;)
      assert.ok(Date.now() < end, 'the run has made no namespace');
    await kubectl(...ofJob, 'delete', 'job/quiesce', '--cascade=foreground', '--timeout=200s');
    assert.deepEqual(await ours(), []);
    await kubectl('delete', '-k', folder, '--ignore-not-found', '--timeout=60s');
  });

  test('the API server would take every manifest', async () => {
    await kubectl('apply', '-k', join(root, 'manifests/dynamo'));
    await kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=30s');
    // These two bring namespaces, and are applied for real in this file.
    for (const folder of appliedFolders.filter((one) => one !== 'operator' && one !== 'job'))
      await kubectl('apply', '--dry-run=server', '-k', join(root, 'manifests', folder));
    const typo = await run(
      ...['in-cluster-net', 'sh', '-c'],
      `kubectl kustomize ${join(root, 'manifests/nvidia')} | sed s/tolerations:/toleration:/ | kubectl apply --dry-run=server -f -`,
    );
    assert.notEqual(typo.code, 0, typo.output);
    assert.match(typo.output, /unknown field "spec.template.spec.toleration"/);
  });

  test('engines, routers and a graph of Dynamo become ready as containers', async () => {
    const folders = ['engines/double', 'routers', 'graphs/double'].map((name) => join(root, 'manifests', name));
    for (const one of folders) await kubectl('apply', '-k', one);
    for (const name of ['tiny-frontend', 'tiny-worker'])
      await kubectl('wait', `deployment/${name}`, '--for=create', '--timeout=60s');
    await kubectl('wait', 'deployment', '--all', '--for=condition=Available', '--timeout=120s');
    for (const one of folders) await kubectl('delete', '-k', one, '--wait=false');
  });

  test('the operator’s double deploys an engine behind a router', async () => {
    await kubectl('apply', '-k', join(root, 'manifests'));
    await kubectl('-n', 'gpustack-system', 'rollout', 'status', 'deployment/gpustack-operator', '--timeout=90s');
    await kubectl('apply', '-k', join(root, 'manifests/examples'));
    await kubectl('wait', 'modeldeployment/tiny', '--for=jsonpath={.status.phase}=Ready', '--timeout=120s');
    await kubectl('wait', 'deployment/tiny-router', '--for=condition=Available', '--timeout=60s');
    const images = await kubectl('get', 'pods', '-o', 'jsonpath={.items[*].spec.containers[*].image}');
    assert.ok(images.includes(defaults.routerImage) && images.includes(engine ?? ''), images);
  });
});
