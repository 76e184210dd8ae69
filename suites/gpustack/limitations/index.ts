import type { Scenario } from '../../../src/scenario/scenario.ts';
import directDecoder from './direct-decoder.ts';
import refusedDrains from './refused-drains.ts';
import { gatewayRetries, noRetry } from './retries.ts';
import severalPods from './several-pods.ts';

/** The losses that the page admits, those scenarios with the longest chain of waits first. */
export const limitations: readonly Scenario[] = [severalPods, refusedDrains, noRetry, gatewayRetries, directDecoder];
