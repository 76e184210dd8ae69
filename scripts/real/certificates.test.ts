import { test } from 'node:test';
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { makeNodeCredentials, makePki } from './certificates.ts';
import { apiServer } from './network.ts';

test('one authority signs all, and each certificate is for one use', async (t) => {
  const pki = mkdtempSync(join(tmpdir(), 'quiesce-pki-'));
  t.after(() => rmSync(pki, { recursive: true }));
  await makePki(pki);
  await makeNodeCredentials(pki, 'node-9');
  const read = (name: string) => new X509Certificate(readFileSync(join(pki, `${name}.crt`)));
  const ca = read('ca');
  assert.ok(ca.ca);
  const server = '1.3.6.1.5.5.7.3.1';
  const client = '1.3.6.1.5.5.7.3.2';
  const uses = {
    apiserver: server,
    'kubelet-server': server,
    admin: client,
    scheduler: client,
    'nodes/node-9': client,
  };
  for (const [name, use] of Object.entries(uses)) {
    const certificate = read(name);
    assert.ok(certificate.checkIssued(ca) && certificate.verify(ca.publicKey), name);
    assert.deepEqual(certificate.keyUsage, [use], name);
    assert.ok(!certificate.ca, name);
    assert.equal(statSync(join(pki, `${name}.key`)).mode & 0o077, 0, `${name}.key is private`);
  }
  // The Node authorizer knows a kubelet by these two.
  assert.equal(read('nodes/node-9').subject, 'O=system:nodes\nCN=system:node:node-9');
  assert.equal(read('apiserver').checkIP('192.168.77.1'), '192.168.77.1');
  assert.equal(read('apiserver').checkIP('10.96.0.1'), '10.96.0.1');
  assert.equal(read('kubelet-server').checkIP('192.168.77.16'), '192.168.77.16');
  assert.equal(readKubeconfig(join(pki, 'nodes/node-9.kubeconfig')).server, apiServer);
});
