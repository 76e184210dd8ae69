/** What one page of metrics says of the gauges that tell of work in flight. */
export interface Envelope {
  /** Gauges without a sample of exactly that name. */
  missing: string[];
  /** Gauges with a sample that is no finite number of at least 0. */
  unreadable: string[];
  /** Sum over all samples of the gauges that can be read. */
  total: number;
}

/** A sample's value as the exposition format has it; white space around it, a `\r` say, is no part of a number. */
const number = /^\+?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads the gauges strictly, as the retirement protocol does: where `sumGauges` answers null for a gauge that is absent
 * and for one that is damaged, this tells the two apart, since each holds a replica with a reason of its own.
 */
export function readEnvelope(page: string, gauges: readonly string[]): Envelope {
  const envelope: Envelope = { missing: [], unreadable: [], total: 0 };
  const lines = page.split('\n');
  for (const gauge of gauges) {
    const samples = lines.filter((line) => line.startsWith(gauge) && /[ \t{]/.test(line[gauge.length] ?? ''));
    const values = samples.map((line) => valueOf(line.slice(gauge.length)));
    if (values.length === 0) envelope.missing.push(gauge);
    else if (values.some((value) => !Number.isFinite(value))) envelope.unreadable.push(gauge);
    else envelope.total += values.reduce((a, b) => a + b, 0);
  }
  return envelope;
}

/** NaN where there is no number of at least 0. */
function valueOf(rest: string): number {
  const labels = /^[ \t]*\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}/.exec(rest)?.[0] ?? '';
  const [value = '', stamp, ...more] = rest
    .slice(labels.length)
    .replace(/^[ \t]+/, '')
    .split(/[ \t]+/);
  if (more.length > 0 || (stamp !== undefined && !/^-?\d*$/.test(stamp))) return NaN;
  return number.test(value) ? Number(value) : NaN;
}
