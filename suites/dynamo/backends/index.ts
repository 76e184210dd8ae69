import type { Scenario } from '../../../src/scenario/scenario.ts';
import cleanup from './cleanup.ts';
import dies from './engine-dies.ts';

/** What the worker of each backend does with its engine. */
export const dynamoBackends: readonly Scenario[] = [dies, cleanup];
