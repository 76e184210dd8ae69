import { plainTable } from '../../reports/plain-table.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { inProfile } from '../../src/requirements/in-profile.ts';
import type { Profile } from '../../src/requirements/profiles.ts';
import { scenariosOf } from '../../suites/scenarios.ts';
import { chosenProfile, profileLine } from '../profile.ts';

/** Each requirement, as a profile has it, with who decides it and what must break it. */
export function listing(profile: Profile) {
  return catalogue.map((requirement) => {
    const { id, section, level, versions, open } = requirement;
    const said = inProfile(requirement, profile);
    const deciding = scenariosOf(profile.name).filter((s) => s.decides.some((d) => d.requirement === id));
    const controls = deciding.flatMap((s) => s.controls.filter((c) => c.breaks.includes(id)).map((c) => c.fault));
    return {
      id,
      section,
      level,
      versions,
      statement: said.holds ? said.statement : requirement.statement,
      ...(said.holds ? {} : { unsupported: said.reason }),
      ...(open ? { open } : {}),
      scenarios: deciding.map((s) => s.id),
      controls: [...new Set(controls)],
    };
  });
}

/** `quiesce list`: the requirements and who decides them. */
export function listCommand(options: { profile: string; json?: boolean }): number {
  const profile = chosenProfile(options.profile);
  const rows = listing(profile);
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return 0;
  }
  const head = ['id', 'level', 'statement', 'decided by', 'controls'];
  const cells = rows.map((r) => [
    r.id,
    r.level,
    r.unsupported ? `unsupported: ${r.unsupported}` : r.statement,
    r.scenarios.join(', ') || 'uncovered',
    r.controls.length,
  ]);
  console.log(plainTable(head, [10, 12, 'rest', 24, 10], cells));
  const covered = rows.filter((r) => r.scenarios.length).length;
  const outside = rows.filter((r) => r.unsupported).length;
  console.log(`${covered} of ${rows.length} requirements have a scenario, ${outside} are unsupported`);
  console.log(profileLine(profile));
  return 0;
}
