import Table from 'cli-table3';
import { faults } from '../../src/doubles/faults.ts';
import { scenarios } from '../../suites/scenarios.ts';

const tried = (fault: string) => scenarios.filter((s) => s.controls.some((c) => c.fault === fault)).map((s) => s.id);

/** `quiesce faults`: every switch that makes a double break a promise. */
export function faultsCommand(options: { json?: boolean }): number {
  if (options.json) {
    console.log(JSON.stringify(faults.map((f) => ({ ...f, scenarios: tried(f.name) })), null, 2));
    return 0;
  }
  const table = new Table({ head: ['fault', 'in', 'what it does', 'tried in'], wordWrap: true, colWidths: [28, 18, 56, 26], style: { head: [] } });
  for (const f of faults) table.push([f.name, f.double, f.does, tried(f.name).join(', ')]);
  console.log(table.toString());
  return 0;
}
