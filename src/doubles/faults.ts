import { FAULTS_ANNOTATION, SCHEMA_PATCH_ANNOTATION } from '../embedded/environment.ts';
import { nearest } from '../requirements/nearest.ts';
import { asImplemented } from './faults/as-implemented.ts';
import { clusterFaults } from './faults/cluster.ts';
import { dynamoFaults } from './faults/dynamo.ts';
import { engineExitFaults } from './faults/engine-exit.ts';
import type { Fault } from './faults/fault.ts';
import { hookFaults } from './faults/hook.ts';
import { operatorFaults } from './faults/operator.ts';
import { retirementFaults } from './faults/retirement.ts';
import { routerFaults } from './faults/router.ts';
import { trafficFaults } from './faults/traffic.ts';

export type { Fault } from './faults/fault.ts';

/** Every fault of every double, in the order in which a delete meets them. */
export const faults: readonly Fault[] = [
  asImplemented,
  ...operatorFaults,
  ...retirementFaults,
  ...hookFaults,
  ...clusterFaults,
  ...routerFaults,
  ...trafficFaults,
  ...engineExitFaults,
  ...dynamoFaults,
];

/** A fault that nobody knows. */
export class UnknownFaultError extends Error {
  readonly code = 'QUIESCE_UNKNOWN_FAULT';
  constructor(name: string) {
    const [near] = nearest(
      name,
      faults.map((f) => f.name),
    );
    super(`unknown fault "${name}"${near ? `; did you mean ${near}?` : ''}; quiesce faults lists them all`);
    this.name = 'UnknownFaultError';
  }
}

/** @throws UnknownFaultError with the nearest name that there is */
export function faultNamed(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (!found) throw new UnknownFaultError(name);
  return found;
}

/**
 * The annotations of a Namespace that switch these faults on in it; none at all where there are no faults.
 * @throws UnknownFaultError for a name that is not in the registry
 */
export function namespaceAnnotations(names: readonly string[]): Record<string, string> {
  const chosen = [...new Set(names.map(faultNamed).flatMap(({ name, of }) => of ?? [name]))].map(faultNamed);
  const switched = chosen.filter((fault) => !fault.schemaPatch).map((fault) => fault.name);
  const patches: Record<string, object[]> = {};
  for (const { schemaPatch = {} } of chosen) {
    for (const [plural, patch] of Object.entries(schemaPatch)) (patches[plural] ??= []).push(...patch);
  }
  return {
    ...(switched.length > 0 ? { [FAULTS_ANNOTATION]: switched.join(',') } : {}),
    ...(Object.keys(patches).length > 0 ? { [SCHEMA_PATCH_ANNOTATION]: JSON.stringify(patches) } : {}),
  };
}
