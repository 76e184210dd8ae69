import type { Scenario } from '../../../src/scenario/scenario.ts';
import { classicProxy, directDecoder } from './direct-decoder.ts';
import refusedDrains from './refused-drains.ts';
import { gatewayRetries, noRetry } from './retries.ts';
import leaderDrains from './leader-drains.ts';

/** The losses that the page admits, those scenarios with the longest chain of waits first. */
export const limitations: readonly Scenario[] = [
  leaderDrains,
  refusedDrains,
  noRetry,
  gatewayRetries,
  directDecoder,
  classicProxy,
];
