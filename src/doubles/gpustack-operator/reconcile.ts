import { labels } from '../../systems/gpustack/names.ts';
import type { Pod } from '../../systems/gpustack/readers.ts';
import type { ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import { now } from '../../time/clock.ts';
import { Actions } from './actions.ts';
import { refusal } from './admission.ts';
import { Attachments } from './attachments.ts';
import { cleanupOf, isReservedPlace } from './cleanup.ts';
import type { LookingContext } from './context.ts';
import { eligibilityChanges } from './eligibility.ts';
import { toReserve } from './quota.ts';
import { graceOfRole, isTakeOver } from './render/container.ts';
import { specHash } from './render/pod.ts';
import { observeServing } from './retire/serving.ts';
import { Retirer } from './retire/retirer.ts';
import { beforeDrainWindow, EARLY_NEXT, outdated, rolloutStep, type RoleState } from './rollout.ts';
import { slotStep } from './slots.ts';
import { apiTime, leaving, paths, slotsOf, type Slot, type Snapshot } from './snapshot.ts';
import { agrees, sameStatus, statusOf, viewsOf } from './status.ts';

export interface ReconcilerContext extends LookingContext {
  /** Asks for another pass over a namespace after some documented seconds. */
  later: (namespace: string, seconds: number) => void;
}

/**
 * Brings a namespace to what its ModelDeployments ask for. Every pass looks at the API and remembers nothing that
 * matters, so that an operator that was killed at any instant goes on where it was.
 */
export class Reconciler {
  readonly #context: ReconcilerContext;
  readonly #retirer: Retirer;
  readonly #actions: Actions;
  readonly #attachments: Attachments;
  /** For faults alone: when a rollout last deleted of a role; slots whose Pod an older release made; Pods that replaced those. */
  readonly #lastDelete = new Map<string, number>();
  readonly #fromOlder = new Set<string>();
  readonly #again = new Set<string>();

  constructor(context: ReconcilerContext) {
    this.#context = context;
    this.#retirer = new Retirer(context);
    this.#actions = new Actions(context.client);
    this.#attachments = new Attachments(context.client);
  }

  /** One pass; true where it changed something, so that another is due at once. */
  async pass(namespace: string): Promise<boolean> {
    const snapshot = await this.#context.snapshots.read(namespace);
    if (!snapshot || leaving(snapshot.namespace)) return false;
    let changed = 0;
    for (const deployment of snapshot.deployments) {
      if (leaving(deployment) || refusal(deployment)) continue;
      await this.#attachments.ensure(deployment, snapshot);
      for (const role of deployment.spec.roles) changed += await this.#role(deployment, role, snapshot);
      changed += await this.#cleanUp(deployment, snapshot);
      for (const { pod, eligible } of eligibilityChanges(deployment, snapshot, this.#context.faults)) {
        await this.#actions.setEligible(pod, eligible);
        changed += 1;
      }
      this.#retirer.kick(namespace, deployment.metadata.name);
    }
    for (const workload of toReserve(snapshot)) {
      await this.#actions.setQuota(workload, true, 'QuotaReserved');
      changed += 1;
    }
    if (changed > 0) return true;
    for (const deployment of snapshot.deployments) await this.#status(deployment, snapshot);
    return false;
  }

  /** Ends what goes on by itself; the passes are ended by their caller. */
  stop(): void {
    this.#retirer.stop();
  }

  async #cleanUp(deployment: ModelDeployment, snapshot: Snapshot): Promise<number> {
    const { pods, workloads } = cleanupOf(deployment, snapshot, this.#context.faults);
    for (const pod of pods) {
      this.#context.log(`clean-up of ${deployment.metadata.name}: deleting ${pod.metadata.name}`);
      await this.#actions.deletePod(pod);
    }
    for (const workload of workloads) await this.#actions.removeWorkload(workload);
    return pods.length + workloads.length;
  }

  async #role(deployment: ModelDeployment, role: Role, snapshot: Snapshot): Promise<number> {
    let changed = 0;
    const slots = slotsOf(deployment, role, snapshot).filter((slot) => !isReservedPlace(deployment, slot));
    for (const slot of slots) changed += Number(await this.#slot(deployment, role, slot));
    const state = this.#stateOf(deployment, role, slots);
    const deletions = this.#context.faults.has('rollout-through-retirement') ? [] : rolloutStep(state);
    for (const { pod, ordinal, gracePeriodSeconds } of deletions) {
      const { name, uid = '' } = pod.metadata;
      this.#context.log(
        `rollout of ${role.name}: deleting ${name} (replica ${ordinal}, wanted ${state.wanted(ordinal, pod).hash})`,
      );
      if (!isTakeOver(role) && beforeDrainWindow(pod)) this.#fromOlder.add(slotKey(deployment, role, ordinal));
      this.#again.delete(uid);
      this.#lastDelete.set(roleKey(deployment, role), now());
      await this.#actions.deletePod(pod, gracePeriodSeconds);
    }
    if (this.#context.faults.has('rollout-early-next') && outdated(state).length > 0) {
      this.#context.later(deployment.metadata.namespace ?? '', EARLY_NEXT);
    }
    return changed + deletions.length;
  }

  async #slot(deployment: ModelDeployment, role: Role, slot: Slot): Promise<boolean> {
    const step = slotStep(slot, this.#context.faults);
    if (!step) return false;
    const { ordinal } = slot;
    this.#context.log(`replica ${role.name}/${ordinal} of ${deployment.metadata.name}: ${step.do}`);
    switch (step.do) {
      case 'create-workload':
        await this.#actions.createWorkload(deployment, role, ordinal, this.#context, step.owners);
        break;
      case 'create-pods': {
        const made: Pod[] = [...slot.pods];
        for (const seat of step.seats) {
          made.push(await this.#actions.createPod(deployment, role, ordinal, this.#context, seat));
        }
        if (this.#fromOlder.delete(slotKey(deployment, role, ordinal)))
          for (const { metadata } of made) this.#again.add(metadata.uid ?? '');
        if (slot.workload) await this.#actions.bindWorkload(slot.workload, made);
        break;
      }
      case 'bind-workload':
        await this.#actions.bindWorkload(step.workload, step.pods);
        break;
      case 'remove-workload':
        await this.#actions.removeWorkload(step.workload);
        break;
      case 'release-quota':
        await this.#actions.setQuota(step.workload, false, 'PodLeaving');
        break;
      case 'remove-pods':
        for (const pod of step.pods) await this.#actions.deletePod(pod);
        break;
    }
    return true;
  }

  #stateOf(deployment: ModelDeployment, role: Role, slots: Slot[]): RoleState {
    const { faults, release, scale } = this.#context;
    const drains = release !== 'before-drain-window';
    return {
      slots,
      faults,
      wanted: (ordinal, pod) => ({
        hash: specHash(
          deployment,
          role,
          ordinal,
          this.#context,
          Number(pod.metadata.labels?.[labels.memberIndex] ?? 0),
        ),
        grace: graceOfRole(role, drains, faults),
      }),
      sinceLastDelete: scale.toSeconds(now() - (this.#lastDelete.get(roleKey(deployment, role)) ?? -Infinity)),
      again: faults.has('upgrade-turns-twice') ? this.#again : new Set(),
    };
  }

  async #status(deployment: ModelDeployment, snapshot: Snapshot): Promise<void> {
    const { uid, name, namespace = '' } = deployment.metadata;
    const outdatedOf = (role: Role) =>
      outdated(this.#stateOf(deployment, role, slotsOf(deployment, role, snapshot))).length;
    const views = viewsOf(deployment, snapshot, outdatedOf);
    const router = snapshot.routers.find((r) => r.metadata.ownerReferences?.some((o) => o.uid === uid));
    const serving = await observeServing(deployment, snapshot.pods, this.#context);
    // A router tells nobody that its view has changed, so it is asked again for as long as the views do not agree.
    if (serving.state === 'Unknown' || !agrees(serving, views)) this.#context.later(namespace, ASK_AGAIN);
    const status = statusOf(deployment, views, { router, serving, faults: this.#context.faults }, apiTime());
    if (sameStatus(deployment.status, status)) return;
    await this.#context.client.patch(`${paths.deployments(namespace)}/${name}/status`, { status });
  }
}

/** Documented seconds until a router is asked again for its view. */
const ASK_AGAIN = 5;

const roleKey = ({ metadata }: ModelDeployment, role: Role): string => `${metadata.uid}/${role.name}`;
const slotKey = (deployment: ModelDeployment, role: Role, ordinal: number): string =>
  `${roleKey(deployment, role)}/${ordinal}`;
