import type { WatchHandlers, WatchType } from '../../cluster/watch.ts';
import type { Program } from '../program.ts';
import { isLeaving, type Pod, uidOf } from './pods.ts';

/** Documented seconds after the deletion timestamp at which the fault drops a replica. */
const LATE_DROP = 8;

/** What a router does with the replicas that it learns of. All of it may be told again. */
export interface Members {
  /** A replica that a request could go to: selected, ready, not leaving. */
  join(uid: string, pod: Pod): void;
  /** No request may go there any more. */
  part(uid: string, why: string): void;
  /** It lost a label of the selector; its Pod stays as it is. */
  withdraw(uid: string): void;
}

/**
 * Reads from the Pods who may be chosen: a replica is out on its deletion timestamp, on losing a label of the selector and on
 * losing readiness, at once and in that order.
 */
export class Membership implements WatchHandlers<Pod> {
  readonly #program: Program;
  readonly #selects: (pod: Pod) => boolean;
  readonly #ready: (pod: Pod) => boolean;
  readonly #members: Members;
  readonly #leaving = new Set<string>();
  /** Called once the Pods that there are have all been told of. */
  readonly synced: () => void;

  constructor(
    program: Program,
    selects: (pod: Pod) => boolean,
    ready: (pod: Pod) => boolean,
    members: Members,
    synced: () => void = () => undefined,
  ) {
    this.synced = synced;
    this.#program = program;
    this.#selects = selects;
    this.#ready = ready;
    this.#members = members;
  }

  event(type: WatchType, pod: Pod): void {
    const uid = uidOf(pod);
    if (type === 'DELETED') {
      this.#leaving.delete(uid);
      return this.#members.part(uid, 'is gone');
    }
    if (isLeaving(pod) && this.#dropsLeaving(uid)) return this.#members.part(uid, 'is leaving');
    if (!this.#selects(pod)) {
      if (!this.#program.faults.has('router-ignores-labels')) this.#members.withdraw(uid);
      return;
    }
    if (this.#ready(pod)) this.#members.join(uid, pod);
    else this.#members.part(uid, 'is not ready');
  }

  /** Whether a replica with a deletion timestamp is dropped now, which only a fault denies. */
  #dropsLeaving(uid: string): boolean {
    const { faults, scale } = this.#program;
    if (faults.has('router-keeps-leaving')) return false;
    if (!faults.has('router-drops-late')) return true;
    if (this.#leaving.has(uid)) return false;
    this.#leaving.add(uid);
    setTimeout(() => this.#members.part(uid, 'is leaving'), scale.toMs(LATE_DROP));
    return false;
  }
}
