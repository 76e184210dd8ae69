import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jsonPatch from 'fast-json-patch';
import { customResourceDefinitions } from '../systems/gpustack/manifests.ts';
import { differenceNames, differences } from '../requirements/differences.ts';
import { faultNamed, faults, namespaceAnnotations } from './faults.ts';

const src = dirname(dirname(fileURLToPath(import.meta.url)));
const folders: Record<string, string[]> = {
  'drain-hook': ['drain-hook'],
  'gpustack-operator': ['gpustack-operator'],
  engine: ['openai', 'vllm', 'sglang'],
  'dynamo,dynamo-worker,dynamo-frontend': ['dynamo', 'dynamo-worker', 'dynamo-frontend'],
  'dynamo-operator': ['dynamo-operator'],
  // What the routers share asks for the faults of one of them too.
  'router,sglang-gateway,llm-d-router': ['router', 'vllm-router', 'sglang-gateway', 'envoy', 'epp'],
};

const sourceOf = (folder: string): string =>
  readdirSync(join(src, 'doubles', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file))
    .map((file) => readFileSync(join(src, 'doubles', folder, file), 'utf8'))
    .join('\n');

/** Names that a double puts together: `hook-${why}-is-busy`. */
const composed = ['hook-refused-is-busy', 'hook-error-is-busy', 'hook-tls-is-busy'];

test('names are unique, and each fault breaks something that has an id', () => {
  assert.equal(new Set(faults.map((f) => f.name)).size, faults.length);
  for (const { name, breaks } of faults) {
    assert.match(name, /^[a-z]+(-[a-z0-9]+)+$/);
    assert.ok(breaks.length > 0, name);
    for (const id of breaks) assert.match(id, /^(GS-(DW|LM|RP)|DY-(SG|SQ|ED|FE|MG|CL|ER|K8))-\d\d$/, name);
  }
});

test('every fault of the registry is implemented by its double, and no double has another', () => {
  for (const [double, places] of Object.entries(folders)) {
    const source = places.map(sourceOf).join('\n');
    const own = faults.filter((f) => !f.of && double.split(',').includes(f.double)).map((f) => f.name);
    const missing = own.filter((name) => !source.includes(`'${name}'`) && !composed.includes(name));
    assert.deepEqual(missing, [], `${double} does not implement`);
    const asked = [...source.matchAll(/faults\.has\('([a-z-]+)'\)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      asked.filter((name) => !own.includes(name)),
      [],
      `${double} asks for a fault of nobody`,
    );
  }
});

test('every requirement has a fault that breaks it', () => {
  const broken = new Set(faults.flatMap((f) => f.breaks));
  const ids = (section: string, last: number) =>
    Array.from({ length: last }, (_, i) => `GS-${section}-${String(i + 1).padStart(2, '0')}`);
  const dynamo = ['SG-01', 'SG-02', 'ED-01', 'MG-01', 'MG-02', 'MG-04', 'MG-05', 'CL-04', 'CL-05'];
  const numbered = [1, 2, 3, 4, 5, 6, 7].flatMap((n) => [`SQ-0${n}`, `FE-0${n}`]).filter((id) => id !== 'FE-05');
  const wanted = [
    ...ids('DW', 32),
    ...ids('RP', 36),
    ...ids('LM', 16),
    ...[...dynamo, ...numbered].map((id) => `DY-${id}`),
  ];
  assert.deepEqual(
    wanted.filter((id) => !broken.has(id)),
    [],
  );
});

test('faults become annotations of a namespace', () => {
  assert.deepEqual(namespaceAnnotations([]), {});
  const switched = { 'quiesce.dev/faults': 'hook-missing,kubelet-late-hook' };
  assert.deepEqual(namespaceAnnotations(['hook-missing', 'kubelet-late-hook', 'hook-missing']), switched);
  const { 'quiesce.dev/schema-patch': text = '', ...rest } = namespaceAnnotations([
    'admission-range-narrow',
    'hook-missing',
  ]);
  assert.deepEqual(rest, { 'quiesce.dev/faults': 'hook-missing' });
  const { 'modeldeployments.worker.gpustack.ai': patch = [] } = JSON.parse(text) as Record<
    string,
    jsonPatch.Operation[]
  >;
  type Crd = { spec: { versions: { schema: { openAPIV3Schema: object } }[] } };
  const schema = (customResourceDefinitions()[0] as unknown as Crd).spec.versions[0]!.schema.openAPIV3Schema;
  const patched = JSON.stringify(jsonPatch.applyPatch(structuredClone(schema), patch, true).newDocument);
  assert.ok(patched.includes('"format":"int64","minimum":16,"maximum":3599'));
});

test('an unknown fault is answered with the nearest one', () => {
  assert.throws(
    () => namespaceAnnotations(['hook-mising']),
    /unknown fault "hook-mising"; did you mean hook-missing\?/,
  );
  assert.throws(() => namespaceAnnotations(['zzzzzzzz']), /unknown fault "zzzzzzzz"; quiesce faults lists them all/);
});

test('as implemented: every known difference is a fault of its own, and all of them together are one', () => {
  for (const name of differenceNames) assert.deepEqual(faultNamed(name).breaks, differences[name].breaks);
  assert.deepEqual(faultNamed('as-implemented').of, differenceNames);
  const switched = { 'quiesce.dev/faults': `hook-missing,${differenceNames.join(',')}` };
  assert.deepEqual(namespaceAnnotations(['hook-missing', 'as-implemented', 'aborted-stays-ineligible']), switched);
});
