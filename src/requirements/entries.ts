import { tolerancesOf } from './formula.ts';
import type { Requirement } from './requirement.ts';

type Shared = Pick<Requirement, 'document' | 'section' | 'versions'>;

/** A row of a catalogue as a person writes it: what its section shares, and what follows from its formula, left out. */
export type Row = Omit<Requirement, keyof Shared | 'needs' | 'tolerances'> &
  Partial<Pick<Requirement, 'needs' | 'versions'>>;

/** Requirements from the rows of one section. Their tolerances are those that the symbols of their formulas name. */
export const entries = (shared: Shared, list: readonly Row[]): Requirement[] =>
  list.map((row) => ({
    ...shared,
    needs: [],
    ...row,
    ...(row.formula === undefined ? {} : { tolerances: tolerancesOf(row.formula) }),
  }));
