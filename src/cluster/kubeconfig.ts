import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { execCredential } from './exec-credential.ts';
import type { ExecCredential } from './exec-credential.ts';
import type { Connection } from './rest.ts';

type Fields = Record<string, unknown>;

interface Kubeconfig {
  'current-context'?: string;
  contexts?: { name: string; context?: { cluster: string; user: string; namespace?: string } }[];
  clusters?: { name: string; cluster?: Fields }[];
  users?: { name: string; user?: Fields }[];
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
 * Reads address and credentials of one context: token, token file or client certificate, inline or as files, or the program
 * that logs in, which is run. The path `in-cluster` stands for the service account of the Pod that we run in.
 * @throws KubeconfigError where the file or one it names is unreadable, or the context, cluster or user is missing or of no use
 */
export function readKubeconfig(path: string, context?: string): Connection {
  if (path === IN_CLUSTER) return connectionInCluster(context);
  const config = load(path);
  const name = context ?? config['current-context'];
  const found = named(config.contexts, name)?.context;
  if (!found) {
    const known = names(config.contexts) || 'none';
    throw new KubeconfigError(path, `has no context "${name ?? ''}" (contexts: ${known}); name one with --context`);
  }
  const cluster = named(config.clusters, found.cluster)?.cluster;
  const server = cluster?.['server'];
  if (!cluster || typeof server !== 'string') {
    throw new KubeconfigError(path, `context "${name}" names the cluster "${found.cluster}", which has no server`);
  }
  if (!/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : '')) {
    throw new KubeconfigError(
      path,
      `cluster "${found.cluster}" has the server "${server}", which is no http(s) address`,
    );
  }
  const user = named(config.users, found.user)?.user;
  if (!user && found.user)
    throw new KubeconfigError(path, `context "${name}" names the user "${found.user}", who is missing`);
  if (user?.['auth-provider']) {
    throw new KubeconfigError(
      path,
      `user "${found.user}" logs in by "auth-provider", which Kubernetes no longer has; use a token, a client certificate or "exec"`,
    );
  }
  if (cluster['proxy-url'])
    throw new KubeconfigError(path, `cluster "${found.cluster}" has a proxy-url, which is not supported`);
  const file = (name: string): Buffer => {
    try {
      return readFileSync(resolve(dirname(path), name));
    } catch (error) {
      throw new KubeconfigError(path, `names the file ${name}: ${(error as Error).message}`, { cause: error });
    }
  };
  const bytes = (holder: Fields | undefined, key: string): Buffer | undefined => {
    const inline = holder?.[`${key}-data`];
    const name = holder?.[key];
    if (typeof inline === 'string') return Buffer.from(inline, 'base64');
    return typeof name === 'string' ? file(name) : undefined;
  };
  const tokenFile = user?.['tokenFile'];
  const plugin = user?.['exec'] ? pluginCredential(path, found.user, user['exec']) : {};
  const cert = plugin.cert ?? bytes(user, 'client-certificate');
  if (cert) checkValid(path, found.user, cert);
  return {
    server,
    token:
      plugin.token ??
      (typeof tokenFile === 'string' ? file(tokenFile).toString().trim() : (user?.['token'] as string | undefined)),
    ca: bytes(cluster, 'certificate-authority'),
    cert,
    key: plugin.key ?? bytes(user, 'client-key'),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    serverName: cluster['tls-server-name'] as string | undefined,
  };
}

function pluginCredential(path: string, user: string, plugin: unknown): ExecCredential {
  try {
    return execCredential(plugin, path);
  } catch (error) {
    throw new KubeconfigError(path, `user "${user}" cannot log in: ${(error as Error).message}`, { cause: error });
  }
}

/** A server only answers 401 to an expired certificate, or ends the handshake: told here, where its end can be read. */
function checkValid(path: string, user: string, pem: Buffer): void {
  let end: Date;
  try {
    end = new Date(new X509Certificate(pem).validTo);
  } catch (error) {
    throw new KubeconfigError(path, `the client certificate of user "${user}" is none: ${(error as Error).message}`);
  }
  if (end.getTime() > Date.now()) return;
  throw new KubeconfigError(
    path,
    `the client certificate of user "${user}" expired on ${end.toISOString().slice(0, 10)}\n  next: fetch the kubeconfig anew`,
  );
}

function load(path: string): Kubeconfig {
  let config: unknown;
  try {
    config = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new KubeconfigError(path, `cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new KubeconfigError(path, 'is no kubeconfig: expected a mapping with contexts, clusters and users');
  }
  for (const list of ['contexts', 'clusters', 'users'] as const) {
    const entries: unknown = (config as Kubeconfig)[list];
    const mappings = Array.isArray(entries) && entries.every((e) => typeof e === 'object' && e !== null);
    if (entries && !mappings) throw new KubeconfigError(path, `${list} is no list of mappings`);
  }
  return config;
}

const named = <T extends { name: string }>(list: T[] | undefined, name: string | undefined): T | undefined =>
  list?.find((entry) => entry.name === name);

const names = (list: { name: string }[] | undefined): string => list?.map(({ name }) => name).join(', ') ?? '';

/** In place of a kubeconfig's path: the API server and the service account that a Pod has. */
const IN_CLUSTER = 'in-cluster';

/** A kubeconfig as it is typed, for processes with another working directory. */
export const absoluteKubeconfig = (path: string): string => (path === IN_CLUSTER ? path : resolve(path));

function connectionInCluster(context: string | undefined): Connection {
  if (context !== undefined)
    throw new KubeconfigError(IN_CLUSTER, `has no context "${context}", since it is no file; leave --context out`);
  return connectionFromEnvironment({ ...process.env, KUBECONFIG: undefined });
}

/**
 * How a program inside a Pod finds its API server: by what `KUBECONFIG` names, which the process kubelet sets, else by its
 * service account, as under any other kubelet. Tokens are replaced while a Pod runs: each call reads the present one.
 */
export function connectionFromEnvironment(env: NodeJS.ProcessEnv = process.env, account = SERVICE_ACCOUNT): Connection {
  const { KUBECONFIG: path, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (path) return readKubeconfig(path);
  if (!host)
    throw new KubeconfigError(
      IN_CLUSTER,
      'neither KUBECONFIG nor KUBERNETES_SERVICE_HOST is set: only a Pod has a service account; name a kubeconfig by its path',
    );
  const file = (name: string) => {
    try {
      return readFileSync(`${account}/${name}`);
    } catch (error) {
      throw new KubeconfigError(account, `has no ${name}: does the Pod mount its token?`, { cause: error });
    }
  };
  const address = host.includes(':') ? `[${host}]` : host;
  return { server: `https://${address}:${port}`, token: file('token').toString().trim(), ca: file('ca.crt') };
}

/** Where every Pod that mounts its token has it. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
