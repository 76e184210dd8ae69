import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { absoluteKubeconfig, connectionFromEnvironment, KubeconfigError, readKubeconfig } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'quiesce-kubeconfig-'));
after(() => rmSync(folder, { recursive: true }));
const file = (text: string) => {
  const path = join(folder, 'config');
  writeFileSync(path, text);
  return path;
};

const good = () => ({
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:6443' } as Record<string, unknown> }],
  users: [{ name: 'u', user: { token: 'secret' } as Record<string, unknown> }],
});

test('address, token and certificates, inline or as files beside it', () => {
  const config = good();
  writeFileSync(join(folder, 'ca.pem'), 'the authority');
  config.clusters[0]!.cluster['certificate-authority'] = 'ca.pem';
  config.users[0]!.user['client-key-data'] = Buffer.from('the key').toString('base64');
  const { server, token, ca, key } = readKubeconfig(file(stringify(config)));
  assert.deepEqual(
    [server, token, ca?.toString(), key?.toString()],
    ['https://127.0.0.1:6443', 'secret', 'the authority', 'the key'],
  );
});

test('a token from the program that logs in, which learns what is asked', () => {
  const config = good();
  const answer =
    '{"kind":"ExecCredential","status":{"token":"\'$PREFIX-$(echo $KUBERNETES_EXEC_INFO | grep -c v1beta1)\'"}}';
  config.users[0]!.user = {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'sh',
      args: ['-c', `echo '${answer}'`],
      env: [{ name: 'PREFIX', value: 'from-plugin' }],
    },
  };
  assert.equal(readKubeconfig(file(stringify(config))).token, 'from-plugin-1');
});

const broken: [string, string | ((config: ReturnType<typeof good>) => void), RegExp][] = [
  ['no YAML', 'a: [', /cannot be read/],
  ['empty', '', /is no kubeconfig/],
  ['a text', 'hello', /is no kubeconfig/],
  ['a list of numbers for contexts', 'contexts: [1, 2]', /contexts is no list of mappings/],
  ['a number for clusters', 'clusters: 5', /clusters is no list of mappings/],
  ['an unknown context', (c) => (c['current-context'] = 'x'), /has no context "x" \(contexts: c\)/],
  ['no cluster', (c) => (c.clusters = []), /has no server/],
  ['no address', (c) => (c.clusters[0]!.cluster['server'] = 'nowhere'), /"nowhere", which is no http/],
  ['no user', (c) => (c.users = []), /names the user "u", who is missing/],
  ['a provider', (c) => (c.users[0]!.user['auth-provider'] = { name: 'gcp' }), /logs in by "auth-provider"/],
  ['a proxy', (c) => (c.clusters[0]!.cluster['proxy-url'] = 'socks5://x'), /has a proxy-url, which is not supported/],
  [
    'no plugin there',
    (c) => (c.users[0]!.user['exec'] = { command: 'no-such-tool' }),
    /"no-such-tool" is not installed/,
  ],
  ['a plugin without command', (c) => (c.users[0]!.user['exec'] = { args: [] }), /"exec" is not usable: .*command/s],
  [
    'a plugin that fails',
    (c) => (c.users[0]!.user['exec'] = { command: 'sh', args: ['-c', 'echo please log in >&2; exit 1'] }),
    /user "u" cannot log in: "sh" failed: please log in/,
  ],
  [
    'a plugin that answers nonsense',
    (c) => (c.users[0]!.user['exec'] = { command: 'echo', args: ['secret'] }),
    /"echo" answered no ExecCredential with a token or a certificate$/,
  ],
  ['a token file that is not there', (c) => (c.users[0]!.user['tokenFile'] = 'gone'), /names the file gone/],
];

for (const [what, content, message] of broken) {
  test(`a kubeconfig with ${what} is refused with what was seen`, () => {
    const config = good();
    if (typeof content === 'function') content(config);
    const path = file(typeof content === 'string' ? content : stringify(config));
    assert.throws(
      () => readKubeconfig(path),
      (error) => error instanceof KubeconfigError && message.test(error.message),
    );
  });
}

test('a kubeconfig that is not there is refused', () => {
  assert.throws(() => readKubeconfig(join(folder, 'none')), /cannot be read: ENOENT/);
});

test('inside of a Pod: KUBECONFIG where it is set, else the service account', (t) => {
  const account = mkdtempSync(join(tmpdir(), 'quiesce-account-'));
  t.after(() => rmSync(account, { recursive: true }));
  const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  assert.throws(() => connectionFromEnvironment(inPod, account), /has no token: does the Pod mount its token\?/);
  writeFileSync(join(account, 'token'), 'secret\n');
  writeFileSync(join(account, 'ca.crt'), 'authority');
  const found = connectionFromEnvironment(inPod, account);
  assert.deepEqual(found, { server: 'https://10.96.0.1:443', token: 'secret', ca: Buffer.from('authority') });
  assert.equal(
    connectionFromEnvironment({ KUBERNETES_SERVICE_HOST: 'fd00::1' }, account).server,
    'https://[fd00::1]:443',
  );
  assert.throws(() => connectionFromEnvironment({}, account), /neither KUBECONFIG nor KUBERNETES_SERVICE_HOST/);
  assert.throws(() => connectionFromEnvironment({ ...inPod, KUBECONFIG: '/nowhere' }, account), /\/nowhere/);
});

test('in-cluster is no file: outside of a Pod that is said, and it has no contexts', () => {
  assert.throws(
    () => readKubeconfig('in-cluster', 'prod'),
    /kubeconfig in-cluster: has no context "prod", since it is no file/,
  );
  assert.throws(
    () => readKubeconfig('in-cluster'),
    /in-cluster: neither KUBECONFIG nor KUBERNETES_SERVICE_HOST is set: only a Pod/,
  );
  assert.equal(absoluteKubeconfig('in-cluster'), 'in-cluster');
  assert.equal(absoluteKubeconfig('./in-cluster'), join(process.cwd(), 'in-cluster'));
});
