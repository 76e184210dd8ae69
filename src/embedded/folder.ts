import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Id of a new cluster: short, unique on this host, and usable as a label's value. */
export const newClusterId = (): string => randomBytes(4).toString('hex');

/** The private folder of a cluster (mode 0700), by whose name and owner file its leftovers are found. */
export const makeFolder = (clusterId: string): string => mkdtempSync(join(tmpdir(), `quiesce-${clusterId}-`));

export interface KubeconfigContent {
  server: string;
  token: string;
  /** Certificate that the server's is checked against, in PEM; absent for plain HTTP. */
  authority?: string;
}

/** A kubeconfig with one context `quiesce`, for kubectl and every client library. */
export function kubeconfig({ server, token, authority }: KubeconfigContent): string {
  const ca = authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'quiesce',
    clusters: [{ name: 'quiesce', cluster: { server, ...ca } }],
    users: [{ name: 'quiesce', user: { token } }],
    contexts: [{ name: 'quiesce', context: { cluster: 'quiesce', user: 'quiesce', namespace: 'default' } }],
  });
}
