import { retirement } from './retirement.ts';

/**
 * What `status.retirement.reason` says, word for word where the words are the operator's own (reference to v0.9.2,
 * sections 3.2 to 3.6). Members are named by their Pods.
 */
export const reasons = {
  admitted: 'admitted for a replica this pass no longer declares',
  stillSelected: 'the target is still in endpoint selection',
  leftSelection: 'the target has left endpoint selection',
  stillServed: (uids: readonly string[]) => `${uids.length} target members are still served: ${uids.join(', ')}`,
  /** llm-d-router alone: sent to a moment ago, and no longer in selection. The operator's words are not known. */
  recentlyDispatched: (uids: readonly string[]) =>
    `${uids.length} target members had a recent dispatch: ${uids.join(', ')}`,
  /** No router answered in a way that can be used. The operator's words are not known. */
  servingUnknown: (why: string) => `the serving answer is not known: ${why}`,
  noRouter:
    "this deployment declares no router, so the established direct-Service connections this target's service may still hold cannot be observed; the operation holds",
  withdrawn: 'the target is out of selection and nothing serves it',
  draining: "reading the target's in-flight queues with every member retained",
  releaseNotRecorded: (why: string) => `the target's release cannot be recorded, so nothing is deleted: ${why}`,
  deleting: "the target's queues are empty; deleting every member together",
  stillPresent: (member: string, phase: string, deleting: boolean) =>
    `member "${member}" is still present (phase ${phase}, deleting ${deleting})`,
  leftDeletionLate: 'the drain budget was exhausted before the target left deletion',
  settling: 'the target has left; observing the accelerator and quota release',
  settledLate: (why: string) => `the settle budget was exhausted and the release has not been observed: ${why}`,
  retried: 'retry directive accepted',
  /** Tells an aborted operation. */
  retained: 'members, workload and capacity are retained',
  aborted: (cause: string) => `${cause}; members, workload and capacity are retained`,
  terminatedOutside: 'the target was terminated outside this operator; nothing could be retained',
} as const;

/** Why an operation was aborted: the first part of its reason. */
export const abortCauses = {
  selection: 'the withdrawal budget was exhausted before the target left selection',
  serving: 'the withdrawal budget was exhausted before the target stopped serving',
  queues: "the drain budget was exhausted before the target's queues reached zero",
  noRouter: reasons.noRouter.replace('; the operation holds', ''),
} as const;

const list = (names: readonly string[]) => names.join(', ');

/** Why a member's own answer, or the lack of one, holds the operation in Draining (section 3.5). */
export const holdReasons = {
  inFlight: (member: string, count: number) => `member ${member} still holds ${count} in flight`,
  missing: (member: string, gauges: readonly string[]) => `member ${member} is missing ${list(gauges)}`,
  nothingServed: (member: string, gauges: readonly string[]) =>
    `member ${member} reports no in-flight measurement: the engine served no ${list(gauges)}`,
  unreadable: (member: string, gauges: readonly string[]) =>
    `member ${member} reported unusable activity in ${list(gauges)}: the engine served unreadable values for ${list(gauges)}`,
  execFailed: (member: string, namespace: string, why: string) =>
    `member ${member} could not be read: exec into ${namespace}/${member}: ${why}`,
  execTimedOut: (member: string, namespace: string) =>
    `member ${member} is unobserved: exec into ${namespace}/${member}: no end within ${retirement.readSeconds} s`,
  tooLarge: (member: string) => `member ${member} served more than the ${retirement.readBytes} byte bound`,
  restarted: (member: string, times: number) =>
    `member ${member} container "main" has restarted ${times} time(s) since it was created`,
  replacedWhileRead: (member: string) => `member ${member} container "main" was replaced while it was being read`,
  notRunning: (member: string, state: string) => `member ${member} reports container ${state} rather than running`,
  changed: (member: string, what: 'role' | 'address' | 'controller' | 'its metrics endpoint') =>
    `member ${member} changed ${what} while it was being read`,
  noAnnotation: (member: string) => `member ${member} carries no usable metrics endpoint annotation`,
  noMain: (member: string) => `member ${member} has no container "main"`,
  noGaugeList: (engine: string) => `engine ${engine} has no in-flight gauge list`,
  dataParallel: (shape: 'External' | 'Hybrid' | 'MultiPort') =>
    `the member runs a ${shape} disaggregated shape, which has no verifiable decoder-side release`,
  splitSglang: (mode: 'prefill' | 'decode') =>
    `the member runs the sglang ${mode} disaggregation mode, which has no verifiable decoder-side release`,
  split: 'a disaggregated replica has no verifiable decoder-side release',
  splitWaits: (grace: number) =>
    `a disaggregated replica has no verifiable decoder-side release; waiting for its grace window of ${grace} s`,
  splitDisagree: "the replica's members disagree on whether it is disaggregated, so its shape could not be established",
  noMembers: 'the replica has no members to read',
  noSeat: 'no member declares which seat it holds',
  noLeader: 'no member carrying the leader index',
  manyLeaders: (count: number) => `${count} members carrying the leader index`,
  sameSeat: (a: string, b: string, seat: number) => `members ${a} and ${b} both claim seat ${seat}`,
  seatBeyond: (member: string, seat: number, total: number) =>
    `member ${member} claims seat ${seat} of a replica declaring only ${total} members`,
  totalsDiffer: (a: number, b: number) =>
    `the replica's members declare group totals of ${a} and ${b}, so its shape could not be established`,
  short: (here: number, total: number) =>
    `the replica is short of the group it was built at (${here} of ${total} members)`,
} as const;
