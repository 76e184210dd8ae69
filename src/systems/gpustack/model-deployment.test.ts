import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { GpustackDeploy } from '../../scenario/scenario.ts';
import { generationOf, modelDeployment } from './model-deployment.ts';
import { graceOf, hookOf, replicaSelector, roleOf, scrapeOf } from './readers.ts';
import type { DeploymentInput } from './types.ts';

const input: DeploymentInput = {
  name: 'md',
  namespace: 'ns',
  roles: [
    { name: 'worker', replicas: 2, terminationGracePeriodSeconds: 45, env: { A: 'b' }, engine: { abort: 'silence' } },
  ],
  router: { extraArgs: ['--policy', 'round_robin'] },
};

test("a scenario's own deployments can be handed over as they are", () => {
  const deploy: GpustackDeploy = {
    kind: 'gpustack',
    deployments: [{ name: 'md', roles: [{ name: 'w', replicas: 1 }] }],
  };
  const inputs: DeploymentInput[] = deploy.deployments.map((d) => ({ ...d, namespace: 'ns' }));
  assert.equal(modelDeployment(inputs[0] ?? input, 'v0.9.2').spec.roles[0]?.name, 'w');
});

test('a ModelDeployment of v0.9.2', () => {
  assert.deepEqual(modelDeployment(input, 'v0.9.2'), {
    apiVersion: 'worker.gpustack.ai/v1alpha1',
    kind: 'ModelDeployment',
    metadata: { name: 'md', namespace: 'ns' },
    spec: {
      model: { name: 'quiesce/tiny' },
      engine: { name: 'vLLM', image: 'gpustack/runner:cuda12.9-vllm0.32.0' },
      roles: [
        {
          name: 'worker',
          kind: 'Server',
          replicas: 2,
          instanceType: 'gpustack--nvidia-quiesce-linux-amd64',
          resources: { accelerator: 1 },
          env: [
            { name: 'A', value: 'b' },
            { name: 'QUIESCE_ENGINE', value: '{"abort":"silence"}' },
          ],
          terminationGracePeriodSeconds: 45,
        },
      ],
      router: { name: 'vllm-router', replicas: 1, extraArgs: ['--policy', 'round_robin'] },
    },
  });
});

test('other generations name engine and accelerator in their own way', () => {
  const a = modelDeployment(input, 'A').spec;
  assert.deepEqual(a.engine, { name: 'vLLM', version: '0.32.0' });
  assert.equal(a.roles[0]?.image, 'gpustack/runner:cuda12.9-vllm0.32.0');
  const c = modelDeployment(input, 'v0.11.2').spec;
  assert.equal(c.roles[0]?.acceleratorType, 'gpustack--nvidia-quiesce-linux-amd64');
  assert.equal(c.roles[0]?.instanceType, undefined);
  assert.equal(generationOf('v0.10.0'), 'B');
  assert.throws(() => generationOf('main'), /operator release "main": expected one of v0.9.2, v0.10.0, v0.11.2/);
});

test('an unset grace and no accelerators stay absent', () => {
  const role = modelDeployment({ ...input, roles: [{ name: 'w', replicas: 1, accelerators: 0 }] }, 'v0.9.2').spec
    .roles[0];
  assert.deepEqual(Object.keys(role ?? {}), ['name', 'kind', 'replicas', 'instanceType']);
});

test('readers tell a replica from any other Pod', () => {
  const replica = {
    metadata: {
      name: 'md-w-x',
      labels: {
        'app.kubernetes.io/name': 'model-deployment',
        'app.kubernetes.io/instance': 'md',
        'app.kubernetes.io/component': 'w',
        'modeldeployment.gpustack.ai/pod-ordinal': '1',
      },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8000', 'prometheus.io/scheme': 'https' },
    },
    spec: { terminationGracePeriodSeconds: 45, containers: [{ name: 'main', image: 'x' }] },
  };
  assert.deepEqual(roleOf(replica), { deployment: 'md', role: 'w', ordinal: 1 });
  assert.equal(roleOf({ metadata: { name: 'x' } }), undefined);
  assert.equal(graceOf(replica), 45);
  assert.equal(hookOf(replica), undefined);
  assert.deepEqual(scrapeOf(replica), { scheme: 'https', port: 8000, path: '/metrics' });
  assert.match(replicaSelector('md', 'w'), /,modeldeployment.gpustack.ai\/pod-ordinal,app.kubernetes.io\/component=w$/);
});
