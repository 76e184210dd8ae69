import type { KubeObject } from '../cluster/rest.ts';
import type { EndKind, EventData, EventKind, Recorder } from '../history/event.ts';
import { parseEngineLine } from '../engines/log.ts';
import { now } from '../time/clock.ts';
import { LastWords } from './last-words.ts';

/** A fact that did not come in time: what was awaited, for how long, and what was there instead. */
export class DeadlineError extends Error {
  readonly code = 'QUIESCE_DEADLINE';
  constructor(what: string, ms: number, seen: string) {
    super(`waited ${Math.round(ms)} ms for ${what}; ${seen}`);
    this.name = 'DeadlineError';
  }
}

/** What a request has come to so far. */
export interface LiveRequest {
  group: string;
  sent: boolean;
  tokens: number;
  end?: EndKind;
  /** UID of the Pod whose engine logged it. */
  servedBy?: string;
}

/**
 * The present state of a scenario, derived from the very events that go into its history, so that the runner waits on
 * nothing that the history does not show.
 */
export class Live implements Recorder {
  /** Newest object by `Kind/NAMESPACE/NAME`. */
  readonly objects = new Map<string, KubeObject>();
  /** UIDs of objects that were deleted. */
  readonly gone = new Set<string>();
  readonly requests = new Map<string, LiveRequest>();
  /** Newest gauge values by Pod UID. */
  readonly gauges = new Map<string, Record<string, number | null>>();
  /** Newest answer of each path that is probed, by Pod UID and path. */
  readonly probed = new Map<string, { status: number; body: string }>();
  readonly logsOpen = new Set<string>();
  readonly lastWords = new LastWords();
  /** Names of the nodes that a Pod of ours was bound to. */
  readonly nodes = new Set<string>();
  readonly #sink: Recorder;
  readonly #waiters = new Set<() => void>();
  readonly #listeners = new Set<(kind: EventKind, subject: string) => void>();
  #problem: Error | undefined;
  #sealed = false;

  constructor(sink: Recorder) {
    this.#sink = sink;
  }

  record<K extends EventKind>(kind: K, at: readonly [number, number], subject: string, data: EventData<K>): void {
    if (this.#sealed) return;
    try {
      this.#sink.record(kind, at, subject, data);
    } catch (error) {
      // A history that cannot be written ends the scenario; whoever tells it something, in a timer say, goes on.
      this.seal();
      this.abort(error as Error);
      return;
    }
    this.#learn(kind, subject, data);
    for (const listener of this.#listeners) listener(kind, subject);
    for (const waiter of [...this.#waiters]) waiter();
  }

  /** Calls `listener` after each event; the result ends that. */
  onEvent(listener: (kind: EventKind, subject: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every object of a kind that is there now. */
  of(kind: string): KubeObject[] {
    return [...this.objects].filter(([key]) => key.startsWith(`${kind}/`)).map(([, object]) => object);
  }

  /** Nothing that is told from now on belongs to the history: it is about to be closed. */
  seal(): void {
    this.#sealed = true;
  }

  /** Ends every wait with this error: an interruption, or a bundle that can no longer be written. */
  abort(problem: Error): void {
    this.#problem = problem;
    for (const waiter of [...this.#waiters]) waiter();
  }

  /**
   * Waits until `fact` answers something; it is asked again after every event.
   * @throws DeadlineError after `ms` milliseconds of the wall, with the words of `seen`
   */
  until<T>(what: string, fact: () => T | undefined | false, ms: number, seen: () => string = () => ''): Promise<T> {
    const start = now();
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.#waiters.delete(look);
        clearTimeout(timer);
      };
      const look = () => {
        if (this.#problem) {
          finish();
          reject(this.#problem);
          return;
        }
        const answer = fact();
        if (answer === undefined || answer === false) return;
        finish();
        resolve(answer);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new DeadlineError(what, now() - start, seen()));
      }, ms);
      this.#waiters.add(look);
      look();
    });
  }

  /** Goes on observing for `ms` milliseconds of the wall: the only wait that is no fact, since nothing is to happen. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        settle();
      };
      const look = () => {
        const problem = this.#problem;
        if (problem) finish(() => reject(problem));
      };
      const timer = setTimeout(() => finish(resolve), ms);
      this.#waiters.add(look);
      look();
    });
  }

  #learn(kind: EventKind, subject: string, data: unknown): void {
    switch (kind) {
      case 'object.added':
      case 'object.modified':
        this.#object(subject, (data as EventData<'object.added'>).object as KubeObject);
        return;
      case 'object.deleted': {
        const { uid } = (data as EventData<'object.deleted'>).object.metadata;
        if (this.objects.get(subject)?.metadata.uid === uid) this.objects.delete(subject);
        if (uid) this.gone.add(uid);
        return;
      }
      case 'request.planned': {
        const { id, group } = data as EventData<'request.planned'>;
        this.requests.set(id, { group, sent: false, tokens: 0 });
        return;
      }
      case 'request.sent':
        this.#request(data as { id: string }, (r) => (r.sent = true));
        return;
      case 'request.chunk':
        this.#request(data as { id: string }, (r) => (r.tokens = (data as EventData<'request.chunk'>).tokens));
        return;
      case 'request.end':
        this.#request(data as { id: string }, (r) => (r.end = (data as EventData<'request.end'>).end));
        return;
      case 'gauges': {
        const { uid, values, status } = data as EventData<'gauges'>;
        if (status === 200) this.gauges.set(uid, values);
        return;
      }
      case 'probe.http': {
        const { uid, path, status, body = '' } = data as EventData<'probe.http'>;
        this.probed.set(`${uid} ${path}`, { status, body });
        return;
      }
      case 'log.opened':
        if ((data as EventData<'log.opened'>).container === 'main')
          this.logsOpen.add((data as EventData<'log.opened'>).uid);
        return;
      case 'log.line': {
        const { uid, container, line } = data as EventData<'log.line'>;
        if (container === 'main') this.lastWords.heard(uid, line);
        const mark = parseEngineLine(line);
        if (mark?.mark === 'received') this.#request({ id: mark.request }, (r) => (r.servedBy = uid));
        return;
      }
      default:
    }
  }

  #object(subject: string, object: KubeObject): void {
    this.objects.set(subject, object);
    if (subject.startsWith('Pod/')) this.lastWords.seen(object);
    const node = subject.startsWith('Pod/') && (object['spec'] as { nodeName?: string } | undefined)?.nodeName;
    if (node) this.nodes.add(node);
  }

  #request({ id }: { id: string }, change: (request: LiveRequest) => void): void {
    const request = this.requests.get(id);
    if (request) change(request);
  }
}
