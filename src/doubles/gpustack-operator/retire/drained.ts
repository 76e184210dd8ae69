import { holdReasons as hold } from '../../../requirements/retirement-reasons.ts';
import { retirement as constants } from '../../../requirements/retirement.ts';
import { annotations, defaults, labels } from '../../../systems/gpustack/names.ts';
import { isStatus } from '../../../cluster/errors.ts';
import { splitRule } from '../../../systems/gpustack/operator.ts';
import { roleOf, scrapeOf, type ContainerStatus, type Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';
import type { Context } from '../context.ts';
import { replicaPod } from '../render/pod.ts';
import { paths } from '../snapshot.ts';
import { readMember, type MemberRead } from './member-read.ts';
import { shapeOf } from './shape.ts';

/** Whether the target is idle for certain; where not, why it is held, and what a fault has to remember. */
export type Drained = { drained: true } | { drained: false; reason: string; busy?: true };

/** Reads the work of a target once. `since`: documented seconds for which it has been in Draining. */
export async function readTarget(
  deployment: ModelDeployment,
  operation: Retirement,
  members: Pod[],
  since: number,
  context: Context,
): Promise<Drained> {
  const { faults, release } = context;
  const held = (reason: string): Drained => ({ drained: false, reason });
  const seen = faults.has('retire-reads-spec') ? asSpecified(deployment, members, context) : members;
  const shape = shapeOf(seen, splitRule(release), faults);
  if (shape.kind === 'held' || shape.kind === 'refused') return held(shape.reason);
  if (shape.kind === 'split' && since < shape.grace) return held(hold.splitWaits(shape.grace));
  const named = new Set(shape.answering.map((pod) => pod.metadata.uid));
  for (const pod of members.filter(({ metadata }) => named.has(metadata.uid))) {
    const problem = await readTwice(pod, shape.gauges, deployment, context);
    if (problem) return problem;
  }
  return operation.targetMemberUIDs.length === members.length ? { drained: true } : held(hold.noMembers);
}

/** Two idle reads in a row of one member, each between two looks at its Pod; a problem holds the operation. */
async function readTwice(
  pod: Pod,
  gauges: readonly string[],
  deployment: ModelDeployment,
  context: Context,
): Promise<Drained | undefined> {
  const { faults } = context;
  const reads = faults.has('retire-one-read') ? 1 : constants.idleReads;
  for (let n = 0; n < reads; n += 1) {
    const before = await live(pod, context);
    const unfit = before && unfitReason(before, pod, context);
    if (!before || unfit) return { drained: false, reason: unfit ?? hold.noMembers };
    const read = await readMember(await readInstead(before, deployment, context), gauges, context);
    const after = await live(pod, context);
    const moved = after ? movedReason(before, after) : hold.replacedWhileRead(pod.metadata.name);
    if (moved && !faults.has('retire-forgives-restart')) return { drained: false, reason: moved };
    if (n > 0 && faults.has('retire-ignores-second-read')) continue;
    if (!read.idle) return { drained: false, reason: read.reason, ...remembered(read) };
  }
  return undefined;
}

const remembered = (read: MemberRead): { busy?: true } => (!read.idle && read.why === 'busy' ? { busy: true } : {});

async function live(pod: Pod, { client }: Context): Promise<Pod | undefined> {
  try {
    const found = await client.get<Pod>(`${paths.pods(pod.metadata.namespace ?? '')}/${pod.metadata.name}`);
    return found.metadata.uid === pod.metadata.uid ? found : undefined;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

const mainStatus = ({ status }: Pod): ContainerStatus | undefined =>
  status?.containerStatuses?.find(({ name }) => name === defaults.engineContainer);

/** Why a member cannot be asked at all. */
function unfitReason(pod: Pod, { metadata: { name } }: Pod, { faults }: Context): string | undefined {
  const main = mainStatus(pod);
  if (!main) return hold.noMain(name);
  const { restartCount = 0, state = {} } = main;
  if (restartCount > 0 && !faults.has('retire-forgives-restart')) return hold.restarted(name, restartCount);
  const told = Object.keys(state)[0] ?? 'unknown';
  return state.running ? undefined : hold.notRunning(name, told);
}

/** What about a member changed while it was read: its answer may then be another's. */
function movedReason(before: Pod, after: Pod): string | undefined {
  const { name } = before.metadata;
  const [was, is] = [mainStatus(before), mainStatus(after)];
  if (was?.restartCount !== is?.restartCount) return hold.restarted(name, is?.restartCount ?? 0);
  if (was?.containerID !== is?.containerID) return hold.replacedWhileRead(name);
  if (roleOf(before)?.role !== roleOf(after)?.role) return hold.changed(name, 'role');
  if (before.status?.podIP !== after.status?.podIP) return hold.changed(name, 'address');
  const controller = (pod: Pod) => pod.metadata.ownerReferences?.find((o) => o.controller)?.uid;
  if (controller(before) !== controller(after)) return hold.changed(name, 'controller');
  const told = (pod: Pod) => JSON.stringify([scrapeOf(pod), pod.metadata.annotations?.[annotations.groupTotal]]);
  return told(before) === told(after) ? undefined : hold.changed(name, 'its metrics endpoint');
}

/** For the fault that asks another replica of the role for this one's work. */
async function readInstead(pod: Pod, deployment: ModelDeployment, { client, faults }: Context): Promise<Pod> {
  if (!faults.has('retire-reads-survivor')) return pod;
  const ordinal = (p: Pod) => p.metadata.labels?.[labels.ordinal];
  const all = await client.list<Pod>(paths.pods(deployment.metadata.namespace ?? ''));
  const other = all.find((p) => roleOf(p)?.role === roleOf(pod)?.role && ordinal(p) !== ordinal(pod));
  return other ?? pod;
}

/** For the fault that reads the spec in place of the Pods: what it asks for now, and a plain server where it is gone. */
function asSpecified(deployment: ModelDeployment, members: Pod[], context: Context): Pod[] {
  return members.map((pod) => {
    const role = deployment.spec.roles.find(({ name }) => name === roleOf(pod)?.role);
    const rendered = replicaPod(deployment, role ?? { name: 'gone' }, roleOf(pod)?.ordinal ?? 0, context) as Pod;
    return {
      ...pod,
      metadata: {
        ...pod.metadata,
        annotations: { ...rendered.metadata.annotations, [annotations.groupTotal]: String(members.length) },
      },
      spec: { ...pod.spec, containers: rendered.spec.containers },
    };
  });
}
