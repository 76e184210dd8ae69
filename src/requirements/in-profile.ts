import type { Profile } from './profiles.ts';
import type { Requirement } from './requirement.ts';

/** What a requirement is under a profile: what it then says, or why it says nothing there. */
export type InProfile =
  { holds: true; statement: string; formula?: string; page: string; later: boolean } | { holds: false; reason: string };

/** A requirement as the release of a profile has it. Those of Dynamo are the same under every profile. */
export function inProfile(requirement: Requirement, { name, release }: Profile): InProfile {
  const { id, document, versions, outside, later, statement, formula, source } = requirement;
  if (document === 'gpustack' && versions !== 'all' && !versions.includes(release)) {
    const why = outside === undefined ? '' : `: ${outside}`;
    return {
      holds: false,
      reason: `${id} holds for ${versions.join(', ')}, not for ${release} (profile ${name})${why}`,
    };
  }
  const told = later?.versions.includes(release) ? later : undefined;
  const bound = told ? told.formula : formula;
  return {
    holds: true,
    statement: told?.statement ?? statement,
    ...(bound === undefined ? {} : { formula: bound }),
    page: told ? `GPUStack operator ${release}, Model Deployment Shutdown` : source.page,
    later: told !== undefined,
  };
}
