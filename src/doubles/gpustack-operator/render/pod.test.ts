import { test } from 'node:test';
import assert from 'node:assert/strict';
import { modelDeployment } from '../../../systems/gpustack/model-deployment.ts';
import { engineOf, graceOf, hookOf, scrapeOf, type Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, RoleInput } from '../../../systems/gpustack/types.ts';
import type { Release } from '../../../systems/gpustack/operator.ts';
import type { OperatorFault } from '../faults.ts';
import { fnv64 } from './fnv.ts';
import { replicaPod, specHash } from './pod.ts';
import { routerObjects } from './router.ts';
import { services } from './services.ts';

const made = (...roles: Partial<RoleInput>[]): ModelDeployment => {
  const all = roles.map((role) => ({ name: 'worker', replicas: 1, ...role }));
  const deployment = modelDeployment({ name: 'md', namespace: 'ns', roles: all, router: {} }, 'v0.9.2');
  return { ...deployment, metadata: { ...deployment.metadata, uid: 'uid-1' } };
};

const how = (faults: OperatorFault[] = [], release: Release = 'v0.9.2') => ({
  release,
  faults: new Set<string>(faults),
});

function rendered(role: Partial<RoleInput>, faults: OperatorFault[] = [], release: Release = 'v0.9.2'): Pod {
  const deployment = made(role);
  return replicaPod(deployment, deployment.spec.roles[0]!, 0, how(faults, release)) as Pod;
}

function hash(role: Partial<RoleInput>, faults: OperatorFault[] = [], release: Release = 'v0.9.2'): string {
  const deployment = made(role, { name: 'other' });
  return specHash(deployment, deployment.spec.roles[0]!, 0, how(faults, release));
}

test('FNV-1a of 64 bits, by its published vectors', () => {
  assert.equal(fnv64(''), 'cbf29ce484222325');
  assert.equal(fnv64('a'), 'af63dc4c8601ec8c');
  assert.equal(fnv64('foobar'), '85944171f73967e8');
});

test('an operator-built replica, whole', () => {
  const pod = rendered({ terminationGracePeriodSeconds: 45, extraArgs: ['--enable-log-requests'], env: { A: 'b' } });
  const probe = { httpGet: { path: '/health', port: 'http', scheme: 'HTTP' }, periodSeconds: 10, timeoutSeconds: 3 };
  assert.deepEqual(pod.metadata.labels, {
    'app.kubernetes.io/name': 'model-deployment',
    'app.kubernetes.io/instance': 'md',
    'app.kubernetes.io/component': 'worker',
    'app.kubernetes.io/part-of': 'gpustack-operator-worker',
    'modeldeployment.gpustack.ai/role-kind': 'server',
    'modeldeployment.gpustack.ai/pod-ordinal': '0',
    'modeldeployment.gpustack.ai/member-index': '0',
    'kueue.x-k8s.io/queue-name': 'gpustack-fnv64-3e6bd8499f73f72c',
    'kueue.x-k8s.io/pod-group-name': 'gpustack-fnv64-493b0b8e9ce8b4fd',
  });
  const { 'modeldeployment.gpustack.ai/pod-spec-hash': specified, ...annotations } = pod.metadata.annotations ?? {};
  assert.match(specified ?? '', /^[0-9a-f]{16}$/);
  assert.deepEqual(annotations, {
    'kueue.x-k8s.io/pod-group-total-count': '1',
    'kueue.x-k8s.io/role-hash': 'worker',
    'kueue.x-k8s.io/pod-group-serving': 'true',
    'prometheus.io/scrape': 'true',
    'prometheus.io/path': '/metrics',
    'prometheus.io/port': '8000',
    'prometheus.io/scheme': 'http',
  });
  assert.equal(pod.metadata.generateName, 'md-worker-');
  const gauges = 'vllm:num_requests_running,vllm:num_requests_waiting';
  assert.deepEqual(pod.spec, {
    restartPolicy: 'Always',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 45,
    containers: [
      {
        name: 'main',
        image: 'gpustack/runner:cuda12.9-vllm0.32.0',
        command: ['vllm', 'serve', 'quiesce/tiny', '--enable-log-requests', '--host', '0.0.0.0', '--port', '8000'],
        env: [{ name: 'A', value: 'b' }],
        ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
        resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '1' } },
        startupProbe: { ...probe, failureThreshold: 180 },
        readinessProbe: { ...probe, failureThreshold: 3 },
        livenessProbe: { ...probe, failureThreshold: 6 },
        lifecycle: {
          preStop: {
            exec: {
              command: ['drain-hook', '--scheme', 'http', '--port', '8000', '--grace', '45', '--gauges', gauges],
            },
          },
        },
      },
    ],
  });
});

test('an unset grace is an explicit 30, and 30 renders the same Pod', () => {
  assert.equal(graceOf(rendered({})), 30);
  assert.equal(hash({}), hash({ terminationGracePeriodSeconds: 30 }));
  assert.notEqual(hash({}), hash({ terminationGracePeriodSeconds: 31 }));
});

test('a take-over role gets no hook, no scrape annotations, no probes, and its grace as given', () => {
  const pod = rendered({
    command: ['vllm', 'serve', 'x'],
    extraArgs: ['--port', '9'],
    terminationGracePeriodSeconds: 77,
  });
  assert.deepEqual(engineOf(pod)?.command, ['vllm', 'serve', 'x']);
  assert.equal(hookOf(pod), undefined);
  assert.equal(scrapeOf(pod), undefined);
  assert.equal(engineOf(pod)?.['readinessProbe'], undefined);
  assert.equal(graceOf(pod), 77);
  assert.ok(!('terminationGracePeriodSeconds' in rendered({ command: ['x'] }).spec));
});

