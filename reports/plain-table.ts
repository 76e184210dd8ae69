import Table from 'cli-table3';

/** A table of wrapped cells without colours of its own: cells colour themselves, and a pipe gets plain text. */
export function plainTable(head: string[], widths: number[], rows: (string | number)[][]): string {
  const table = new Table({ head, colWidths: widths, wordWrap: true, style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
}
