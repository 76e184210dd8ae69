import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStatus } from '../../src/cluster/errors.ts';
import { KubeClient } from '../../src/cluster/rest.ts';
import type { Daemon } from './daemon.ts';
import { apiServer, network } from './network.ts';
import type { Places } from './places.ts';

/** A client of the API server with the rights of the administrator, for use inside the cluster's network. */
export function admin({ pki }: Places, server: string = apiServer): KubeClient {
  const read = (name: string) => readFileSync(join(pki, name));
  return new KubeClient({ server, ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') });
}

const ok = async (client: KubeClient, path: string) => (await client.request<unknown>('GET', path)) === 'ok';

/** The control plane, in the order in which its parts are started. */
export function controlPlane(places: Places): Daemon[] {
  const { pki, etcd, bin } = places;
  const file = (name: string) => join(pki, name);
  const program = (name: string) => join(bin, name);
  const caller = (name: string) =>
    ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
      (flag) => `--${flag}=${file(`${name}.kubeconfig`)}`,
    );
  const client = () => admin(places);
  return [
    {
      name: 'etcd',
      argv: [
        ...[program('etcd'), `--data-dir=${etcd}`, '--unsafe-no-fsync'],
        ...['--listen-client-urls=http://127.0.0.1:2379', '--advertise-client-urls=http://127.0.0.1:2379'],
        ...['--listen-peer-urls=http://127.0.0.1:2380', '--log-level=warn'],
      ],
    },
    {
      name: 'kube-apiserver',
      argv: [
        ...[program('kube-apiserver'), '--etcd-servers=http://127.0.0.1:2379'],
        ...[`--secure-port=${network.apiPort}`, `--advertise-address=${network.node}`],
        ...[`--tls-cert-file=${file('apiserver.crt')}`, `--tls-private-key-file=${file('apiserver.key')}`],
        ...[`--client-ca-file=${file('ca.crt')}`, '--authorization-mode=Node,RBAC'],
        // exec and logs: kubelets are asked at their InternalIP, and must show a certificate of ours.
        `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
        `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
        ...[`--kubelet-certificate-authority=${file('ca.crt')}`, '--kubelet-preferred-address-types=InternalIP'],
        ...[
          '--service-account-issuer=https://kubernetes.default.svc',
          `--service-cluster-ip-range=${network.services}`,
        ],
        ...[`--service-account-signing-key-file=${file('sa.key')}`, `--service-account-key-file=${file('sa.pub')}`],
        // Without these the scheduler logs an error a minute.
        ...[`--requestheader-client-ca-file=${file('ca.crt')}`, '--requestheader-allowed-names=front-proxy'],
        // PodNodeSelector: an annotation of a namespace says to which Nodes its Pods may go.
        ...['--enable-admission-plugins=NodeRestriction,PodNodeSelector', '--profiling=false'],
      ],
      ready: { fact: 'the API server to be ready', seen: () => ok(client(), '/readyz'), seconds: 120 },
    },
    {
      name: 'kube-controller-manager',
      argv: [
        ...[program('kube-controller-manager'), ...caller('controller-manager'), '--bind-address=127.0.0.1'],
        // With its own defaults it throttles itself while it starts some 40 controllers, which costs 5 s.
        ...['--leader-elect=false', '--kube-api-qps=500', '--kube-api-burst=1000'],
        // One identity for all controllers is refused by RBAC.
        '--use-service-account-credentials=true',
        '--controllers=*,-node-ipam-controller,-node-route-controller,-service-lb-controller',
        ...[`--root-ca-file=${file('ca.crt')}`, `--client-ca-file=${file('ca.crt')}`],
        `--service-account-private-key-file=${file('sa.key')}`,
        ...[`--cluster-signing-cert-file=${file('ca.crt')}`, `--cluster-signing-key-file=${file('ca.key')}`],
      ],
      ready: {
        fact: 'the first ServiceAccount',
        seen: () => exists(client(), '/api/v1/namespaces/default/serviceaccounts/default'),
        seconds: 60,
      },
    },
    {
      name: 'kube-scheduler',
      argv: [program('kube-scheduler'), ...caller('scheduler'), '--bind-address=127.0.0.1', '--leader-elect=false'],
      ready: {
        fact: 'the scheduler to be ready',
        seen: () => ok(new KubeClient({ server: 'https://127.0.0.1:10259', skipTlsVerify: true }), '/readyz'),
        seconds: 60,
      },
    },
  ];
}

export async function exists(client: KubeClient, path: string): Promise<boolean> {
  try {
    await client.request('GET', path);
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}
