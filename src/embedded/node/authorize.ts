import type { TLSSocket } from 'node:tls';
import type { KubeClient } from '../../cluster/rest.ts';

/** Milliseconds for which an answer of the API server about a caller holds; a kubelet's own default for "allowed". */
const REMEMBERED_MS = 300_000;

/**
 * Decides as a kubelet does (webhook mode) who may use its endpoint: the caller is whom the client certificate names, which TLS
 * has checked, and the API server says whether that user may use `nodes/proxy`.
 */
export class Authorizer {
  readonly #client: KubeClient;
  readonly #allowed = new Map<string, number>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** @throws KubeError (as a rejection) where the API server does not answer */
  async allows(socket: TLSSocket, verb: 'get' | 'create', node: string): Promise<boolean> {
    const { CN: user, O } = (socket.getPeerCertificate().subject ?? {}) as { CN?: string; O?: string | string[] };
    if (!user) return false;
    const groups = [...(O === undefined ? [] : [O].flat()), 'system:authenticated'];
    const key = [user, ...groups, verb, node].join('\n');
    if ((this.#allowed.get(key) ?? 0) > Date.now()) return true;
    const resourceAttributes = { verb, version: 'v1', resource: 'nodes', subresource: 'proxy', name: node };
    const review = await this.#client.create<{ status?: { allowed?: boolean } }>(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, groups, resourceAttributes },
      },
    );
    if (!review.status?.allowed) return false;
    this.#allowed.set(key, Date.now() + REMEMBERED_MS);
    return true;
  }
}
