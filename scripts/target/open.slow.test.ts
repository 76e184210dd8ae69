import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { generate } from 'selfsigned';
import { parse, stringify } from 'yaml';
import { ClusterProcess } from '../../fixtures/cluster-process.ts';
import { readKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import { customResourceDefinitions } from '../../src/systems/gpustack/manifests.ts';
import { bundle, isBuilt } from '../build.mjs';
import { exitCodes } from '../exit-codes.ts';
import { quiesce, scratch } from '../testing/cli.ts';

let cluster: ClusterProcess;
let client: KubeClient;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

before(async () => {
  if (!isBuilt()) await bundle();
  cluster = await ClusterProcess.start({ timeScale: 10 });
  client = new KubeClient(readKubeconfig(cluster.address.kubeconfig));
});
after(async () => {
  client.close();
  await cluster.stop();
});

interface Kubeconfig {
  clusters: { cluster: Record<string, unknown> }[];
  users: { user: Record<string, unknown> }[];
}

/** The cluster's kubeconfig, changed. */
function changed(folder: string, change: (config: Kubeconfig) => void): string {
  const config = parse(readFileSync(cluster.address.kubeconfig, 'utf8')) as Kubeconfig;
  change(config);
  writeFileSync(join(folder, 'kubeconfig'), stringify(config));
  return join(folder, 'kubeconfig');
}

const expired = await generate([{ name: 'commonName', value: 'someone' }], {
  keyType: 'ec',
  notBeforeDate: new Date('2020-01-01'),
  notAfterDate: new Date('2020-01-02'),
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What is wrong, how the kubeconfig says so, more that is typed, the exit code, and the words of the message. */
const refused: [string, (config: Kubeconfig) => void, string[], number, ...words: RegExp[]][] = [
  [
    'a context that is missing',
    () => undefined,
    ['--context', 'prod'],
    exitCodes.usage,
    /has no context "prod" \(contexts: quiesce\); name one with --context/,
  ],
  [
    'a server that is not there',
    (c) => (c.clusters[0]!.cluster['server'] = 'https://127.0.0.1:9'),
    [],
    exitCodes.harnessError,
    /https:\/\/127\.0\.0\.1:9 cannot be reached: .*ECONNREFUSED/,
    /next: is the cluster up/,
  ],
  [
    'a name that nobody knows',
    (c) => (c.clusters[0]!.cluster['server'] = 'https://no-such-host.invalid:6443'),
    [],
    exitCodes.harnessError,
    /cannot be reached: .*(ENOTFOUND|EAI_AGAIN)/,
  ],
  [
    'an authority that did not sign the server',
    (c) => (c.clusters[0]!.cluster['certificate-authority-data'] = base64(expired.cert)),
    [],
    exitCodes.harnessError,
    /cannot be trusted: its certificate is signed by/,
    /next: fetch the kubeconfig of this cluster anew/,
  ],
  [
    'a token that is not accepted',
    (c) => (c.users[0]!.user['token'] = 'old'),
    [],
    exitCodes.harnessError,
    /does not accept the credentials of this context \(401\)/,
    /next: log in again/,
  ],
  [
    'a client certificate that has expired',
    (c) => {
      c.users[0]!.user['client-certificate-data'] = base64(expired.cert);
      c.users[0]!.user['client-key-data'] = base64(expired.private);
    },
    [],
    exitCodes.usage,
    /the client certificate of user "quiesce" expired on 2020-01-02/,
    /next: fetch the kubeconfig anew/,
  ],
  [
    'resource definitions that are not served',
    () => undefined,
    [],
    exitCodes.harnessError,
    /does not serve .*modeldeployments\.worker\.gpustack\.ai/,
    /next: install the operator, or add --install-crds/,
  ],
];

for (const [what, change, typed, code, ...words] of refused) {
  test(`${what}: one message, ${code}, nothing written and nothing deployed`, async (t) => {
    const temp = scratch(t);
    const kubeconfig = changed(temp, change);
    const out = join(temp, 'out');
    const before = (await client.list('/api/v1/namespaces')).length;
    const seen = await quiesce(
      ['run', 'admission', '--target', 'kubernetes', '--kubeconfig', kubeconfig, '--out', out, ...typed],
      { temp },
    );
    assert.equal(seen.code, code, seen.err);
    for (const word of words) assert.match(seen.err, word);
    assert.match(seen.err, /^quiesce: /);
    assert.doesNotMatch(seen.err, /\n\s+at /, 'no stack');
    assert.ok(!existsSync(out));
    assert.equal((await client.list('/api/v1/namespaces')).length, before);
  });
}

test('a time scale that the kubelets do not keep', async (t) => {
  const { kubeconfig } = cluster.address;
  const typed = ['run', 'admission', '--target', 'kubernetes', '--kubeconfig', kubeconfig, '--install-crds'];
  const { code, err } = await quiesce([...typed, '--time-scale', '1', '--out', join(scratch(t), 'out')]);
  assert.equal(code, exitCodes.usage);
  assert.match(err, /--time-scale 1, but the kubelets of this cluster keep 10/);
});

test('definitions of another generation', async (t) => {
  const name = 'modeldeployments.worker.gpustack.ai';
  const [own] = customResourceDefinitions().filter(({ metadata }) => metadata.name === name);
  const other = JSON.parse(
    JSON.stringify(own).replaceAll('"instanceType":{', '"acceleratorType":{"type":"string"},"instanceType":{'),
  ) as object;
  await client.patch(`${DEFINITIONS}/${name}`, other, 'merge');
  t.after(() => client.patch(`${DEFINITIONS}/${name}`, own, 'merge'));
  const typed = ['run', 'admission', '--target', 'kubernetes', '--kubeconfig', cluster.address.kubeconfig];
  const { code, err } = await quiesce([...typed, '--out', join(scratch(t), 'out')]);
  assert.equal(code, exitCodes.harnessError);
  assert.match(err, /serves ModelDeployments of generation C\n\s+expected: generation B/);
});
