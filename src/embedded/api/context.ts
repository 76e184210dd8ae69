import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeletApi } from '../kubelet-api.ts';
import type { CrdRegistry } from './crd/registry.ts';
import type { RequestInfo } from './request-info.ts';
import type { KubernetesVersion } from './kubernetes-version.ts';
import type { ResourceRegistry } from './resources.ts';
import type { ClusterIps } from './strategies/cluster-ips.ts';
import type { Store } from './store.ts';

/** What every handler works with. */
export interface Api {
  store: Store;
  resources: ResourceRegistry;
  crds: CrdRegistry;
  clusterIps: ClusterIps;
  kubelet: KubeletApi;
  /** The Kubernetes that the server is. */
  kubernetes: KubernetesVersion;
  /** The wall clock, in milliseconds since 1970. */
  now(): number;
}

/** One request to a kind, with its body read. */
export interface Call extends RequestInfo {
  api: Api;
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  /** Media type of the body. */
  type: string;
  /** `?dryRun=All`: everything but the change itself. */
  dryRun: boolean;
}
