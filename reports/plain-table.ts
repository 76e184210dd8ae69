import Table from 'cli-table3';

/** Columns of a line: the terminal's, within reason; 120 where the output goes into a file or a pipe. */
export const lineWidth = (): number => Math.min(160, Math.max(100, process.stdout.columns ?? 120));

/**
 * A table of wrapped cells without colours of its own: cells colour themselves, and a pipe gets plain text.
 * @param widths columns of each cell, its padding included; those of width `rest` share what a line has left
 */
export function plainTable(head: string[], widths: (number | 'rest')[], rows: (string | number)[][]): string {
  const fixed = widths.filter((width) => width !== 'rest');
  const left = lineWidth() - (widths.length + 1) - fixed.reduce((sum, width) => sum + width, 0);
  const share = Math.floor(left / (widths.length - fixed.length));
  const colWidths = widths.map((width) => (width === 'rest' ? share : width));
  const table = new Table({ head, colWidths, wordWrap: true, style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
}

/** Wraps a line of words at the line width; further lines are indented by two. */
export function wrapped(line: string): string {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineWidth()) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines.join('\n');
}
