import type { Scenario } from '../../../src/scenario/scenario.ts';
import grace from './operator-grace.ts';

/** How Kubernetes ends what the operator made. */
export const dynamoKubernetes: readonly Scenario[] = [grace];
