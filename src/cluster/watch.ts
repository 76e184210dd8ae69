import { now } from '../time/clock.ts';
import { KubeError } from './errors.ts';
import type { KubeClient, KubeObject } from './rest.ts';
import { parseLine } from './watch-line.ts';
import { openWatchStream } from './watch-stream.ts';
import type { StreamEnd } from './watch-stream.ts';
import { Watched } from './watched.ts';
import type { WatchType } from './watched.ts';

export type { WatchType } from './watched.ts';

/** What a watch tells its owner. Times are milliseconds of the harness's monotonic clock. */
export interface WatchHandlers<T extends KubeObject = KubeObject> {
  /** `at`: when the line arrived; `since`: the earliest instant at which it can have happened, where a gap came before. */
  event(type: WatchType, object: T, at: number, since: number): void;
  /** A list is complete: every object of it that was not known yet was handed over. */
  synced?(resourceVersion: string, at: number): void;
  /** The stream is open from here on. */
  opened?(resourceVersion: string, at: number): void;
  /** Nothing was heard from `from` to `to`; what happened meanwhile arrives after it. */
  gap?(from: number, to: number, reason: string): void;
  /** The list was read anew; `missed` changes were found by comparing and handed over as events. */
  relisted?(reason: string, missed: number, at: number): void;
  unparsable?(line: string, at: number): void;
  /** A try to list or to open failed; another one follows. */
  failed?(error: KubeError, at: number): void;
}

export interface WatchOptions {
  /** Milliseconds of quiet after which the collection is listed, to find a connection that is dead without a word. */
  auditMs?: number;
  /** Milliseconds that a change may be in a list and not in the watch before the watch counts as deaf. */
  deafMs?: number;
}

/** Milliseconds of the wall between two tries while the API server does not answer, or does nothing but end watches. */
const RETRY_MS = 100;

/** What arrives within this many milliseconds after a stream opened may have happened before. */
const BACKLOG_MS = 1000;

/**
 * Lists a resource and watches it for ever: resumes from the last resourceVersion, lists again on 410 and reports what
 * it missed, notices a half-open connection, drops repeated events, and tells of every gap. Never silent: an unparsable
 * line is handed over too.
 */
export class Watch<T extends KubeObject = KubeObject> {
  /** Settles when the first list was handed over, or at the stop. */
  readonly ready: Promise<void>;
  readonly #client: KubeClient;
  readonly #path: string;
  readonly #handlers: WatchHandlers<T>;
  readonly #deafMs: number;
  readonly #watched = new Watched<T>();
  readonly #auditTimer: NodeJS.Timeout;
  #close: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #version = '';
  #lastHeard = now();
  #opened = { at: 0, since: 0, heard: false };
  #lost: { from: number; reason: string } | undefined;
  #listedAt = -Infinity;
  #auditing: Promise<void> | undefined;
  #stopped = false;
  #synced!: () => void;

