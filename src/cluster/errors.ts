/** An answer of the API server that is no success, or no answer at all (`status` 0). */
export class KubeError extends Error {
  readonly code = 'QUIESCE_KUBE';
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** `reason` of the Status object, such as `NotFound` or `Conflict`. */
  readonly reason: string | undefined;
  /** The Status object itself, where one came. */
  readonly body: unknown;

  constructor(method: string, path: string, status: number, body: unknown, cause?: unknown) {
    const told = body as { message?: string; reason?: string } | undefined;
    const text =
      told?.message ?? (cause instanceof Error ? cause.message : (typeof body === 'string' && body) || 'no answer');
    super(`${method} ${path}: ${status || 'no answer'}: ${text}`, cause === undefined ? {} : { cause });
    this.name = 'KubeError';
    this.status = status;
    this.reason = told?.reason;
    this.body = body;
  }
}

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof KubeError && error.status === status;
