import { findProfile, nearestProfiles, profileNames, type Profile } from '../src/requirements/profiles.ts';
import { UsageError } from './usage-error.ts';

/** The profile that was typed. @throws UsageError with the nearest names */
export function chosenProfile(name: string): Profile {
  const found = findProfile(name);
  if (found) return found;
  const near = nearestProfiles(name);
  throw new UsageError(
    `there is no profile "${name}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
    `one of: ${profileNames.join(', ')}`,
    'quiesce list --profile NAME shows what holds in one',
  );
}

/** A profile in one line. */
export const profileLine = ({ name, release, generation, split }: Profile): string =>
  `profile ${name}: operator ${release}, ModelDeployments of generation ${generation}, ` +
  `split replicas ${split === 'refused' ? 'are refused' : 'wait for their grace window'}`;
