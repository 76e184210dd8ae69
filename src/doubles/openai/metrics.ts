/** How the gauges that a hook sums are told; all but `true` are faults or told by the control. */
export type GaugeMode = 'true' | 'absent' | 'zero' | 'unparsable';

/** A page of metrics with its summed gauges left out or made unreadable. */
export function spoil(page: string, gauges: readonly string[], mode: GaugeMode): string {
  if (mode !== 'absent' && mode !== 'unparsable') return page;
  const lines = page.split('\n').flatMap((line) => {
    const name = /^(?:# (?:HELP|TYPE) )?([^\s{]+)/.exec(line)?.[1];
    if (name === undefined || !gauges.includes(name)) return [line];
    if (mode === 'absent') return [];
    return [line.startsWith('#') ? line : line.replace(/\S+$/, 'banana')];
  });
  return lines.join('\n');
}
