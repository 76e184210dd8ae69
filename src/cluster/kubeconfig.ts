import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import type { Connection } from './rest.ts';

interface Kubeconfig {
  'current-context'?: string;
  contexts?: { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  clusters?: { name: string; cluster: Record<string, unknown> }[];
  users?: { name: string; user: Record<string, unknown> }[];
}

/** A kubeconfig that cannot be used, with what was seen and what to do. */
export class KubeconfigError extends Error {
  readonly code = 'QUIESCE_KUBECONFIG';
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`kubeconfig ${path}: ${problem}`, options);
    this.name = 'KubeconfigError';
  }
}

/**
 * Reads address and credentials of one context: token, token file or client certificate, inline or as files.
 * @throws KubeconfigError where the file is unreadable, or the context, cluster or user is missing
 */
export function readKubeconfig(path: string, context?: string): Connection {
  let config: Kubeconfig;
  try {
    config = (parse(readFileSync(path, 'utf8')) ?? {}) as Kubeconfig;
  } catch (error) {
    throw new KubeconfigError(path, `cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const name = context ?? config['current-context'];
  const found = config.contexts?.find((c) => c.name === name)?.context;
  if (!found) {
    const known = config.contexts?.map((c) => c.name).join(', ') || 'none';
    throw new KubeconfigError(path, `has no context "${name ?? ''}" (contexts: ${known}); name one with --context`);
  }
  const cluster = config.clusters?.find((c) => c.name === found.cluster)?.cluster;
  if (typeof cluster?.['server'] !== 'string') {
    throw new KubeconfigError(path, `context "${name}" names the cluster "${found.cluster}", which has no server`);
  }
  const user = config.users?.find((u) => u.name === found.user)?.user ?? {};
  const bytes = (holder: Record<string, unknown>, key: string): Buffer | undefined => {
    const inline = holder[`${key}-data`];
    const file = holder[key];
    if (typeof inline === 'string') return Buffer.from(inline, 'base64');
    return typeof file === 'string' ? readFileSync(resolve(dirname(path), file)) : undefined;
  };
  const tokenFile = user['tokenFile'];
  return {
    server: cluster['server'],
    token: typeof tokenFile === 'string' ? readFileSync(tokenFile, 'utf8').trim() : (user['token'] as string | undefined),
    ca: bytes(cluster, 'certificate-authority'),
    cert: bytes(user, 'client-certificate'),
    key: bytes(user, 'client-key'),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
  };
}

/** The connection that `KUBECONFIG` names: how a program inside a Pod of the process kubelet finds its API server. */
export function connectionFromEnvironment(): Connection {
  const path = process.env['KUBECONFIG'];
  if (!path) throw new KubeconfigError('(none)', 'KUBECONFIG is not set');
  return readKubeconfig(path);
}
