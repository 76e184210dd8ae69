import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { customResourceDefinitions, manifestsFolder, readKustomization, readManifest } from './manifests.ts';
import { generationOfSchema } from './model-deployment.ts';
import { operatorObjects } from './operator.ts';

const folder = manifestsFolder();
// Values of a Helm release and a configuration of kind are no objects of a cluster.
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (f) => /\.ya?ml$/.test(f) && !/^(helm|kind)\//.test(f),
);

test('every manifest parses, and every object says what it is', () => {
  assert.ok(files.length >= 8);
  for (const file of files) {
    for (const object of readManifest(join(folder, file))) {
      assert.match(object.apiVersion ?? '', /^([a-z0-9.]+\/)?v\d/, file);
      assert.equal(typeof object.kind, 'string', file);
      if (object.kind !== 'Kustomization') assert.equal(typeof object.metadata.name, 'string', file);
    }
  }
});

test('every manifest is named by a kustomization', () => {
  const named = files
    .filter((file) => basename(file) === 'kustomization.yaml')
    .flatMap((file) => {
      const resources = readManifest(join(folder, file))[0]?.['resources'] as string[];
      return resources.map((name) => join(dirname(file), name));
    });
  assert.ok(named.includes('operator/deployment.yaml'));
  // Rights of a run are given by hand, and to a user of its own.
  const reached = new Set(['rbac.yaml', ...named]);
  assert.deepEqual(
    files.filter((file) => basename(file) !== 'kustomization.yaml' && !reached.has(file)),
    [],
  );
});

test('what an object refers to is there', () => {
  const objects = readKustomization(folder);
  const has = (kind: string, name: string) => objects.some((o) => o.kind === kind && o.metadata.name === name);
  for (const object of objects) {
    if (object.metadata.namespace) assert.ok(has('Namespace', object.metadata.namespace));
    const role = object['roleRef'] as { kind: string; name: string } | undefined;
    if (role) assert.ok(has(role.kind, role.name));
    for (const subject of (object['subjects'] as { kind: string; name: string }[] | undefined) ?? []) {
      assert.ok(has(subject.kind, subject.name));
    }
    if (object.kind !== 'Deployment') continue;
    const { selector, template } = object['spec'] as {
      selector: { matchLabels: object };
      template: { metadata: { labels: object }; spec: { serviceAccountName: string } };
    };
    assert.deepEqual(template.metadata.labels, selector.matchLabels);
    assert.ok(has('ServiceAccount', template.spec.serviceAccountName));
  }
});

test('the CRDs are named as Kubernetes asks, and the example fits the schema that is installed', () => {
  const definitions = customResourceDefinitions();
  for (const crd of definitions) {
    const { group, names } = crd['spec'] as { group: string; names: { plural: string } };
    assert.equal(crd.metadata.name, `${names.plural}.${group}`);
  }
  const [deployments] = definitions;
  assert.ok(deployments);
  assert.equal(generationOfSchema(deployments), 'B');
});

test('an operator of its own has every right in its namespace and none elsewhere', () => {
  const objects = operatorObjects('quiesce-1', 'before-drain-window');
  assert.deepEqual(objects.map((o) => `${o.kind} ${o.metadata.namespace}`).sort(), [
    'Deployment quiesce-1',
    'Role quiesce-1',
    'RoleBinding quiesce-1',
    'ServiceAccount quiesce-1',
  ]);
  const text = JSON.stringify(objects);
  assert.ok(!text.includes('gpustack-system') && !text.includes('Cluster'));
  assert.ok(text.includes('["--namespace","quiesce-1","--release","before-drain-window"]'));
});
