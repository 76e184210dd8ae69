import assert from 'node:assert/strict';
import https from 'node:https';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { generate } from 'selfsigned';
import { FakeApi } from '../../cluster/api.testing.ts';
import { execInPod } from '../../cluster/exec.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { makeCertificate } from '../api/certificate.ts';
import type { Certificate } from '../api/certificate.ts';
import type { KubeletApi } from '../kubelet-api.ts';
import { KubeletError } from '../kubelet-api.ts';
import { Authorizer } from './authorize.ts';
import { nodeCertificate, servingCertificate } from './certificates.ts';
import { KubeletEndpoint } from './endpoint.ts';

const HOST = '127.0.0.1';
const api = new FakeApi();
const asked: unknown[] = [];
let endpoint: KubeletEndpoint;
let admin: KubeClient;
let authority: Certificate;
/** Certificates of callers by name. */
const callers: Record<string, Certificate> = {};

/** A kubelet that says what it was asked. */
const kubelet: KubeletApi = {
  logs(ref, options) {
    asked.push({ ref, options });
    if (ref.container === 'none') return Promise.reject(new KubeletError(404, 'no such container'));
    return Promise.resolve(Readable.from(['one\n', 'two\n']));
  },
  exec(ref, command, options) {
    asked.push({ ref, command, options });
    return Promise.resolve({ stdout: Readable.from([command.join(' ')]), exit: Promise.resolve(7), kill: () => {} });
  },
  kubeletLog: (node) => Promise.resolve(Readable.from([`log of ${node}`])),
};

const authorityOf = async (): Promise<Certificate> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
    ],
  });
  return { cert, key };
};

before(async () => {
  authority = await authorityOf();
  callers['api'] = await nodeCertificate('api', authority);
  callers['stranger'] = await nodeCertificate('stranger', authority);
  callers['forged'] = await nodeCertificate('api', await authorityOf());
  admin = new KubeClient(await api.start());
  api.answer = ({ method, path, body }, _request, response) => {
    if (method !== 'POST' || path !== '/apis/authorization.k8s.io/v1/subjectaccessreviews') return false;
    const { spec } = body as { spec: { user: string; groups: string[] } };
    const allowed = spec.user === 'system:node:api' && spec.groups.includes('system:nodes');
    response.writeHead(201).end(JSON.stringify({ status: { allowed } }));
    return true;
  };
  endpoint = await KubeletEndpoint.start({
    node: 'n1',
    address: HOST,
    tls: await servingCertificate(HOST, authority),
    callers: authority.cert,
    authorizer: new Authorizer(admin),
    kubelet: () => kubelet,
  });
});
after(async () => {
  await endpoint.stop();
  admin.close();
  await api.stop();
});

/** Status and body of a GET, or the code by which TLS ended it; the endpoint's own certificate is checked. */
function get(path: string, caller?: Certificate): Promise<string> {
  return new Promise((resolve) => {
    const request = https.get({ host: HOST, port: endpoint.port, path, agent: false, ca: authority.cert, ...caller });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.on('response', (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      response.on('end', () => resolve(`${response.statusCode} ${text}`));
    });
  });
}

test('the log of a container, as a real kubelet is asked for it', async () => {
  const query = 'follow=true&timestamps=true&tailLines=5&sinceTime=2026-01-01T00%3A00%3A00Z';
  assert.equal(await get(`/containerLogs/ns/pod/main?${query}`, callers['api']), '200 one\ntwo\n');
  const { ref, options } = asked.pop() as { ref: object; options: { sinceSeconds: number } };
  assert.deepEqual(ref, { nodeName: 'n1', namespace: 'ns', pod: 'pod', container: 'main' });
  const { sinceSeconds, ...rest } = options;
  assert.deepEqual(rest, { follow: true, timestamps: true, previous: false, tailLines: 5 });
  assert.ok(sinceSeconds > 0);
});

test("the kubelet's own log", async () => {
  assert.equal(await get('/logs/kubelet.log', callers['api']), '200 log of n1');
});

test('what is refused', async () => {
  assert.equal(await get('/containerLogs/ns/pod/none', callers['api']), '404 no such container');
  assert.equal(await get('/containerLogs/ns/pod', callers['api']), '404 404 page not found');
  assert.equal(
    await get('/containerLogs/ns/pod/main?tailLines=x', callers['api']),
    '400 tailLines "x" is no whole number',
  );
  assert.equal(await get('/pods', callers['api']), '404 404 page not found');
});

test('only who has a certificate of the authority, and only whom the API server allows', async () => {
  assert.match(await get('/logs/kubelet.log'), /CERTIFICATE_REQUIRED|ECONNRESET|EPROTO/);
  assert.match(await get('/logs/kubelet.log', callers['forged']), /UNKNOWN_CA|DECRYPT_ERROR|ECONNRESET|EPROTO/);
  assert.match(await get('/logs/kubelet.log', await makeCertificate()), /UNKNOWN_CA|ECONNRESET|EPROTO/);
  assert.equal(await get('/logs/kubelet.log', callers['stranger']), '403 Forbidden');
  const reviewed = api.sent.filter(({ method }) => method === 'POST').length;
  await get('/healthz', callers['api']);
  assert.equal(api.sent.filter(({ method }) => method === 'POST').length, reviewed, 'an answer is remembered');
});

test('a command over a WebSocket, with its exit code', async () => {
  const socket = new KubeClient({
    server: `https://${HOST}:${endpoint.port}`,
    ca: Buffer.from(authority.cert),
    cert: Buffer.from(callers['api']?.cert ?? ''),
    key: Buffer.from(callers['api']?.key ?? ''),
  });
  // The path is the kubelet's; the client asks for the API server's, which has another one before it.
  const proxied = Object.create(socket, {
    url: { value: () => socket.url('/exec/ns/pod/main?command=echo&command=hi&output=1') },
  }) as KubeClient;
  assert.deepEqual(await execInPod(proxied, 'ns', 'pod', 'main', ['echo', 'hi']), {
    code: 7,
    stdout: 'echo hi',
    stderr: '',
  });
  assert.deepEqual(asked.pop(), {
    ref: { nodeName: 'n1', namespace: 'ns', pod: 'pod', container: 'main' },
    command: ['echo', 'hi'],
    options: { stdin: false, stdout: true, stderr: false, tty: false },
  });
  socket.close();
});
