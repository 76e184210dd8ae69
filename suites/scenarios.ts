import type { Scenario } from '../src/scenario/scenario.ts';
import { drainWindow } from './gpustack/drain-window/index.ts';

/** Every scenario of every suite. */
export const scenarios: readonly Scenario[] = [...drainWindow];

export const scenarioById = (id: string): Scenario | undefined => scenarios.find((s) => s.id === id);
