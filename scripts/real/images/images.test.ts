import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployedReferences } from './doubles.ts';
import { packageFolders } from './harness.ts';
import { Stage, writeLayer } from './layer.ts';
import { writeLayout } from './layout.ts';

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  annotations?: Record<string, string>;
}

test('an archive in the layout of OCI: every digest and size is that of the bytes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-layout-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const stage = new Stage(join(folder, 'stage'));
  stage.write('/bin/tool', '#!/bin/sh\n', 0o755);
  stage.link('tool', '/bin/other');
  const layer = await writeLayer(stage, join(folder, 'layer.tar'));
  const again = await writeLayer(stage, join(folder, 'again.tar'));
  assert.equal(layer.digest, again.digest, 'the same stage gives the same layer');
  writeLayout(join(folder, 'out'), [{ references: ['localhost/a:1', 'localhost/b:1'], layers: [layer], config: {} }]);
  const blob = ({ digest, size }: Descriptor) => {
    const bytes = readFileSync(join(folder, 'out/blobs/sha256', digest.replace('sha256:', '')));
    assert.equal(bytes.length, size);
    assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest);
    return bytes;
  };
  const json = (from: Descriptor) => JSON.parse(blob(from).toString()) as Record<string, unknown>;
  const index = JSON.parse(readFileSync(join(folder, 'out/index.json'), 'utf8')) as { manifests: Descriptor[] };
  assert.deepEqual(
    index.manifests.map(({ annotations }) => annotations?.['io.containerd.image.name']),
    ['localhost/a:1', 'localhost/b:1'],
  );
  const manifest = json(index.manifests[0] as Descriptor) as { config: Descriptor; layers: Descriptor[] };
  for (const each of manifest.layers) blob(each);
  const { rootfs } = json(manifest.config) as { rootfs: { diff_ids: string[] } };
  assert.deepEqual(rootfs.diff_ids, [layer.digest]);
  assert.equal(readdirSync(join(folder, 'out/blobs/sha256')).length, 3, 'what images share is there once');
});

test('a program is staged with the libraries and the loader that it asks for', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-stage-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await new Stage(folder).program(process.execPath, '/usr/local/bin/node');
  assert.equal(statSync(join(folder, 'usr/local/bin/node')).mode & 0o777, 0o755);
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.so/.test(name));
  assert.ok(
    files.some((name) => /ld-(linux|musl)/.test(name)) && files.some((name) => /libc\b/.test(name)),
    files.join(),
  );
});

test('what manifests and scenarios deploy has a name in the images', () => {
  const references = deployedReferences();
  for (const image of ['gpustack/gpustack-operator:v0.9.2', 'gpustack/llm-router:v0.1.0', 'quiesce/pause:1'])
    assert.ok(references.includes(image), `${image} in ${references.join(', ')}`);
  assert.equal(new Set(references).size, references.length);
});

test('the harness takes the packages that it runs on, nested ones and none that only a build asks for', () => {
  const packages = {
    '': { dependencies: { commander: '1', esbuild: '1', zod: '1' } },
    'node_modules/commander': { dependencies: { yaml: '1' } },
    'node_modules/commander/node_modules/yaml': {},
    'node_modules/esbuild': { dependencies: { ws: '1' } },
    'node_modules/ws': {},
    'node_modules/yaml': {},
    'node_modules/zod': { optionalDependencies: { 'for-another-system': '1' } },
    'node_modules/for-another-system': {},
  };
  const there = (folder: string) => folder !== 'node_modules/for-another-system';
  assert.deepEqual(packageFolders(packages, ['esbuild'], there), [
    'node_modules/commander',
    'node_modules/commander/node_modules/yaml',
    'node_modules/zod',
  ]);
});
