import type { Case } from '../../../src/history/manifest.ts';
import type { Scenario } from '../../../src/scenario/scenario.ts';

export { decide } from '../drain-window/scenario.ts';

/** A scenario of this section; fills in what all of them share. */
export const scenario = (s: Omit<Scenario, 'document' | 'section'>): Scenario => ({
  document: 'gpustack',
  section: 'Limitations',
  ...s,
});

/** A member of a replica, by its ordinal; without one the leader, or the only one. */
export const replica = (deployment: string, role: string, ordinal: number, more: Partial<Case> = {}): Case => ({
  deployment,
  role,
  ordinal,
  ...more,
});