  /** `path` is the collection, with any selectors in its query. */
  constructor(client: KubeClient, path: string, handlers: WatchHandlers<T>, options: WatchOptions = {}) {
    const { auditMs = 10_000, deafMs = 1000 } = options;
    this.#client = client;
    this.#path = path;
    this.#handlers = handlers;
    this.#deafMs = deafMs;
    this.ready = new Promise((resolve) => (this.#synced = resolve));
    this.#auditTimer = setInterval(() => {
      if (now() - this.#lastHeard >= auditMs) void this.audit();
    }, auditMs / 2);
    this.#auditTimer.unref();
    void this.#list('start');
  }

  /** The collection as last heard, by `NAMESPACE/NAME`. */
  get objects(): Map<string, T> {
    return this.#watched.objects;
  }

  /** Stops, and tells of a gap that was still open. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#auditTimer);
    this.#close?.();
    if (this.#lost) this.#handlers.gap?.(this.#lost.from, now(), `${this.#lost.reason}, and not opened again`);
    this.#synced();
  }

  /** Compares with a fresh list whether the stream brings what happens; where it does not, lists and opens anew. */
  audit(): Promise<void> {
    this.#auditing ??= this.#audit().finally(() => (this.#auditing = undefined));
    return this.#auditing;
  }

  async #audit(): Promise<void> {
    if (!this.#close || this.#lost) return;
    const from = now();
    let fresh: List<T>;
    try {
      fresh = await this.#client.get<List<T>>(this.#path);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const missing = () => this.#watched.compare(fresh.items ?? [], fresh.metadata.resourceVersion).length;
    // What the list knows must reach the stream soon.
    const deadline = now() + this.#deafMs;
    while (missing() > 0 && now() < deadline && !this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, this.#deafMs / 20));
    }
    if (this.#stopped || this.#lost || !this.#close) return;
    if (missing() === 0) this.#lastHeard = Math.max(this.#lastHeard, from);
    else {
      this.#lose({ reason: `deaf: ${missing()} changes not heard`, clean: false }, now());
      await this.#list('deaf');
    }
  }

  async #list(reason: string): Promise<void> {
    this.#listedAt = now();
    try {
      const list = await this.#client.get<List<T>>(this.#path);
      if (this.#stopped) return;
      const at = now();
      const first = reason === 'start';
      const since = this.#lost?.from ?? at;
      if (!first) this.#handlers.gap?.(since, at, this.#lost?.reason ?? reason);
      this.#lost = undefined;
      const changes = this.#watched.replace(list.items ?? []);
      for (const { type, object } of changes) this.#handlers.event(type, object, at, since);
      this.#version = list.metadata.resourceVersion;
      this.#lastHeard = at;
      if (!first) this.#handlers.relisted?.(reason, changes.length, at);
      this.#handlers.synced?.(this.#version, at);
      this.#synced();
      this.#open();
    } catch (error) {
      this.#fail(error);
      this.#again(() => void this.#list(reason), RETRY_MS);
    }
  }

  #open(): void {
    if (this.#stopped) return;
    const glue = this.#path.includes('?') ? '&' : '?';
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
    this.#close = openWatchStream(this.#client, `${this.#path}${glue}${query}`, {
      opened: (at) => {
        const lost = this.#lost;
        if (lost) this.#handlers.gap?.(lost.from, at, lost.reason);
        this.#opened = { at, since: lost?.from ?? this.#lastHeard, heard: false };
        this.#lost = undefined;
        this.#lastHeard = at;
        this.#handlers.opened?.(this.#version, at);
      },
      line: (line, at) => this.#line(line, at),
      ended: (end, at) => this.#ended(end, at),
    });
  }

  #line(line: string, at: number): void {
    const parsed = parseLine<T>(line);
    if (!parsed) {
      this.#handlers.unparsable?.(line, at);
      return;
    }
    this.#lastHeard = at;
    const { type, object } = parsed;
    if (type === 'ERROR') {
      this.#lose(
        {
          reason: `${object.code === 410 ? '410 Gone' : `ERROR ${object.code ?? ''}`}: ${object.message ?? ''}`,
          clean: true,
        },
        at,
      );
      this.#relist(object.code === 410 ? '410 Gone' : `ERROR ${object.code ?? ''}`);
      return;
    }
    this.#opened.heard = true;
    this.#version = object.metadata.resourceVersion ?? this.#version;
    if (type === 'BOOKMARK') return;
    const { at: openedAt, since } = this.#opened;
    for (const change of this.#watched.take(type, object)) {
      this.#handlers.event(change.type, change.object, at, at - openedAt < BACKLOG_MS ? since : at);
    }
  }

  #ended(end: StreamEnd, at: number): void {
    const { heard, at: openedAt } = this.#opened;
    const wasOpen = !this.#lost;
    this.#lose(end, at);
    if (end.status !== undefined) this.#handlers.failed?.(new KubeError('GET', this.#path, end.status, undefined), at);
    // An object's absence (404), or a version that the server does not take, is not mended by asking again.
    if ([400, 404, 410].includes(end.status ?? 0)) this.#relist(end.status === 410 ? '410 Gone' : end.reason);
    else this.#again(() => this.#open(), end.clean && wasOpen && (heard || at - openedAt > RETRY_MS) ? 0 : RETRY_MS);
  }

  /** Closes the stream and begins a gap: from now where all that was sent was heard, else from what was heard last. */
  #lose(end: StreamEnd, at: number): void {
    this.#close?.();
    this.#close = undefined;
    this.#lost ??= { from: end.clean ? at : this.#lastHeard, reason: end.reason };
  }

  /** Lists again: at once, unless that was just done and did not help. */
  #relist(reason: string): void {
    this.#again(() => void this.#list(reason), now() - this.#listedAt > BACKLOG_MS ? 0 : RETRY_MS);
  }

  #again(retry: () => void, delayMs: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(retry, delayMs);
  }

  #fail(error: unknown): void {
    if (!(error instanceof KubeError)) throw error;
    if (!this.#stopped) this.#handlers.failed?.(error, now());
  }
}

interface List<T> {
  metadata: { resourceVersion: string };
  items: T[] | null;
}
