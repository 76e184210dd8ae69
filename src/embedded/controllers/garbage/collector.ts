import { isStatus, KubeError } from '../../../cluster/errors.ts';
import type { KubeObject, OwnerReference } from '../../../cluster/rest.ts';
import type { Context, Controller } from '../context.ts';
import { discover, groupKind, groupKindOf, isCollectable } from '../kinds.ts';
import type { Kind } from '../kinds.ts';
import { isTerminating } from '../objects.ts';
import { collections, inNamespace, pathOf } from '../paths.ts';
import { WorkQueue } from '../queue.ts';
import { OwnerGraph, ownersOf, uidOf } from './graph.ts';
import type { Entry } from './graph.ts';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/** Deletes what is owned only by objects that are gone, and serves foreground and orphan deletion. */
export class GarbageCollector implements Controller {
  readonly #context: Context;
  readonly #graph = new OwnerGraph();
  readonly #kinds = new Map<string, Kind>();
  readonly #gone = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #discovery: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#queue = new WorkQueue('garbage-collector', (uid) => this.#reconcile(uid), context.log);
    this.#discovery = new WorkQueue('garbage-collector', () => this.#discover(), context.log);
    context.informers.of(collections.resourceDefinitions).listen(() => this.#discovery.add('kinds'));
    this.#discovery.add('kinds');
  }

  stop(): void {
    this.#queue.stop();
    this.#discovery.stop();
  }

  /** Watches every kind that is served, and no longer those that are not. */
  async #discover(): Promise<void> {
    const served = (await discover(this.#context.client)).filter(isCollectable);
    const names = new Set(served.map(groupKind));
    for (const [name, kind] of this.#kinds) {
      if (names.has(name)) continue;
      this.#kinds.delete(name);
      this.#context.informers.drop(kind.collection);
    }
    for (const kind of served) {
      if (this.#kinds.has(groupKind(kind))) continue;
      this.#kinds.set(groupKind(kind), kind);
      this.#context.informers.of(kind.collection).listen((type, object, former) => {
        if (type === 'DELETED') this.#left(object);
        else this.#seen({ kind, object }, former);
      });
    }
  }

  #seen(entry: Entry, former: KubeObject | undefined): void {
    const uid = uidOf(entry.object);
    this.#graph.set(entry);
    if (former && uidOf(former) === uid && sameLinks(entry.object, former)) return;
    this.#queue.add(uid);
    for (const owner of former ? ownersOf(former) : []) this.#queue.add(owner.uid);
  }

  #left(object: KubeObject): void {
    const uid = uidOf(object);
    this.#graph.delete(uid);
    this.#gone.add(uid);
    for (const dependent of this.#graph.dependents(uid)) this.#queue.add(uidOf(dependent.object));
    for (const owner of ownersOf(object)) this.#queue.add(owner.uid);
  }

  async #reconcile(uid: string): Promise<void> {
    const entry = this.#graph.get(uid);
    if (!entry) return;
    const { object } = entry;
    if (waitsFor(object, FOREGROUND)) return this.#foreground(entry);
    if (waitsFor(object, ORPHAN)) return this.#orphan(entry);
    if (!isTerminating(object) && ownersOf(object).length > 0) await this.#collect(entry);
  }

  /** An owner that waits for its dependents: it goes once no blocking one is left. */
  async #foreground(entry: Entry): Promise<void> {
    const uid = uidOf(entry.object);
    const dependents = this.#graph.dependents(uid);
    const blocks = ({ object }: Entry) => ownersOf(object).some((o) => o.uid === uid && o.blockOwnerDeletion);
    if (!dependents.some(blocks)) return this.#removeFinalizer(entry, FOREGROUND);
    for (const { object } of dependents) if (!isTerminating(object)) this.#queue.add(uidOf(object));
  }

  async #orphan(entry: Entry): Promise<void> {
    const uid = uidOf(entry.object);
    for (const dependent of this.#graph.dependents(uid)) await this.#disown(dependent, (owner) => owner.uid === uid);
    await this.#removeFinalizer(entry, ORPHAN);
  }

  async #collect(entry: Entry): Promise<void> {
    const { kind, object } = entry;
    const gone: string[] = [];
    const waiting: string[] = [];
    for (const owner of ownersOf(object)) {
      const known = this.#graph.get(owner.uid);
      if (known && waitsFor(known.object, FOREGROUND)) waiting.push(owner.uid);
      else if (!known && (await this.#isGone(owner, object.metadata.namespace))) gone.push(owner.uid);
    }
    if (gone.length + waiting.length === 0) return;
    if (gone.length + waiting.length < ownersOf(object).length) {
      return this.#disown(entry, (owner) => gone.includes(owner.uid) || waiting.includes(owner.uid));
    }
    const deep = waiting.length > 0 && this.#graph.dependents(uidOf(object)).length > 0;
    const finalizers = object.metadata.finalizers ?? [];
    const propagationPolicy =
      deep || finalizers.includes(FOREGROUND) ? 'Foreground' : finalizers.includes(ORPHAN) ? 'Orphan' : 'Background';
    const preconditions = { uid: uidOf(object) };
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, preconditions };
    await this.#context.client.remove(pathOf(kind.collection, object), options).catch(ignoreMissing);
  }

  /** Asks the API itself: that a watch has not told of an owner yet does not mean that it is gone. */
  async #isGone(owner: OwnerReference, namespace: string | undefined): Promise<boolean> {
    if (this.#gone.has(owner.uid)) return true;
    const kind = this.#kinds.get(groupKindOf(owner));
    if (!kind) {
      const message = `the owner ${owner.apiVersion} ${owner.kind} ${owner.name} is of no kind that is served`;
      throw new KubeError('GET', owner.name, 404, { message }); // tried again: the kind may be about to come
    }
    const collection = kind.namespaced ? inNamespace(kind.collection, namespace ?? '') : kind.collection;
    try {
      const found = await this.#context.client.get(`${collection}/${owner.name}`);
      return uidOf(found) !== owner.uid;
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      return true;
    }
  }

  async #disown({ kind, object }: Entry, drop: (owner: OwnerReference) => boolean): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const ownerReferences = ownersOf(object).filter((owner) => !drop(owner));
    const patch = { metadata: { uid, resourceVersion, ownerReferences } };
    await this.#context.client.patch(pathOf(kind.collection, object), patch).catch(ignoreMissing);
  }

  async #removeFinalizer({ kind, object }: Entry, name: string): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name);
    const patch = { metadata: { uid, resourceVersion, finalizers } };
    await this.#context.client.patch(pathOf(kind.collection, object), patch).catch(ignoreMissing);
  }
}

const waitsFor = (object: KubeObject, finalizer: string): boolean =>
  isTerminating(object) && (object.metadata.finalizers ?? []).includes(finalizer);

/** Whether nothing changed that concerns ownership. */
const sameLinks = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean =>
  a.deletionTimestamp === b.deletionTimestamp &&
  JSON.stringify(a.ownerReferences) === JSON.stringify(b.ownerReferences) &&
  JSON.stringify(a.finalizers) === JSON.stringify(b.finalizers);

const ignoreMissing = (error: unknown): void => {
  if (!isStatus(error, 404)) throw error;
};
