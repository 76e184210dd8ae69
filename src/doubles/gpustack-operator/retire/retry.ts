import { annotations } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';

/** A user's wish to take an aborted operation up again. */
export interface RetryDirective {
  role: string;
  ordinal: number;
  token: string;
}

/** The directive of a deployment; undefined where there is none, or it is not `<role>:<ordinal>:<token>`. */
export function retryOf({ metadata }: ModelDeployment): RetryDirective | undefined {
  const parts = metadata.annotations?.[annotations.retirementRetry]?.split(':') ?? [];
  const [role = '', ordinal = '', token = ''] = parts;
  if (parts.length !== 3 || !role || !token || !/^\d+$/.test(ordinal)) return undefined;
  return { role, ordinal: Number(ordinal), token };
}

/**
 * What a directive asks of an operation. `retry`: it is aborted and this token is new. `used`: the token was taken
 * before, so all that is left is to remove the annotation. Anything else is left where it is.
 */
export function retryWish(directive: RetryDirective | undefined, operation: Retirement): 'retry' | 'used' | undefined {
  if (!directive) return undefined;
  if (directive.role !== operation.roleName || directive.ordinal !== operation.replicaOrdinal) return undefined;
  if (directive.token === operation.lastConsumedRetryToken) return 'used';
  return operation.state === 'Aborted' ? 'retry' : undefined;
}