const hookPort = (pod: Pod) => hookOf(pod)?.[hookOf(pod)!.indexOf('--port') + 1];

test('a --port of the role alone moves the engine, not the hook; a declared port moves both', () => {
  const moved = rendered({ extraArgs: ['--port', '8100'] });
  assert.deepEqual(engineOf(moved)?.command?.slice(-4), ['--port', '8100', '--host', '0.0.0.0']);
  assert.equal(hookPort(moved), '8000');
  assert.equal(scrapeOf(moved)?.port, 8000);
  assert.equal(engineOf(moved)?.['startupProbe'], undefined);
  assert.equal(hookPort(rendered({ extraArgs: ['--port', '8100'] }, ['moved-port-followed'])), '8100');
  const declared = rendered({ ports: [{ port: 8100 }], extraArgs: ['--port=8100'] });
  assert.equal(hookPort(declared), '8100');
  assert.equal(scrapeOf(declared)?.port, 8100);
  assert.ok(engineOf(declared)?.['startupProbe']);
});

test('a TLS flag of vLLM makes hook, annotations and probes https', () => {
  const pod = rendered({ extraArgs: ['--ssl-keyfile=/k', '--ssl-certfile', '/c'] });
  assert.equal(scrapeOf(pod)?.scheme, 'https');
  assert.ok(hookOf(pod)?.join(' ').startsWith('drain-hook --scheme https'));
  assert.equal((engineOf(pod)?.['livenessProbe'] as { httpGet: { scheme: string } }).httpGet.scheme, 'HTTPS');
});

test('the release before the drain window renders neither hook nor grace, so that every operator-built hash differs', () => {
  const pod = rendered({ terminationGracePeriodSeconds: 45 }, [], 'before-drain-window');
  assert.equal(hookOf(pod), undefined);
  assert.equal(graceOf(pod), undefined);
  assert.notEqual(hash({}, [], 'before-drain-window'), hash({}));
  assert.equal(hash({ command: ['x'] }, [], 'before-drain-window'), hash({ command: ['x'] }));
});

test('faults of the rendering', () => {
  assert.equal(hookOf(rendered({}, ['hook-missing'])), undefined);
  assert.equal(graceOf(rendered({ terminationGracePeriodSeconds: 45 }, ['grace-not-written'])), undefined);
  assert.equal(graceOf(rendered({}, ['unset-grace-is-15'])), 15);
  assert.ok(hookOf(rendered({ command: ['x'] }, ['takeover-gets-hook'])));
  assert.equal(
    graceOf(rendered({ command: ['x'], terminationGracePeriodSeconds: 77 }, ['takeover-drops-grace'])),
    undefined,
  );
  assert.equal(graceOf(rendered({ command: ['x'] }, ['takeover-default-grace-written'])), 45);
  assert.notEqual(
    hash({}, ['same-value-turns-over']),
    hash({ terminationGracePeriodSeconds: 30 }, ['same-value-turns-over']),
  );
  assert.equal(hash({}, ['grace-edit-ignored']), hash({ terminationGracePeriodSeconds: 45 }, ['grace-edit-ignored']));
});

test('the fault grace-edit-all-roles lets the grace of one role into the hash of the other', () => {
  const hashes = (faults: OperatorFault[], grace: number) => {
    const deployment = made({}, { name: 'other', terminationGracePeriodSeconds: grace });
    return specHash(deployment, deployment.spec.roles[0]!, 0, how(faults));
  };
  assert.equal(hashes([], 40), hashes([], 50));
  assert.notEqual(hashes(['grace-edit-all-roles'], 40), hashes(['grace-edit-all-roles'], 50));
  assert.equal(hashes(['grace-edit-all-roles'], 40), hashes(['grace-edit-all-roles'], 40));
});

test('Services select a role and a router selects every server replica, but not itself', () => {
  const deployment = made({}, { name: 'other', ports: [{ port: 8100 }] });
  const [main, worker, other] = services(deployment, () => false);
  assert.deepEqual(
    [main, worker, other].map((s) => s?.metadata.name),
    ['md', 'md-worker', 'md-other'],
  );
  assert.deepEqual((other?.['spec'] as { ports: object[] }).ports, [
    { name: 'http', port: 8100, targetPort: 'http', protocol: 'TCP' },
  ]);
  const router = { name: 'vllm-router', replicas: 2, extraArgs: ['--policy', 'round_robin'] };
  const objects = routerObjects(deployment, router);
  assert.deepEqual(
    objects.map((o) => o.kind),
    ['ServiceAccount', 'Role', 'RoleBinding', 'Service', 'Deployment'],
  );
  assert.ok(objects.every((o) => o.metadata.name === 'md-router'));
  const { template } = objects[4]!['spec'] as {
    template: { metadata: { labels: Record<string, string> }; spec: { containers: { command: string[] }[] } };
  };
  assert.deepEqual(template.spec.containers[0]?.command, [
    'vllm-router',
    '--host=0.0.0.0',
    '--port=8081',
    '--prometheus-host=0.0.0.0',
    '--prometheus-port=9090',
    '--service-discovery',
    '--service-discovery-namespace=ns',
    '--service-discovery-port=8000',
    '--selector',
    'app.kubernetes.io/name=model-deployment',
    'app.kubernetes.io/instance=md',
    'modeldeployment.gpustack.ai/role-kind=server',
    'modeldeployment.gpustack.ai/endpoint-eligible=true',
    '--policy',
    'round_robin',
  ]);
  assert.equal(template.metadata.labels['modeldeployment.gpustack.ai/role-kind'], undefined);
});
