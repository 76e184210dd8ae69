import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGeneration } from './generation.ts';
import { customResourceDefinitions } from './manifests.ts';
import { generationOfSchema } from './model-deployment.ts';

const definitions = customResourceDefinitions();
const served = definitions.find(({ metadata }) => metadata.name.startsWith('modeldeployments'))!;

test('each generation is told by its own schema', () => {
  for (const generation of ['A', 'B', 'C'] as const)
    assert.equal(generationOfSchema(asGeneration(served, generation)), generation);
  assert.equal(generationOfSchema(served), 'B', 'the one of the manifests is left as it is');
});

test('a role of v0.11 names its accelerator type, and no instance type', () => {
  const { versions } = asGeneration(served, 'C')['spec'] as {
    versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, Role> } } } } }[];
  };
  type Role = { items: { required: string[]; properties: Record<string, { properties?: object }> } };
  const { items } = versions[0]!.schema.openAPIV3Schema.properties.spec.properties['roles']!;
  assert.deepEqual(items.required, ['name', 'acceleratorType']);
  assert.equal(items.properties['instanceType'], undefined);
  assert.ok(Object.keys(items.properties['resources']?.properties ?? {}).includes('localStorage'));
});

test('the other CRDs stay as they are', () => {
  for (const definition of definitions.filter((d) => d !== served))
    assert.equal(asGeneration(definition, 'C'), definition);
});
