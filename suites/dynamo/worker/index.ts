import type { Scenario } from '../../../src/scenario/scenario.ts';
import leaves from './worker-leaves.ts';
import timeout from './worker-timeout.ts';

/** How a worker leaves, the longest first. */
export const dynamoWorker: readonly Scenario[] = [leaves, timeout];
