import type { Scenario } from '../../../src/scenario/scenario.ts';
import clients from './clients-leave.ts';
import drains from './frontend-drains.ts';

/** How a frontend leaves. */
export const dynamoFrontend: readonly Scenario[] = [drains, clients];
