/** Addresses of the lab cluster. All of them live in its own network namespace: they collide with nothing outside. */
export const network = {
  /** The real kubelet's Node and what listens beside it. Kubernetes refuses loopback addresses for a Node. */
  node: '192.168.77.1',
  /** Addresses for Nodes that a process kubelet serves; all of them can be listened on. */
  nodes: '192.168.77.0/24',
  /** How many of them, from the first, the kubelets' serving certificate names. */
  nodesInCertificate: 16,
  /** Pods of a process kubelet; every address can be listened on. EndpointSlices refuse 127.x. */
  processPods: '10.250.0.0/16',
  /** Pods of the real kubelet. */
  pods: '10.244.0.0/24',
  services: '10.96.0.0/16',
  /** The first of `services`: the Service `kubernetes`. */
  apiService: '10.96.0.1',
  apiPort: 6443,
} as const;

export const apiServer = `https://${network.node}:${network.apiPort}`;

/** The real kubelet's Node. */
export const REAL_NODE = 'real-1';

/** Nodes of a process kubelet that have credentials from the start; `node-credentials` makes more. */
export const PROCESS_NODES = ['node-1', 'node-2', 'node-3', 'node-4'];
