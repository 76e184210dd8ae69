import type { Scenario } from '../../../src/scenario/scenario.ts';
import { gatewayRetries, noRetry } from './retries.ts';
import severalPods from './several-pods.ts';

/** The losses that the page admits, those scenarios with the longest chain of waits first. */
export const limitations: readonly Scenario[] = [severalPods, noRetry, gatewayRetries];
