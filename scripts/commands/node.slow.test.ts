import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from 'selfsigned';
import { execInPod } from '../../src/cluster/exec.ts';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient, type KubeObject } from '../../src/cluster/rest.ts';
import { kubeconfig } from '../../src/embedded/folder.ts';
import { exitCodes } from '../exit-codes.ts';
import { processesOf, quiesce, scratch, start, until } from '../testing/cli.ts';

/** Files of a cluster that need not be there: what is wrong is told before anybody is asked. */
async function files(folder: string) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'authority' }], { keyType: 'ec' });
  const config = kubeconfig({ server: 'https://127.0.0.1:9', token: 'x' });
  for (const [name, text] of Object.entries({ 'ca.crt': cert, 'ca.key': key, kubeconfig: config })) {
    writeFileSync(join(folder, name), text);
  }
  return ['node', '--kubeconfig', join(folder, 'kubeconfig'), '--ca-cert', join(folder, 'ca.crt')];
}

const refused: [string, (folder: string) => string[], number, RegExp][] = [
  ['no key', (f) => ['--ca-key', join(f, 'gone'), '--address', '192.168.77.1'], exitCodes.usage, /--ca-key .*ENOENT/],
  ['loopback', (f) => ['--ca-key', join(f, 'ca.key'), '--address', '127.0.0.1'], 3, /127\.0\.0\.1 is a loopback/],
  [
    'no range',
    (f) => ['--ca-key', join(f, 'ca.key'), '--address', '192.168.77.1', '--pod-range', '10.250.0.0'],
    exitCodes.harnessError,
    /address range "10\.250\.0\.0": expected an IPv4 range/,
  ],
  [
    'a range that is not local here',
    (f) => ['--ca-key', join(f, 'ca.key'), '--address', '192.168.77.1', '--pod-range', '203.0.113.0/24'],
    exitCodes.harnessError,
    /next: in a network namespace of your own: ip route add local 203\.0\.113\.0\/24 dev lo src 192\.168\.77\.1/,
  ],
];

for (const [what, more, code, words] of refused) {
  test(`${what}: one message, nothing left`, async (t) => {
    const folder = scratch(t);
    const temp = scratch(t);
    const { code: seen, err } = await quiesce([...(await files(folder)), ...more(folder)], { temp });
    assert.equal(seen, code, err);
    assert.match(err, words);
    assert.doesNotMatch(err, /\n\s+at /, 'no stack');
    assert.deepEqual(readdirSync(temp), []);
  });
}

// In the network of scripts/real/in-cluster-net: the administrator's kubeconfig, and the folder with ca.crt and ca.key.
const file = process.env['QUIESCE_REAL_KUBECONFIG'];
const pki = process.env['QUIESCE_REAL_PKI'];
const skip = file && pki ? false : 'QUIESCE_REAL_KUBECONFIG and QUIESCE_REAL_PKI name no real cluster';

async function fact(what: string, look: () => Promise<boolean>, ms = 60_000): Promise<void> {
  for (const end = performance.now() + ms; !(await look().catch(() => false));) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test(
  'a Node of a real cluster: a Pod runs, exec and logs pass the API server; killed, nothing runs on',
  { skip },
  async (t) => {
    const client = new KubeClient(readKubeconfig(file ?? ''));
    const name = `test-${randomBytes(3).toString('hex')}`;
    const temp = scratch(t);
    const typed = ['node', '--kubeconfig', file ?? '', '--ca-cert', join(pki ?? '', 'ca.crt'), '--name', name];
    const more = ['--ca-key', join(pki ?? '', 'ca.key'), '--address', '192.168.77.1', '--no-services'];
    const pods = '/api/v1/namespaces/default/pods';
    t.after(async () => {
      await client.remove(`${pods}/${name}`, { gracePeriodSeconds: 0 }).catch(() => undefined);
      await client.remove(`/api/v1/nodes/${name}`).catch(() => undefined);
      client.close();
    });
    const ready = async () => {
      const { status } = await client.get<KubeObject & { status: { conditions: { type: string; status: string }[] } }>(
        `/api/v1/nodes/${name}`,
      );
      return status.conditions.some((c) => c.type === 'Ready' && c.status === 'True');
    };

    const first = start([...typed, ...more], { temp });
    await fact('the Node to be ready', ready);
    const container = {
      name: 'main',
      image: 'quiesce/pause:1',
      command: ['sh', '-c', 'echo begun; trap "exit 3" TERM; while true; do sleep 0.1; done'],
    };
    await client.create(pods, {
      metadata: { name },
      spec: { nodeSelector: { 'kubernetes.io/hostname': name }, restartPolicy: 'Never', containers: [container] },
    });
    type Seen = KubeObject & { status: { phase: string; podIP?: string } };
    const phase = async () => (await client.get<Seen>(`${pods}/${name}`)).status.phase;
    await fact('the Pod to run', async () => (await phase()) === 'Running');
    const told = await execInPod(client, 'default', name, 'main', ['sh', '-c', 'echo hi; echo no >&2; exit 7']);
    assert.deepEqual(told, { code: 7, stdout: 'hi\n', stderr: 'no\n' });
    assert.equal(await client.request<string>('GET', `${pods}/${name}/log`), 'begun\n');
    const config = await execInPod(client, 'default', name, 'main', ['sh', '-c', 'cat $KUBECONFIG']);
    assert.match(config.stdout, /token: ey/, 'the token of the Pod');

    first.child.kill('SIGKILL');
    await first.ended;
    await until('the reaper', () => processesOf(temp).length === 0, 20_000);

    const second = start([...typed, ...more], { temp });
    await fact('the Node to be ready again', async () => (await ready()) && readdirSync(temp).length > 0);
    await client.remove(`${pods}/${name}`);
    const gone = () =>
      client.get(`${pods}/${name}`).then(
        () => false,
        (error: { status?: number }) => error.status === 404,
      );
    await fact('the Pod to go', gone);
    second.child.kill('SIGTERM');
    assert.equal((await second.ended).code, exitCodes.terminated);
    await assert.rejects(client.get(`/api/v1/nodes/${name}`), /404/);
    assert.deepEqual(readdirSync(temp), []);
  },
);
