import { plainTable } from '../../reports/plain-table.ts';
import { faults } from '../../src/doubles/faults.ts';
import { scenarios } from '../../suites/scenarios.ts';

const tried = (fault: string) => scenarios.filter((s) => s.controls.some((c) => c.fault === fault)).map((s) => s.id);

/** `quiesce faults`: every switch that makes a double break a promise. */
export function faultsCommand(options: { json?: boolean }): number {
  if (options.json) {
    console.log(
      JSON.stringify(
        faults.map((f) => ({ ...f, scenarios: tried(f.name) })),
        null,
        2,
      ),
    );
    return 0;
  }
  const head = ['fault', 'in', 'what it does', 'tried in'];
  const cells = faults.map((f) => [f.name, f.double, f.does, tried(f.name).join(', ')]);
  console.log(plainTable(head, [32, 19, 'rest', 24], cells));
  return 0;
}
