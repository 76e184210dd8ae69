import { plainTable } from '../../reports/plain-table.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { scenarios } from '../../suites/scenarios.ts';

/** Each requirement with who decides it and what must break it. */
export function listing() {
  return catalogue.map(({ id, section, level, versions, statement, open }) => {
    const deciding = scenarios.filter((s) => s.decides.some((d) => d.requirement === id));
    const controls = deciding.flatMap((s) => s.controls.filter((c) => c.breaks.includes(id)).map((c) => c.fault));
    return {
      id,
      section,
      level,
      versions,
      statement,
      ...(open ? { open } : {}),
      scenarios: deciding.map((s) => s.id),
      controls: [...new Set(controls)],
    };
  });
}

/** `quiesce list`: the requirements and who decides them. */
export function listCommand(options: { json?: boolean }): number {
  const rows = listing();
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return 0;
  }
  const head = ['id', 'level', 'statement', 'decided by', 'controls'];
  const cells = rows.map((r) => [r.id, r.level, r.statement, r.scenarios.join(', ') || 'uncovered', r.controls.length]);
  console.log(plainTable(head, [10, 12, 'rest', 24, 10], cells));
  const covered = rows.filter((r) => r.scenarios.length).length;
  console.log(`${covered} of ${rows.length} requirements have a scenario`);
  return 0;
}
