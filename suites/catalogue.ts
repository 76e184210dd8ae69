import { lookup } from '../src/requirements/lookup.ts';
import type { Requirement } from '../src/requirements/requirement.ts';
import { dynamo } from './dynamo/catalogue.ts';
import { gpustack } from './gpustack/catalogue.ts';

/** Every documented statement, of both documents, whether a scenario decides it or not. */
export const catalogue: readonly Requirement[] = [...gpustack, ...dynamo];

/** The requirement of this id. @throws UnknownRequirementError, which says what may have been meant */
export const requirement: (id: string) => Requirement = lookup(catalogue);
