import { KubeError } from '../../../cluster/errors.ts';
import { annotations } from '../../../systems/gpustack/names.ts';
import type { ModelDeployment, Retirement } from '../../../systems/gpustack/types.ts';
import type { LookingContext } from '../context.ts';
import { leaving, paths } from '../snapshot.ts';
import { advance } from './advance.ts';
import type { Step } from './look.ts';
import { retryOf, retryWish } from './retry.ts';
import { OperationClock } from './times.ts';

/** Milliseconds of the wall until a pass that failed is tried again. */
const RETRY_MS = 200;

/** What goes on for one deployment. */
interface Lane {
  running: boolean;
  /** Something changed while it ran. */
  again: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Drives the retirement of every deployment, each in a lane of its own: a member that does not answer holds up its own
 * deployment alone. All that matters stands in the status before it is acted upon, so a process that is killed at any
 * instant leaves nothing that its successor does not find there.
 */
export class Retirer {
  readonly #context: LookingContext;
  readonly #clock: OperationClock;
  readonly #lanes = new Map<string, Lane>();
  readonly #heldOnce = new Set<string>();
  #stopped = false;

  constructor(context: LookingContext) {
    this.#context = context;
    this.#clock = new OperationClock(context.scale, context.faults);
  }

  /** Looks at a deployment as soon as may be. */
  kick(namespace: string, name: string): void {
    if (this.#stopped) return;
    const key = `${namespace}/${name}`;
    const lane = this.#lanes.get(key) ?? { running: false, again: false };
    this.#lanes.set(key, lane);
    clearTimeout(lane.timer);
    if (lane.running) lane.again = true;
    else void this.#run(namespace, name, lane);
  }

  stop(): void {
    this.#stopped = true;
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer);
  }

  async #run(namespace: string, name: string, lane: Lane): Promise<void> {
    lane.running = true;
    let waitMs: number | undefined;
    try {
      do {
        lane.again = false;
        waitMs = await this.#pass(namespace, name);
      } while (!this.#stopped && (lane.again || waitMs === 0));
    } finally {
      lane.running = false;
    }
    if (this.#stopped || waitMs === undefined) return;
    lane.timer = setTimeout(() => this.kick(namespace, name), waitMs);
  }

  /** Milliseconds until the next look; 0: at once, since there was a transition; undefined: when something changes. */
  async #pass(namespace: string, name: string): Promise<number | undefined> {
    try {
      const snapshot = await this.#context.snapshots.read(namespace);
      const deployment = snapshot?.deployments.find(({ metadata }) => metadata.name === name);
      if (!snapshot || !deployment || leaving(deployment) || leaving(snapshot.namespace)) return undefined;
      const look = { deployment, snapshot, context: this.#context, clock: this.#clock, heldOnce: this.#heldOnce };
      const step = await advance(look);
      if (this.#stopped) return undefined;
      return await this.#store(deployment.status?.retirement ?? null, step);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.status !== 409) this.#context.log(`retirement of ${namespace}/${name}: ${error.message}`);
      return RETRY_MS;
    }
  }

  async #store(before: Retirement | null, { operation, deployment, again }: Step): Promise<number | undefined> {
    const { metadata } = deployment;
    let at = deployment;
    if (JSON.stringify(before) !== JSON.stringify(operation)) {
      if (before?.state !== operation?.state || before?.startedAt !== operation?.startedAt) {
        const what = operation ?? before;
        const state = operation?.state ?? 'ended';
        const told = operation ? `: ${operation.reason}` : '';
        this.#context.log(`retirement of ${metadata.name} ${what?.roleName}/${what?.replicaOrdinal}: ${state}${told}`);
      }
      at = await this.#context.client.patch<ModelDeployment>(`${pathOf(metadata)}/status`, {
        metadata: { resourceVersion: metadata.resourceVersion },
        status: { retirement: operation && { targetWorkloadUID: null, lastConsumedRetryToken: null, ...operation } },
      });
    }
    await this.#forgetDirective(at, operation);
    if (before?.state !== operation?.state || (before === null) !== (operation === null)) return 0;
    return again === undefined ? undefined : this.#context.scale.toMs(again);
  }

  /** A directive that was taken up is removed, but only after its token stands in the status. */
  async #forgetDirective(deployment: ModelDeployment, operation: Retirement | null): Promise<void> {
    if (!operation || retryWish(retryOf(deployment), operation) !== 'used') return;
    const removed = { [annotations.retirementRetry]: null };
    await this.#context.client.patch(pathOf(deployment.metadata), { metadata: { annotations: removed } });
  }
}

const pathOf = ({ namespace = '', name }: ModelDeployment['metadata']): string =>
  `${paths.deployments(namespace)}/${name}`;
