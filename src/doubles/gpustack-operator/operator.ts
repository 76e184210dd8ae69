import { Watch } from '../../cluster/watch.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { KubeError } from '../../cluster/errors.ts';
import { now } from '../../time/clock.ts';
import { api, labels, labelValues, OWN_OPERATOR_LABEL } from '../../systems/gpustack/names.ts';
import type { Context } from './context.ts';
import { Reconciler } from './reconcile.ts';
import type { Kind } from './snapshot.ts';
import { Snapshots } from './snapshots.ts';

/** Milliseconds of the wall until a pass that failed is tried again. */
const RETRY_MS = 200;
/** Passes one after the other over a namespace before others get their turn. */
const PASSES = 20;

/** Watches what the operator decides by and reconciles each namespace in which something changed, one at a time. */
export class Operator {
  readonly #context: Context;
  readonly #reconciler: Reconciler;
  readonly #watches: Watch[];
  readonly #due = new Set<string>();
  /** The next pass that was asked for, by namespace. */
  readonly #timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  /** Namespaces that an operator of their own serves. */
  readonly #foreign = new Set<string>();
  #running: Promise<void> | undefined;
  #stopped = false;

  /** @param only the one namespace to serve; absent: every one that has no operator of its own */
  constructor(context: Context, only?: string) {
    this.#context = context;
    const snapshots = new Snapshots(context.client);
    this.#reconciler = new Reconciler({
      ...context,
      snapshots,
      client: snapshots.client,
      later: (ns, seconds) => this.#later(ns, context.scale.toMs(seconds)),
    });
    const { client } = context;
    const scope = only === undefined ? '' : `namespaces/${only}/`;
    const ours = `labelSelector=${encodeURIComponent(`${labels.name}=${labelValues.name}`)}`;
    const watch = (kind: Kind, path: string) =>
      new Watch(client, path, {
        event: (_type, { metadata: { namespace = '' } }) => {
          snapshots.changed(kind, namespace);
          this.#enqueue(namespace);
        },
      });
    this.#watches = [
      watch('deployments', `/apis/${api.version}/${scope}modeldeployments`),
      watch('workloads', `/apis/${api.kueue}/${scope}workloads`),
      watch('pods', `/api/v1/${scope}pods?${ours}`),
      watch('services', `/api/v1/${scope}services?${ours}`),
      watch('routers', `/apis/apps/v1/${scope}deployments?${ours}`),
    ];
    if (only === undefined) this.#watches.push(this.#watchNamespaces(client));
  }

  /** Stops watching; settles when the pass that runs is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const watch of this.#watches) watch.stop();
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#reconciler.stop();
    await this.#running;
  }

  #watchNamespaces(client: KubeClient): Watch {
    return new Watch(client, '/api/v1/namespaces', {
      event: (_type, { metadata }: KubeObject) => {
        if (metadata.labels?.[OWN_OPERATOR_LABEL] === 'own') this.#foreign.add(metadata.name);
        else if (this.#foreign.delete(metadata.name)) this.#enqueue(metadata.name);
      },
    });
  }

  #enqueue(namespace: string): void {
    if (this.#stopped || !namespace) return;
    this.#due.add(namespace);
    this.#start();
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#due.size > 0 && !this.#stopped) this.#start();
    });
  }

  #later(namespace: string, ms: number): void {
    const at = now() + ms;
    const former = this.#timers.get(namespace);
    if (this.#stopped || (former && former.at <= at)) return;
    clearTimeout(former?.timer);
    const timer = setTimeout(() => {
      this.#timers.delete(namespace);
      this.#enqueue(namespace);
    }, ms);
    this.#timers.set(namespace, { at, timer });
  }

  async #run(): Promise<void> {
    await Promise.all(this.#watches.map((watch) => watch.ready));
    for (const namespace of this.#due) {
      this.#due.delete(namespace);
      if (this.#stopped) return;
      if (!this.#foreign.has(namespace)) await this.#namespace(namespace);
    }
  }

  async #namespace(namespace: string): Promise<void> {
    try {
      for (let n = 0; n < PASSES; n += 1) if (!(await this.#reconciler.pass(namespace))) return;
      this.#enqueue(namespace);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.status !== 409) this.#context.log(`namespace ${namespace}: ${error.message}`);
      this.#later(namespace, RETRY_MS);
    }
  }
}
