import type { Sighting } from './collected.ts';
import type { Facts } from './facts.ts';
import { versionOf } from './objects.ts';
import type { ObjectFields } from './objects.ts';
import type { Instant, PodFacts } from './pod.ts';

/** The states of `status.retirement`, in the order in which an operation can pass them. */
export const states = [
  'Admitted',
  'Disqualified',
  'Withdrawing',
  'Draining',
  'Deleting',
  'Settling',
  'Completed',
  'Aborted',
] as const;
export type State = (typeof states)[number];

interface RetirementFields {
  roleName?: string;
  replicaOrdinal?: number;
  targetMemberUIDs?: string[];
  targetWorkloadUID?: string;
  state?: State;
  reason?: string;
  startedAt?: string;
  lastConsumedRetryToken?: string;
}

interface RoleStatusFields {
  name: string;
  ready?: number;
  quotaReserved?: number;
  endpoints?: { eligible?: number | null; serving?: { state?: string; value?: number } };
}

/** The fields of a ModelDeployment that judges of retirement read. */
export interface DeploymentFields extends ObjectFields {
  spec: { router?: object; roles: { name: string; replicas?: number }[] };
  status?: ObjectFields['status'] & { roles?: RoleStatusFields[]; retirement?: RetirementFields | null };
}

export type DeploymentSight = Sighting<DeploymentFields>;

/** One sight of an operation. */
export interface OperationSight extends DeploymentSight {
  state: State;
  reason: string;
}

/** One retirement, from the first sight of it to the first without. */
export interface Operation {
  deployment: string;
  role: string;
  ordinal: number | undefined;
  uids: readonly string[];
  workload: string | undefined;
  /** By version. Never empty. */
  sights: readonly OperationSight[];
  /** The last sight of the ModelDeployment before it, and the first after it. */
  before: DeploymentSight | undefined;
  after: DeploymentSight | undefined;
  /** It had not begun before this: a Pod was written to then, with an earlier version of the same store. */
  notBefore: number;
}

/** Every sight of a ModelDeployment, in the order of its versions. */
export const deploymentSights = (facts: Facts, deployment: string): DeploymentSight[] =>
  ((facts.all.objects.get('ModelDeployment') ?? []) as DeploymentSight[])
    .filter((s) => s.object.metadata.name === deployment && s.type !== 'deleted')
    .sort((a, b) => versionOf(a.object) - versionOf(b.object) || a.at[1] - b.at[1]);

const known = new WeakMap<Facts, Map<string, Operation[]>>();

/** The operations of a ModelDeployment, in order: looked for once in a history, since every rule asks. */
export function operationsOf(facts: Facts, deployment: string): readonly Operation[] {
  const ofFacts = known.get(facts) ?? new Map<string, Operation[]>();
  known.set(facts, ofFacts);
  const operations = ofFacts.get(deployment) ?? findOperations(facts, deployment);
  ofFacts.set(deployment, operations);
  return operations;
}

/** A retry begins another operation: it has a start of its own. */
function findOperations(facts: Facts, deployment: string): Operation[] {
  const found: Operation[] = [];
  let current: { key: string; operation: Operation; sights: OperationSight[] } | undefined;
  let before: DeploymentSight | undefined;
  for (const sight of deploymentSights(facts, deployment)) {
    const fields = sight.object.status?.retirement;
    const key = fields ? `${fields.roleName}/${fields.replicaOrdinal}/${fields.startedAt}` : undefined;
    if (current && key !== current.key) {
      current.operation.after = sight;
      current = undefined;
    }
    if (fields?.state !== undefined && key !== undefined) {
      if (!current) {
        const sights: OperationSight[] = [];
        const operation: Operation = {
          deployment,
          role: fields.roleName ?? '',
          ordinal: fields.replicaOrdinal,
          uids: fields.targetMemberUIDs ?? [],
          workload: fields.targetWorkloadUID,
          sights,
          before,
          after: undefined,
          notBefore: writtenBefore(facts, versionOf(sight.object)),
        };
        current = { key, operation, sights };
        found.push(operation);
      }
      current.sights.push({ ...sight, state: fields.state, reason: fields.reason ?? '' });
    }
    before = sight;
  }
  return found;
}

/** The latest instant at which a Pod is known to have been written to with a version below this one. */
const writtenBefore = (facts: Facts, version: number): number =>
  Math.max(
    -Infinity,
    ...facts.pods.flatMap((pod) => pod.sightings.filter((s) => versionOf(s.object) < version).map((s) => s.at[0])),
  );

/** The operation that names a Pod as its target. */
export const operationOn = (facts: Facts, pod: PodFacts): Operation | undefined =>
  operationsOf(facts, pod.deployment).find((operation) => operation.uids.includes(pod.uid));

/** The Pods that an operation names. */
export const targetsOf = (facts: Facts, operation: Operation): PodFacts[] =>
  facts.pods.filter((pod) => operation.uids.includes(pod.uid));

/** The Pods of the same role that it does not name and that were ready at some time. */
export const survivorsOf = (facts: Facts, operation: Operation): PodFacts[] =>
  facts.pods.filter(
    (pod) =>
      pod.deployment === operation.deployment &&
      pod.role === operation.role &&
      !operation.uids.includes(pod.uid) &&
      pod.ready !== undefined,
  );

/** When it began: between the last sight without it and the first with it. */
export const began = (operation: Operation): Instant => {
  const [first] = operation.sights as [OperationSight];
  return {
    at: [
      Math.max(
        Math.min(operation.before?.at[0] ?? first.at[0], first.at[0]),
        Math.min(operation.notBefore, first.at[0]),
      ),
      first.at[1],
    ],
    marks: [{ mark: first, what: `retirement of ${operation.role} ${operation.ordinal ?? ''} is ${first.state}` }],
  };
};

/** When it entered a state, or passed it: a watcher may skip states, whose order is fixed. */
export function entered(operation: Operation, state: State): Instant | undefined {
  const rank = states.indexOf(state);
  const aborts = state === 'Aborted';
  const at = operation.sights.findIndex((s) => states.indexOf(s.state) >= rank && (aborts || s.state !== 'Aborted'));
  const sight = operation.sights[at];
  return sight && { at: sight.at, marks: [{ mark: sight, what: `${sight.state}: ${sight.reason}` }] };
}

/** The role's part of the status, in one sight. */
export const roleStatus = (sight: DeploymentSight, role: string): RoleStatusFields | undefined =>
  sight.object.status?.roles?.find((r) => r.name === role);
