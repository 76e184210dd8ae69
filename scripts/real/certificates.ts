import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generate } from 'selfsigned';
import { stringify } from 'yaml';
import { apiServer, network } from './network.ts';

interface Pair {
  cert: string;
  key: string;
}

/** Days for which the certificates are valid: longer than any lab cluster lives. */
const DAYS = 365;

type Extensions = NonNullable<NonNullable<Parameters<typeof generate>[1]>['extensions']>;

async function make(subject: { O?: string; CN: string }, extensions: Extensions, ca?: Pair): Promise<Pair> {
  const notBefore = new Date(Date.now() - 60_000);
  const names = [
    ...(subject.O === undefined ? [] : [{ name: 'organizationName', value: subject.O }]),
    { name: 'commonName', value: subject.CN },
  ];
  const { cert, private: key } = await generate(names, {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: notBefore,
    notAfterDate: new Date(notBefore.getTime() + DAYS * 86_400_000),
    extensions,
    ...(ca ? { ca } : {}),
  });
  return { cert, key };
}

const client = (subject: { O?: string; CN: string }, ca: Pair) =>
  make(subject, [usage, { name: 'extKeyUsage', clientAuth: true }], ca);

const server = (CN: string, ips: string[], dns: string[], ca: Pair) => {
  const altNames = [
    ...ips.map((ip) => ({ type: 7 as const, ip })),
    ...dns.map((value) => ({ type: 2 as const, value })),
  ];
  return make({ CN }, [usage, { name: 'extKeyUsage', serverAuth: true }, { name: 'subjectAltName', altNames }], ca);
};

const usage = { name: 'keyUsage', digitalSignature: true, critical: true } as const;

/** The Nodes' addresses that the kubelets' serving certificate names. */
const nodeAddresses = Array.from({ length: network.nodesInCertificate }, (_, i) =>
  network.node.replace(/\d+$/, String(i + 1)),
);

/**
 * Writes a certificate authority and all that the cluster's programs need of it into `pki`: NAME.crt and NAME.key for
 * each, NAME.kubeconfig for those who call the API server, and sa.key and sa.pub, which sign service account tokens.
 */
export async function makePki(pki: string): Promise<void> {
  const ca = await make({ CN: 'quiesce-lab' }, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
  ]);
  write(pki, 'ca', ca);
  const service = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ];
  const ips = ['127.0.0.1', network.node, network.apiService];
  write(pki, 'apiserver', await server('kube-apiserver', ips, ['localhost', ...service], ca));
  write(pki, 'kubelet-server', await server('kubelet', nodeAddresses, [], ca));
  const callers = {
    admin: { O: 'system:masters', CN: 'admin' },
    'apiserver-kubelet-client': { O: 'system:masters', CN: 'apiserver-kubelet-client' },
    'controller-manager': { CN: 'system:kube-controller-manager' },
    scheduler: { CN: 'system:kube-scheduler' },
    proxy: { CN: 'system:kube-proxy' },
  };
  for (const [name, subject] of Object.entries(callers)) caller(pki, name, await client(subject, ca), ca);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(pki, 'sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(join(pki, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
}

/** Writes nodes/NODE.crt, .key and .kubeconfig: what a kubelet that serves the Node of that name calls with. */
export async function makeNodeCredentials(pki: string, node: string): Promise<void> {
  const ca = { cert: readFileSync(join(pki, 'ca.crt'), 'utf8'), key: readFileSync(join(pki, 'ca.key'), 'utf8') };
  caller(pki, join('nodes', node), await client({ O: 'system:nodes', CN: `system:node:${node}` }, ca), ca);
}

function write(pki: string, name: string, { cert, key }: Pair): void {
  mkdirSync(dirname(join(pki, name)), { recursive: true });
  writeFileSync(join(pki, `${name}.crt`), cert);
  writeFileSync(join(pki, `${name}.key`), key, { mode: 0o600 });
}

function caller(pki: string, name: string, pair: Pair, ca: Pair): void {
  write(pki, name, pair);
  const data = (pem: string) => Buffer.from(pem).toString('base64');
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'quiesce-lab',
    clusters: [{ name: 'quiesce-lab', cluster: { server: apiServer, 'certificate-authority-data': data(ca.cert) } }],
    users: [
      { name: 'caller', user: { 'client-certificate-data': data(pair.cert), 'client-key-data': data(pair.key) } },
    ],
    contexts: [{ name: 'quiesce-lab', context: { cluster: 'quiesce-lab', user: 'caller' } }],
  };
  writeFileSync(join(pki, `${name}.kubeconfig`), stringify(kubeconfig), { mode: 0o600 });
}
