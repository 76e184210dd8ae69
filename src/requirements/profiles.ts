import { nearest } from './nearest.ts';

/**
 * How `spec` of a ModelDeployment names the engine and the accelerator, by generation of the API. A: docs of the moving
 * label `main`; B: v0.9.2 and v0.10; C: v0.11. Reference of the operator, sections 0 and 1.
 */
export const generations = {
  A: { engine: 'version', accelerator: 'instanceType', roleImage: true },
  B: { engine: 'image', accelerator: 'instanceType', roleImage: false },
  C: { engine: 'image', accelerator: 'acceleratorType', roleImage: false },
} as const;
export type Generation = keyof typeof generations;

/** What is different in one release of GPUStack's operator, as far as its documents differ. */
interface Differing {
  /** The release that the operator's double is started as, and that requirements name in `versions`. */
  release: string;
  /** The API that its cluster serves. */
  generation: Generation;
  /** What the retirement protocol does with a prefill or decode replica: refuses it, or lets it go after its grace window. */
  split: 'refused' | 'waits';
  /** Requirements of which it is not established that the page of this release has them, too. */
  unsure: readonly string[];
}

/** Paragraphs of v0.9.2's page that nobody has read in a later one: recent dispatch, and the end without a router. */
const notReadLater = ['GS-RP-07', 'GS-RP-08', 'GS-RP-09', 'GS-RP-10', 'GS-RP-11', 'GS-RP-12'] as const;

/**
 * The releases that a run can be for, oldest first: everything by which they differ stands here. Pages "Model Deployment
 * Shutdown" of each; reference of the operator, sections 0 and 6. How the grace window of a split replica is counted
 * stands in none of them.
 */
export const profiles = {
  'gpustack-v0.9.2': { release: 'v0.9.2', generation: 'B', split: 'refused', unsure: [] },
  'gpustack-v0.10': { release: 'v0.10.0', generation: 'B', split: 'waits', unsure: notReadLater },
  'gpustack-v0.11': { release: 'v0.11.2', generation: 'C', split: 'waits', unsure: notReadLater },
} as const satisfies Record<string, Differing>;
export type ProfileName = keyof typeof profiles;
export type ProfileRelease = (typeof profiles)[ProfileName]['release'];

export interface Profile extends Differing {
  name: ProfileName;
  release: ProfileRelease;
}

export const profileNames = Object.keys(profiles) as [ProfileName, ...ProfileName[]];

/** The one whose page the requirements were read from. */
export const DEFAULT_PROFILE: ProfileName = 'gpustack-v0.9.2';

export const profileOf = (name: ProfileName): Profile => ({ name, ...profiles[name] });

/** The profile of this name; undefined where there is none. */
export const findProfile = (name: string): Profile | undefined =>
  profileNames.includes(name as ProfileName) ? profileOf(name as ProfileName) : undefined;

/** The names that a wrong one may have meant, nearest first; `v0.10` and `gpustack-0.10` mean `gpustack-v0.10`. */
export function nearestProfiles(name: string): string[] {
  const bare = name.toLowerCase().replace(/^(gpustack)?-?v?/, 'gpustack-v');
  return profileNames.includes(bare as ProfileName) ? [bare] : nearest(bare, profileNames);
}
