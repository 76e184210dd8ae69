import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customResourceDefinitions, manifestsFolder, readKustomization } from '../systems/gpustack/manifests.ts';
import { defaults } from '../systems/gpustack/names.ts';
import { modelDeployment } from '../systems/gpustack/model-deployment.ts';
import { ImageMapError, imageRegistry, readImageMap } from './images.ts';

const images = imageRegistry('/dist');

test('every image that quiesce deploys has its double', () => {
  const engine = modelDeployment({ name: 'a', namespace: 'b', roles: [] }, 'v0.9.2').spec.engine.image ?? '';
  const node = process.execPath;
  assert.deepEqual(images.resolve(engine, 'vllm'), { file: node, args: ['/dist/programs/vllm.mjs'] });
  assert.deepEqual(images.resolve(engine, 'drain-hook'), { file: node, args: ['/dist/programs/drain-hook.mjs'] });
  assert.deepEqual(images.resolve(defaults.routerImage, 'vllm-router')?.args, ['/dist/programs/vllm-router.mjs']);
  assert.deepEqual(images.resolve(defaults.routerImage, 'epp')?.args, ['/dist/programs/epp.mjs']);
  const envoy = images.resolve('gpustack/mirrored-envoy:distroless-v1.33.2', undefined);
  assert.deepEqual(envoy?.args, ['/dist/programs/envoy.mjs']);
  assert.deepEqual(images.resolve('quiesce/pause', undefined)?.args, ['/dist/programs/pause.mjs']);
  const text = JSON.stringify(readKustomization(manifestsFolder()));
  const [, operator = ''] = /"image":"([^"]+)"/.exec(text) ?? [];
  assert.deepEqual(images.resolve(operator, undefined)?.args, ['/dist/programs/gpustack-operator.mjs']);
  assert.equal(customResourceDefinitions().length, 3);
});

test('names of one image are one image', () => {
  assert.ok(images.known('docker.io/gpustack/runner:x'));
  assert.ok(images.known('gpustack/runner@sha256:0a'));
  assert.ok(!images.known('gpustack/runner-other:x'));
  assert.ok(!images.known('evil/gpustack/runner:x'));
});

test('an image without an entrypoint, and a command that an image does not have, give no program', () => {
  assert.equal(images.resolve('gpustack/runner:x', undefined), undefined);
  assert.equal(images.resolve('gpustack/runner:x', 'nginx'), undefined);
  assert.equal(images.resolve('gpustack/runner:x', 'constructor'), undefined);
  assert.equal(images.resolve('nginx', 'nginx'), undefined);
  assert.ok(!images.known('nginx'));
  assert.match(images.resolve('gpustack/runner:x', '/bin/sh')?.file ?? '', /\/sh$/);
});

test('a map of the user comes first, command by command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-images-'));
  try {
    const path = join(folder, 'images.json');
    const write = (text: string) => writeFileSync(path, text);
    write('{"gpustack/runner:*":{"commands":{"vllm":{"file":"/opt/vllm"}}}}');
    const own = imageRegistry('/dist', readImageMap(path));
    assert.deepEqual(own.resolve('gpustack/runner:x', 'vllm'), { file: '/opt/vllm', args: [] });
    assert.equal(own.resolve('gpustack/runner:x', 'drain-hook')?.file, process.execPath);
    write('{"a":{"command":{}}}');
    assert.throws(
      () => readImageMap(path),
      (e) => e instanceof ImageMapError && e.message.includes('"command"'),
    );
    write('{');
    assert.throws(() => readImageMap(path), ImageMapError);
    assert.throws(() => readImageMap(join(folder, 'none.json')), /expected JSON such as/);
    assert.equal(readFileSync(path, 'utf8'), '{');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
