import type { Difference } from '../../suites/parity/difference.ts';

/** One field in which two clusters differ. */
export interface Unequal {
  experiment: string;
  /** Such as `GET pods/a.body.spec.nodeName`. */
  at: string;
  real: unknown;
  embedded: unknown;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every field of an experiment's answers in which two clusters differ; absent fields are undefined. */
export function compare(experiment: string, real: unknown, embedded: unknown, at = ''): Unequal[] {
  const unequal = () => [{ experiment, at, real, embedded }];
  if (Array.isArray(real) && Array.isArray(embedded)) {
    const length = Math.max(real.length, embedded.length);
    return Array.from({ length }, (_, i) => compare(experiment, real[i], embedded[i], stepName(at, i, real[i]))).flat();
  }
  if (isFields(real) && isFields(embedded)) {
    // An answer of another status is one difference, not as many as the two bodies have fields.
    if (statusOf(real) !== statusOf(embedded))
      return [{ experiment, at, real: summary(real), embedded: summary(embedded) }];
    const [a, b] = [timed(real), timed(embedded)];
    if (a && b) return Math.abs(a.seconds - b.seconds) <= a.within && a.within === b.within ? [] : unequal();
    const keys = [...new Set([...Object.keys(real), ...Object.keys(embedded)])];
    return keys.flatMap((key) => compare(experiment, real[key], embedded[key], at ? `${at}.${key}` : key));
  }
  return Object.is(real, embedded) ? [] : unequal();
}

/** HTTP status of an answer of the API server. */
const statusOf = (value: Fields): number | undefined =>
  'step' in value && typeof value['status'] === 'number' ? value['status'] : undefined;

function summary({ status, body }: Fields): string {
  const { message } = isFields(body) ? body : {};
  return `${said(status)} ${typeof message === 'string' ? message : ''}`.trim();
}

/** A step by its name where it has one, any other entry of a list by its index. */
function stepName(at: string, index: number, entry: unknown): string {
  const { step } = (entry ?? {}) as { step?: string };
  return at === '' ? `${index} ${step ?? ''}`.trim() : `${at}[${index}]`;
}

/** A measured time with its tolerance. */
function timed({ seconds, within }: Fields): { seconds: number; within: number } | undefined {
  return typeof seconds === 'number' && typeof within === 'number' ? { seconds, within } : undefined;
}

/** Whether a listed difference is this one. `*` in its patterns stands for anything. */
export function explains(difference: Difference, { experiment, at }: Unequal): boolean {
  return fits(difference.experiment, experiment) && fits(difference.at, at);
}

/** A value as text; what is absent is `absent`. */
export const said = (value: unknown): string =>
  value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value);

function fits(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
