import { KubeError } from './errors.ts';

/** A cluster that cannot be used as it is: what was seen, what was expected, what to do next. */
export class TargetError extends Error {
  readonly code = 'QUIESCE_TARGET';
  constructor(seen: string, expected: string, next: string, options?: ErrorOptions) {
    super(`${seen}\n  expected: ${expected}\n  next: ${next}`, options);
    this.name = 'TargetError';
  }
}

/** Codes of Node's TLS by which the server's certificate is refused, in words. */
const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this machine right?',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is signed by itself, not by the certificate-authority of the kubeconfig',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by another authority than that of the kubeconfig',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by another authority than that of the kubeconfig',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by another authority than that of the kubeconfig',
  CERT_SIGNATURE_FAILURE: 'its certificate is signed by another authority than that of the kubeconfig',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is made out for another name',
};

/** What a first answer of the API server, or its absence, says about the connection; anything else as it is. */
export function explainConnection(error: unknown, server: string): unknown {
  if (!(error instanceof KubeError)) return error;
  const { cause, status } = error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const problem = certificateProblems[code];
  if (problem !== undefined) {
    return new TargetError(
      `the API server ${server} cannot be trusted: ${problem} (${code})`,
      'a server whose certificate the kubeconfig vouches for',
      'fetch the kubeconfig of this cluster anew',
      { cause: error },
    );
  }
  if (status === 0) {
    return new TargetError(
      `the API server ${server} cannot be reached: ${(cause as Error | undefined)?.message || code || 'no answer'}`,
      'an API server that answers',
      'is the cluster up, and the address of this context right? kubectl --context ... version tells',
      { cause: error },
    );
  }
  if (status === 401) {
    return new TargetError(
      `the API server ${server} does not accept the credentials of this context (401)`,
      'a token or client certificate that it knows and that has not expired',
      'log in again, or fetch the kubeconfig anew',
      { cause: error },
    );
  }
  if (status === 403) {
    return new TargetError(
      `the API server ${server} forbids it: ${error.message}`,
      'a user with the rights of manifests/rbac.yaml',
      'quiesce preflight lists every right that is missing',
      { cause: error },
    );
  }
  return error;
}
