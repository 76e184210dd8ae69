import type { KubeClient } from '../../cluster/rest.ts';
import type { ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import { now } from '../../time/clock.ts';
import type { TimeScale } from '../../time/scale.ts';
import { Actions } from './actions.ts';
import { refusal } from './admission.ts';
import { Attachments } from './attachments.ts';
import { toReserve } from './quota.ts';
import { graceOfRole, isTakeOver } from './render/container.ts';
import { specHash, type Rendering } from './render/pod.ts';
import { beforeDrainWindow, EARLY_NEXT, outdated, rolloutStep, type RoleState } from './rollout.ts';
import { slotStep } from './slots.ts';
import { apiTime, leaving, paths, readSnapshot, slotsOf, type Slot, type Snapshot } from './snapshot.ts';
import { sameStatus, statusOf, viewOf } from './status.ts';

export interface Context extends Rendering {
  client: KubeClient;
  scale: TimeScale;
  log: (line: string) => void;
  /** Asks for another pass over a namespace after some documented seconds. */
  later: (namespace: string, seconds: number) => void;
}

/**
 * Brings a namespace to what its ModelDeployments ask for. Every pass looks at the API anew and remembers nothing that
 * matters, so that an operator that was killed at any instant goes on where it was.
 */
export class Reconciler {
  readonly #context: Context;
  readonly #actions: Actions;
  readonly #attachments: Attachments;
  /** For faults alone: when a rollout last deleted of a role; slots whose Pod an older release made; Pods that replaced those. */
  readonly #lastDelete = new Map<string, number>();
  readonly #fromOlder = new Set<string>();
  readonly #again = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#actions = new Actions(context.client);
    this.#attachments = new Attachments(context.client);
  }

  /** One pass; true where it changed something, so that another is due at once. */
  async pass(namespace: string): Promise<boolean> {
    const snapshot = await readSnapshot(this.#context.client, namespace);
    if (!snapshot || leaving(snapshot.namespace)) return false;
    let changed = 0;
    for (const deployment of snapshot.deployments) {
      if (leaving(deployment) || refusal(deployment)) continue;
      await this.#attachments.ensure(deployment, snapshot);
      for (const role of deployment.spec.roles) changed += await this.#role(deployment, role, snapshot);
    }
    for (const workload of toReserve(snapshot)) {
      await this.#actions.setQuota(workload, true, 'QuotaReserved');
      changed += 1;
    }
    if (changed > 0) return true;
    for (const deployment of snapshot.deployments) await this.#status(deployment, snapshot);
    return false;
  }

  async #role(deployment: ModelDeployment, role: Role, snapshot: Snapshot): Promise<number> {
    let changed = 0;
    const { slots } = slotsOf(deployment, role, snapshot);
    for (const slot of slots) changed += Number(await this.#slot(deployment, role, slot));
    const state = this.#stateOf(deployment, role, slots);
    const deletions = rolloutStep(state);
    for (const { pod, ordinal, gracePeriodSeconds } of deletions) {
      const { name, uid = '' } = pod.metadata;
      this.#context.log(
        `rollout of ${role.name}: deleting ${name} (replica ${ordinal}, wanted ${state.wanted(ordinal).hash})`,
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
        await this.#actions.createWorkload(deployment, role, ordinal, this.#context, step.owner);
        break;
      case 'create-pod': {
        const pod = await this.#actions.createPod(deployment, role, ordinal, this.#context);
        if (this.#fromOlder.delete(slotKey(deployment, role, ordinal))) this.#again.add(pod.metadata.uid ?? '');
        if (slot.workload) await this.#actions.bindWorkload(slot.workload, pod);
        break;
      }
      case 'bind-workload':
        await this.#actions.bindWorkload(step.workload, step.pod);
        break;
      case 'remove-workload':
        await this.#actions.removeWorkload(step.workload);
        break;
      case 'release-quota':
        await this.#actions.setQuota(step.workload, false, 'PodLeaving');
        break;
      case 'remove-pod':
        await this.#actions.deletePod(step.pod);
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
      wanted: (ordinal) => ({
        hash: specHash(deployment, role, ordinal, this.#context),
        grace: graceOfRole(role, drains, faults),
      }),
      sinceLastDelete: scale.toSeconds(now() - (this.#lastDelete.get(roleKey(deployment, role)) ?? -Infinity)),
      again: faults.has('upgrade-turns-twice') ? this.#again : new Set(),
    };
  }

  async #status(deployment: ModelDeployment, snapshot: Snapshot): Promise<void> {
    const { uid, name, namespace = '' } = deployment.metadata;
    const views = deployment.spec.roles.map((role) => {
      const { slots } = slotsOf(deployment, role, snapshot);
      return viewOf(deployment, role, snapshot, outdated(this.#stateOf(deployment, role, slots)).length);
    });
    const router = snapshot.routers.find((r) => r.metadata.ownerReferences?.some((o) => o.uid === uid));
    const status = statusOf(deployment, views, router, apiTime());
    if (sameStatus(deployment.status, status)) return;
    await this.#context.client.patch(`${paths.deployments(namespace)}/${name}/status`, { status });
  }
}

const roleKey = ({ metadata }: ModelDeployment, role: Role): string => `${metadata.uid}/${role.name}`;
const slotKey = (deployment: ModelDeployment, role: Role, ordinal: number): string =>
  `${roleKey(deployment, role)}/${ordinal}`;
