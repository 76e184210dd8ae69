import type { Scenario } from '../../../src/scenario/scenario.ts';
import server from './server.ts';
import sixGauges from './six-gauges.ts';
import split from './split.ts';
import switches from './switches.ts';

/** How the engines end once they have their signal, those scenarios with the longest chain of waits first. */
export const engineExit: readonly Scenario[] = [split, server, switches, sixGauges];
