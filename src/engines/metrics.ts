import parsePrometheusTextFormat from 'parse-prometheus-text-format';

/**
 * The sum of one gauge over all its series in an exposition of Prometheus. Null where no series of exactly that name is
 * there (a sibling that shares the prefix does not count) or one of them has no number: a sum over the readable rest
 * would be a guess.
 */
export function sumGauge(text: string, name: string): number | null {
  // Only its own lines are handed to the parser, so that damage elsewhere in the page does not hide this gauge.
  const lines = text.split('\n').filter((line) => isSampleOf(line.trimStart(), name));
  if (lines.length === 0) return null;
  try {
    const values = lines.map((line) => toNumber(parsePrometheusTextFormat(`${line}\n`)[0]?.metrics[0]?.value));
    return values.includes(NaN) ? null : values.reduce((a, b) => a + b, 0);
  } catch {
    return null;
  }
}

/** {@link sumGauge} of several gauges by name. */
export const sumGauges = (text: string, names: readonly string[]): Record<string, number | null> =>
  Object.fromEntries(names.map((name) => [name, sumGauge(text, name)]));

const isSampleOf = (line: string, name: string): boolean =>
  line.startsWith(name) && /[\s{]/.test(line[name.length] ?? '');

const toNumber = (value: string | undefined): number => (value === undefined || value === '' ? NaN : Number(value));
