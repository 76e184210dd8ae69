import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KubeletApi } from '../kubelet-api.ts';
import { builtinResources } from './builtin-resources.ts';
import type { Certificate } from './certificate.ts';
import type { Api } from './context.ts';
import { CrdRegistry } from './crd/registry.ts';
import { handle, handleUpgrade } from './handler.ts';
import { fillStore } from './initial.ts';
import { kubernetesVersions, type KubernetesName } from './kubernetes-version.ts';
import { ResourceRegistry } from './resources.ts';
import { Store } from './store.ts';
import { ClusterIps } from './strategies/cluster-ips.ts';
import type { ClusterIpRange } from './strategies/cluster-ips.ts';

export interface ApiServerOptions {
  host: '127.0.0.1';
  /** Port of the TLS listener, for kubectl; 0 or absent: any free one. */
  port?: number;
  /** Port of the plain listener, for the cluster's own parts; 0 or absent: any free one. */
  plainPort?: number;
  /** Bearer token that both listeners ask for. */
  token: string;
  tls: Certificate;
  kubelet: KubeletApi;
  /** Default: the one that was measured, 1.34. */
  kubernetes?: KubernetesName;
  /** Where Services get their clusterIPs from; absent: all of 127.80.0.0/16, for a server on its own. */
  clusterIps?: ClusterIpRange;
  /** The wall clock in milliseconds since 1970, for tests. */
  now?: () => number;
  /** Changes of each kind that watches can resume from. */
  historyLimit?: number;
}

export interface ApiServer {
  /** `https://` address. */
  url: string;
  /** `http://` address. */
  plainUrl: string;
  store: Store;
  /** Ends every connection, watches included. */
  close(): Promise<void>;
}

/** The port that was asked for cannot be listened on. */
export class ApiServerListenError extends Error {
  readonly code = 'QUIESCE_API_LISTEN';
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    const what =
      cause.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be listened on (${cause.message})`;
    super(`API server: port ${port} of ${host} ${what}; choose another, or 0 for any free one`, { cause });
    this.name = 'ApiServerListenError';
  }
}

/**
 * Starts the embedded API server: one store behind a TLS listener and a plain one, both on loopback.
 * @throws ApiServerListenError where a port cannot be had
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { host, token, tls, kubelet, now = Date.now } = options;
  const store = new Store(options.historyLimit);
  const resources = new ResourceRegistry(builtinResources());
  const crds = new CrdRegistry(store, resources);
  fillStore(store, now());
  const api: Api = {
    store,
    resources,
    crds,
    clusterIps: new ClusterIps(options.clusterIps ?? { first: 0, size: 65_536 }),
    kubelet,
    kubernetes: kubernetesVersions[options.kubernetes ?? '1.34'],
    now,
  };
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) =>
    void handle(api, token, request, response);
  const servers = [
    https.createServer({ ...tls, ALPNProtocols: ['http/1.1'] }, answer),
    http.createServer(answer),
  ] as const;
  const upgraded = new Set<Duplex>();
  for (const server of servers) {
    // Clients keep their connections; a server that closes idle ones races with their next request.
    server.keepAliveTimeout = 0;
    server.on('clientError', (_error, socket) => socket.destroy());
    server.on('upgrade', (request, socket, head) => {
      upgraded.add(socket);
      socket.on('close', () => upgraded.delete(socket));
      void handleUpgrade(api, token, request, socket, head);
    });
  }
  const close = async () => {
    for (const socket of upgraded) socket.destroy();
    await Promise.all(servers.map(stop));
  };
  try {
    const port = await listen(servers[0], host, options.port ?? 0);
    const plainPort = await listen(servers[1], host, options.plainPort ?? 0);
    return { url: `https://${host}:${port}`, plainUrl: `http://${host}:${plainPort}`, store, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function listen(server: http.Server | https.Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ApiServerListenError(host, port, error)));
    server.listen(port, host, () => {
      // Later errors, such as too many open files, cost a connection and not the server.
      server.on('error', () => undefined);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function stop(server: http.Server | https.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
