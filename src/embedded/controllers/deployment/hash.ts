import { createHash } from 'node:crypto';
import type { PodTemplate } from '../workloads.ts';

/** Label that tells the ReplicaSets of one Deployment, and their Pods, apart. */
export const HASH_LABEL = 'pod-template-hash';

// No vowels and no digits that look like letters, as in Kubernetes' own names.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten characters that follow from the template alone, whatever the order of its fields. */
export function templateHash(template: PodTemplate): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(sorted(template)))
    .digest();
  return [...digest.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sorted(field)]));
}
