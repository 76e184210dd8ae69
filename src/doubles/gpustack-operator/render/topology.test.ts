import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelDeployment } from '../../../systems/gpustack/model-deployment.ts';
import { engineOf, hookOf, scrapeOf, type Container, type Pod } from '../../../systems/gpustack/readers.ts';
import type { DeploymentInput, ModelDeployment, RoleInput, RouterName } from '../../../systems/gpustack/types.ts';
import { refusal } from '../admission.ts';
import type { RetirementFault } from '../faults.ts';
import { replicaPod, specHash } from './pod.ts';
import { routerObjects } from './router.ts';
import { services } from './services.ts';

const made = (roles: Partial<RoleInput>[], more: Partial<DeploymentInput> = {}): ModelDeployment => {
  const all = roles.map((role, n) => ({ name: `r${n}`, replicas: 1, ...role }));
  const deployment = modelDeployment({ name: 'md', namespace: 'ns', roles: all, ...more }, 'v0.9.2');
  return { ...deployment, metadata: { ...deployment.metadata, uid: 'uid-1' } };
};
const how = (faults: RetirementFault[] = [], nativeSidecars = true) =>
  ({ release: 'v0.9.2', faults: new Set<string>(faults), nativeSidecars }) as const;

test('members of a replica of several Pods: fixed names, seats, one size, hooks on each, probes on the leader alone', () => {
  const deployment = made([{ size: 3, replicas: 2 }]);
  const [role] = deployment.spec.roles;
  const pods = [0, 1, 2].map((seat) => replicaPod(deployment, role!, 1, how(), seat) as Pod);
  assert.deepEqual(
    pods.map((pod) => pod.metadata.name),
    ['md-r0-r1-m0', 'md-r0-r1-m1', 'md-r0-r1-m2'],
  );
  assert.deepEqual(
    pods.map((pod) => pod.metadata.labels?.['modeldeployment.gpustack.ai/member-index']),
    ['0', '1', '2'],
  );
  assert.ok(pods.every((pod) => pod.metadata.annotations?.['kueue.x-k8s.io/pod-group-total-count'] === '3'));
  assert.ok(pods.every((pod) => hookOf(pod)?.[0] === 'drain-hook'));
  assert.deepEqual(
    pods.map((pod) => engineOf(pod)?.['readinessProbe'] !== undefined),
    [true, false, false],
  );
  assert.equal(new Set(pods.map((pod) => pod.metadata.labels?.['kueue.x-k8s.io/pod-group-name'])).size, 1);
  assert.notEqual(specHash(deployment, role!, 1, how(), 0), specHash(made([{ size: 2 }]), role!, 1, how(), 1));
  const made3 = services(deployment, () => true);
  const selectors = Object.fromEntries(
    made3.map((s) => [s.metadata.name, (s['spec'] as { selector: Record<string, string> }).selector]),
  );
  assert.equal(selectors['md-r0']?.['modeldeployment.gpustack.ai/member-index'], '0');
  assert.equal(selectors['md-r0']?.['modeldeployment.gpustack.ai/endpoint-eligible'], 'true');
  assert.deepEqual(Object.keys(selectors), ['md', 'md-r0', 'md-r0-r0', 'md-r0-r1']);
});

const split = [
  { name: 'prefill', kind: 'Prefill' as const },
  { name: 'decode', kind: 'Decode' as const },
];
const proxied = { router: { name: 'llm-d-router' as const }, kvTransfer: {} };

test('a direct decoder: the engine behind a routing proxy, hook and annotations at the engine', () => {
  const deployment = made(split, proxied);
  const [prefill, decode] = deployment.spec.roles.map((role) => replicaPod(deployment, role, 0, how()) as Pod);
  const [proxy] = decode?.spec.initContainers ?? [];
  assert.deepEqual([proxy?.name, proxy?.['restartPolicy']], ['routing-proxy', 'Always']);
  assert.deepEqual(proxy?.args?.slice(0, 3), ['--port=8000', '--model-server-port=8200', '--kv-connector=mooncake']);
  assert.equal(proxy?.lifecycle, undefined);
  assert.equal(scrapeOf(decode!)?.port, 8200);
  assert.ok(hookOf(decode!)?.join(' ').includes('--port 8200'));
  assert.equal(prefill?.spec.initContainers, undefined);
  assert.equal(scrapeOf(prefill!)?.port, 8000);
});

test('below 1.29 the proxy is the first classic container', () => {
  const deployment = made(split, proxied);
  const role = deployment.spec.roles[1]!;
  const names = (faults: RetirementFault[], native: boolean) =>
    (replicaPod(deployment, role, 0, how(faults, native)) as Pod).spec.containers.map(({ name }) => name);
  assert.deepEqual(names([], false), ['routing-proxy', 'main']);
  assert.deepEqual(names([], true), ['main']);
  assert.deepEqual(names(['proxy-is-classic'], true), ['routing-proxy', 'main']);
  const hooked = (replicaPod(deployment, role, 0, how(['proxy-gets-hook'], false)) as Pod).spec.containers[0];
  assert.ok(hooked?.lifecycle?.preStop);
});

function routerOf(deployment: ModelDeployment): { kinds: string[]; containers: Container[] } {
  const objects = routerObjects(deployment, deployment.spec.router!);
  const found = objects.find(({ kind }) => kind === 'Deployment')?.['spec'] as {
    template: { spec: { containers: Container[] } };
  };
  return { kinds: objects.map(({ kind = '' }) => kind), containers: found.template.spec.containers };
}

test('each router: its containers, its program, its selectors by eligibility', () => {
  const of = (name: RouterName, engine: 'vLLM' | 'SGLang', roles: Partial<RoleInput>[] = [{}]) =>
    routerOf(made(roles, { engine, router: { name } }));
  const llmd = of('llm-d-router', 'vLLM');
  assert.ok(llmd.kinds.includes('ConfigMap'));
  assert.deepEqual(
    llmd.containers.map(({ name }) => name),
    ['envoy', 'epp'],
  );
  assert.match(llmd.containers[1]?.command?.join(' ') ?? '', /--endpoint-selector=\S*endpoint-eligible=true/);
  const gateway = of('sglang-gateway', 'SGLang', split).containers[0]?.command ?? [];
  assert.equal(gateway[0], 'sgl-model-gateway');
  assert.ok(gateway.includes('--pd-disaggregation') && gateway.includes('--decode-selector'));
  const vllm = of('vllm-router', 'vLLM', split).containers[0]?.command ?? [];
  assert.ok(vllm.includes('--vllm-pd-disaggregation') && vllm.includes('--kv-connector=mooncake'));
  assert.equal(vllm.filter((word) => word.endsWith('endpoint-eligible=true')).length, 2);
  assert.ok(!of('vllm-router', 'vLLM').kinds.includes('ConfigMap'));
});

test('what the webhook refuses', () => {
  assert.match(refusal(made([{}], { engine: 'SGLang', router: {} })) ?? '', /vllm-router does not serve SGLang; use/);
  assert.match(refusal(made([{}, { kind: 'Decode' }])) ?? '', /Server role may not stand next to/);
  assert.match(refusal(made([{ kind: 'Decode' }, { kind: 'Decode' }])) ?? '', /more than one role of kind Decode/);
  assert.match(refusal(made([{ env: { GPUSTACK_MEMBER_INDEX: '1' } }])) ?? '', /env may not set GPUSTACK_MEMBER_INDEX/);
  assert.equal(refusal(made(split, proxied)), undefined);
  assert.equal(refusal(made([{ size: 3 }], { engine: 'SGLang', router: { name: 'sglang-gateway' } })), undefined);
});
