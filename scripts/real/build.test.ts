import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStep, builtProgram, examine, kubernetesVersion } from './build.ts';

test('the version is the one that go.mod asks for', () => {
  assert.match(kubernetesVersion(), /^1\.\d+\.\d+$/);
  assert.equal(kubernetesVersion('require (\n\tk8s.io/kubernetes v1.2.3\n)\n'), '1.2.3');
  assert.throws(() => kubernetesVersion('module x\n'), /expected a line "k8s.io\/kubernetes vX.Y.Z"/);
  assert.ok(builtProgram().folder.includes(`kubernetes-${kubernetesVersion()}-`));
});

test('a program is taken from the cache only where it is what was built', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-build-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const built = { program: join(folder, 'kube'), sums: join(folder, 'kube.sha256') };
  assert.equal(await examine(built), 'none');
  writeFileSync(built.program, 'a program');
  assert.equal(await examine(built), 'none', 'without a checksum nothing tells a whole file from a part of one');
  const sum = createHash('sha256').update('a program').digest('hex');
  writeFileSync(built.sums, `${sum}  kube\n`);
  assert.equal(await examine(built), 'good');
  truncateSync(built.program, 5);
  assert.equal(await examine(built), 'bad');
  rmSync(built.program);
  assert.equal(await examine(built), 'bad');
});

test('the build is stripped, stamped with its version and without cgo', () => {
  const text = buildStep().shows?.join('\n') ?? '';
  assert.match(text, /CGO_ENABLED=0 go build -trimpath/);
  assert.ok(text.includes(`version.gitVersion=v${kubernetesVersion()}`), text);
});
