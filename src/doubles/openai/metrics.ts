/** How the gauges that a hook sums are told; all but `true` are faults or told by the control. */
export type GaugeMode = 'true' | 'absent' | 'partial' | 'zero' | 'unparsable' | 'huge';

/** Bytes of a huge page: above every bound that a reader sets. */
const HUGE = 2 * 2 ** 20;

/** A page of metrics with its summed gauges left out or made unreadable, or with a great deal that nobody asked for. */
export function spoil(page: string, gauges: readonly string[], mode: GaugeMode): string {
  if (mode === 'huge') return `${page}# ${'x'.repeat(HUGE)}\n`;
  if (mode === 'true' || mode === 'zero') return page;
  const spoilt = mode === 'partial' ? gauges.slice(-1) : gauges;
  const lines = page.split('\n').flatMap((line) => {
    const name = /^(?:# (?:HELP|TYPE) )?([^\s{]+)/.exec(line)?.[1];
    if (name === undefined || !spoilt.includes(name)) return [line];
    if (mode !== 'unparsable') return [];
    return [line.startsWith('#') ? line : line.replace(/\S+$/, 'banana')];
  });
  return lines.join('\n');
}
