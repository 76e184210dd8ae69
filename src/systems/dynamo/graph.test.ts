import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphObjects } from './graph.ts';

interface Rendered {
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        restartPolicy: string;
        containers: {
          lifecycle?: unknown;
          command: string[];
          env: { name: string; value?: string }[];
          livenessProbe: { failureThreshold: number };
          startupProbe?: object;
        }[];
      };
    };
  };
}

const objects = graphObjects('ns', {
  name: 'graph',
  components: [
    { name: 'Frontend', type: 'frontend', replicas: 1, frozenAt: 1 },
    { name: 'worker', type: 'worker', replicas: 2, terminationGracePeriodSeconds: 90, env: { DYN_NAMESPACE: 'own' } },
  ],
});
const deployment = (name: string) =>
  objects.find((o) => o.kind === 'Deployment' && o.metadata.name === name) as unknown as Rendered;
const mainOf = (name: string) => deployment(name).spec.template.spec.containers[0];
const variable = (of: string, name: string) => mainOf(of)?.env.find((e) => e.name === name)?.value;

test('a graph becomes an account with its rights, and a Service and a Deployment a component', () => {
  const kinds = objects.map((o) => `${o.kind}/${o.metadata.name}`);
  const account = 'graph-k8s-service-discovery';
  assert.deepEqual(kinds, [
    ...['ServiceAccount', 'Role', 'RoleBinding'].map((kind) => `${kind}/${account}`),
    ...['Service/graph-frontend', 'Deployment/graph-frontend', 'Service/graph-worker', 'Deployment/graph-worker'],
  ]);
  assert.ok(objects.every((o) => o.metadata.namespace === 'ns'));
});

test('Pods have the grace, the probes and the labels of the operator, and no hook', () => {
  const { spec } = deployment('graph-frontend').spec.template;
  assert.equal(spec.terminationGracePeriodSeconds, 60);
  assert.equal(deployment('graph-worker').spec.template.spec.terminationGracePeriodSeconds, 90);
  assert.equal(spec.restartPolicy, 'Always');
  assert.equal(mainOf('graph-frontend')?.lifecycle, undefined);
  assert.equal(mainOf('graph-frontend')?.startupProbe, undefined);
  assert.equal(mainOf('graph-worker')?.livenessProbe.failureThreshold, 1);
  const { labels } = deployment('graph-worker').spec.template.metadata;
  assert.equal(labels['nvidia.com/dynamo-graph-deployment-name'], 'graph');
  assert.equal(labels['nvidia.com/dynamo-component-type'], 'worker');
});

test('the environment names Kubernetes discovery, and what the graph sets comes last', () => {
  assert.equal(variable('graph-frontend', 'DYN_DISCOVERY_BACKEND'), 'kubernetes');
  assert.equal(variable('graph-frontend', 'QUIESCE_FROZEN_AT'), '1');
  assert.equal(variable('graph-frontend', 'DYN_SYSTEM_PORT'), undefined);
  assert.equal(variable('graph-worker', 'DYN_SYSTEM_PORT'), '9090');
  assert.equal(variable('graph-worker', 'DYN_NAMESPACE'), 'own');
  assert.deepEqual(mainOf('graph-worker')?.command, ['python3', '-m', 'dynamo.vllm']);
});
