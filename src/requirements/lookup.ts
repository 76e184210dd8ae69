import { nearest } from './nearest.ts';
import type { Requirement } from './requirement.ts';

/** An id that no catalogue has. */
export class UnknownRequirementError extends Error {
  readonly code = 'QUIESCE_UNKNOWN_REQUIREMENT';
  readonly id: string;
  /** Ids that may have been meant, nearest first. */
  readonly suggestions: readonly string[];

  constructor(id: string, known: readonly string[]) {
    const suggestions = nearest(id, known);
    const hint =
      suggestions.length > 0 ? `did you mean ${suggestions.join(', ')}?` : '`quiesce list` names all of them';
    super(`unknown requirement ${JSON.stringify(id)}: ${hint}`);
    this.name = 'UnknownRequirementError';
    this.id = id;
    this.suggestions = suggestions;
  }
}

/** A look-up by exact id. */
export function lookup(catalogue: readonly Requirement[]): (id: string) => Requirement {
  const byId = new Map(catalogue.map((requirement) => [requirement.id, requirement]));
  return (id) => {
    const found = byId.get(id);
    if (found === undefined) throw new UnknownRequirementError(id, [...byId.keys()]);
    return found;
  };
}
