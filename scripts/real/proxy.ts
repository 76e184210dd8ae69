import { join } from 'node:path';
import type { Daemon } from './daemon.ts';
import { network, REAL_NODE } from './network.ts';
import type { Places } from './places.ts';

/** kube-proxy, which makes the addresses of Services work: nftables rules in the cluster's own network namespace. */
export function proxy({ pki, bin, state }: Places): Daemon {
  const config = join(state, 'kube-proxy.json');
  return {
    name: 'kube-proxy',
    argv: [join(bin, 'kube-proxy'), `--config=${config}`],
    files: {
      [config]: {
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode: 'nftables',
        clientConnection: { kubeconfig: join(pki, 'proxy.kubeconfig') },
        hostnameOverride: REAL_NODE,
        bindAddress: network.node,
        clusterCIDR: network.pods,
        detectLocalMode: 'ClusterCIDR',
        healthzBindAddress: '127.0.0.1:10256',
        metricsBindAddress: '127.0.0.1:10249',
        // 0 leaves the machine's connection tracking as it is: its limits are no namespace's own.
        conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
      },
    },
    ready: {
      fact: 'the first rules of kube-proxy',
      seen: async () => (await fetch('http://127.0.0.1:10256/healthz')).ok,
      seconds: 60,
    },
  };
}
