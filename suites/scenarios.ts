import type { Scenario } from '../src/scenario/scenario.ts';
import { drainWindow } from './gpustack/drain-window/index.ts';
import { engineExit } from './gpustack/engine-exit/index.ts';
import { retirement } from './gpustack/retirement/index.ts';

/** Every scenario of every suite. */
export const scenarios: readonly Scenario[] = [...retirement, ...engineExit, ...drainWindow];

export const scenarioById = (id: string): Scenario | undefined => scenarios.find((s) => s.id === id);
