import type { Scenario } from '../../../src/scenario/scenario.ts';
import grace from './grace-values.ts';
import interrupt from './interrupt.ts';
import leaves from './worker-leaves.ts';
import breaks from './worker-breaks.ts';
import roles from './roles-wait.ts';
import timeout from './worker-timeout.ts';
import again from './signalled-again.ts';
import { early } from './early-signal.ts';
import partners from './lost-partners.ts';

/** How a worker leaves, the longest first. */
export const dynamoWorker: readonly Scenario[] = [leaves, grace, roles, again, partners, interrupt, timeout, breaks];

/** What runs where it is asked for: what it tries is not to be decided. */
export const dynamoOpen: readonly Scenario[] = [early];
