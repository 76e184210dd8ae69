import type { Lane } from './lanes.ts';

/** Milliseconds between two ticks of an axis of `span` milliseconds, a round number of documented seconds. */
function tick(spanSeconds: number): number {
  return [1, 2, 5, 10, 20, 30, 60, 120, 300].find((s) => spanSeconds / s <= 12) ?? 600;
}

/** Signs that win where several fall on one column, strongest first. */
const strength = 'SKXDER.r';

/**
 * Draws lanes to scale, one line each, under an axis in documented seconds from `zero`.
 * @param toSeconds milliseconds of history to documented seconds
 */
export function draw(lanes: readonly Lane[], zero: number, width: number, toSeconds: (ms: number) => number): string {
  if (lanes.length === 0) return '(nothing to draw)';
  const from = Math.min(...lanes.map((l) => l.from));
  const to = Math.max(...lanes.map((l) => l.to), from + 1);
  const column = (at: number) =>
    Math.min(width - 1, Math.max(0, Math.round(((at - from) / (to - from)) * (width - 1))));
  const names = Math.min(34, Math.max(...lanes.map((l) => l.name.length)));
  const rows = lanes.map((lane) => {
    const cells = Array.from({ length: width }, () => ' ');
    for (let c = column(lane.from); c <= column(lane.to); c += 1) cells[c] = lane.fill;
    const marks = [...lane.marks].sort((a, b) => strength.indexOf(b.sign) - strength.indexOf(a.sign));
    for (const { at, sign } of marks) cells[column(at)] = sign;
    return `${lane.name.slice(0, names).padEnd(names)} ${cells.join('').trimEnd()}`;
  });
  const first = toSeconds(from - zero);
  const last = toSeconds(to - zero);
  const step = tick(last - first);
  const axis = Array.from({ length: width }, () => ' ');
  for (let s = Math.ceil(first / step) * step; s <= last; s += step) {
    const c = Math.round(((s - first) / (last - first)) * (width - 1));
    const label = `${s}`;
    if (c + label.length < width) for (let i = 0; i < label.length; i += 1) axis[c + i] = label[i] ?? ' ';
  }
  return [`${'seconds'.padEnd(names)} ${axis.join('').trimEnd()}`, ...rows].join('\n');
}
