import type { ClientRequest } from 'node:http';
import { now } from '../time/clock.ts';
import { KubeError } from './errors.ts';
import type { KubeClient, KubeObject } from './rest.ts';

export type WatchType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a watch tells its owner. Times are milliseconds of the harness's monotonic clock. */
export interface WatchHandlers<T extends KubeObject = KubeObject> {
  /** `at`: when the line arrived. */
  event(type: WatchType, object: T, at: number): void;
  /** The first list is complete: every object of it was handed over as ADDED. */
  synced?(resourceVersion: string, at: number): void;
  /** Nothing was heard from `from` to `to`; what happened meanwhile arrives after it. */
  gap?(from: number, to: number, reason: string): void;
  /** The list was read anew; `missed` changes were found by comparing and handed over as events. */
  relisted?(reason: string, missed: number, at: number): void;
  unparsable?(line: string, at: number): void;
}

/** Milliseconds of the wall between two tries while the API server does not answer. */
const RETRY_MS = 100;

/**
 * Lists a resource and watches it for ever: resumes from the last resourceVersion, lists again on 410 and reports what
 * it missed, and tells of every gap. Never silent: an unparsable line is handed over too.
 */
export class Watch<T extends KubeObject = KubeObject> {
  readonly objects = new Map<string, T>();
  readonly #client: KubeClient;
  readonly #path: string;
  readonly #handlers: WatchHandlers<T>;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #version = '';
  #lastHeard = now();
  #stopped = false;
  #synced!: () => void;
  /** Settles when the first list was handed over. */
  readonly ready: Promise<void>;

  /** `path` is the collection, with any selectors in its query. */
  constructor(client: KubeClient, path: string, handlers: WatchHandlers<T>) {
    this.#client = client;
    this.#path = path;
    this.#handlers = handlers;
    this.ready = new Promise((resolve) => (this.#synced = resolve));
    void this.#list('start');
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  async #list(reason: string): Promise<void> {
    try {
      const list = await this.#client.get<{ metadata: { resourceVersion: string }; items: T[] }>(this.#path);
      if (this.#stopped) return;
      const at = now();
      const missed = this.#reconcile(list.items, at);
      const first = reason === 'start';
      this.#version = list.metadata.resourceVersion;
      if (!first) {
        this.#handlers.gap?.(this.#lastHeard, at, reason);
        this.#handlers.relisted?.(reason, missed, at);
      }
      this.#lastHeard = at;
      this.#handlers.synced?.(this.#version, at);
      this.#synced();
      this.#open();
    } catch (error) {
      this.#again(() => void this.#list(reason === 'start' ? 'start' : reason), error);
    }
  }

  /** Hands over the differences between what is known and a fresh list; answers how many there were. */
  #reconcile(items: T[], at: number): number {
    let changes = 0;
    const fresh = new Map(items.map((item) => [key(item), item]));
    for (const [id, known] of this.objects) {
      const item = fresh.get(id);
      if (item && item.metadata.uid === known.metadata.uid) continue;
      this.objects.delete(id);
      changes += 1;
      this.#handlers.event('DELETED', known, at);
    }
    for (const [id, item] of fresh) {
      const known = this.objects.get(id);
      if (known?.metadata.resourceVersion === item.metadata.resourceVersion) continue;
      this.objects.set(id, item);
      changes += 1;
      this.#handlers.event(known ? 'MODIFIED' : 'ADDED', item, at);
    }
    return changes;
  }

  #open(): void {
    if (this.#stopped) return;
    const glue = this.#path.includes('?') ? '&' : '?';
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
    const request = this.#client.open('GET', `${this.#path}${glue}${query}`, {}, false);
    this.#request = request;
    request.on('socket', (socket) => socket.setKeepAlive(true, 5000));
    let over = false;
    const end = (reason: string) => {
      if (over || this.#stopped) return;
      over = true;
      const from = this.#lastHeard;
      this.#timer = setTimeout(() => {
        this.#handlers.gap?.(from, now(), reason);
        this.#open();
      }, reason === 'closed' ? 0 : RETRY_MS);
    };
    request.on('error', (error) => end(error.message));
    request.on('response', (response) => {
      if ((response.statusCode ?? 0) >= 400) {
        response.resume();
        over = true;
        this.#again(() => void this.#list(`status ${response.statusCode}`), undefined);
        return;
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        const at = now();
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line && !over && !this.#line(line, at)) {
            over = true;
            request.destroy();
            void this.#list('410 Gone');
          }
        }
      });
      response.on('error', (error) => end(error.message));
      response.on('close', () => end('closed'));
    });
    request.end();
  }

  /** Handles one line; false where the server says that our version is too old. */
  #line(line: string, at: number): boolean {
    let parsed: { type: WatchType | 'BOOKMARK' | 'ERROR'; object: T & { code?: number } };
    try {
      parsed = JSON.parse(line) as typeof parsed;
    } catch {
      this.#handlers.unparsable?.(line, at);
      return true;
    }
    this.#lastHeard = at;
    const { type, object } = parsed;
    if (type === 'ERROR') return false;
    this.#version = object.metadata.resourceVersion ?? this.#version;
    if (type === 'BOOKMARK') return true;
    if (type === 'DELETED') this.objects.delete(key(object));
    else this.objects.set(key(object), object);
    this.#handlers.event(type, object, at);
    return true;
  }

  #again(retry: () => void, error: unknown): void {
    if (this.#stopped) return;
    if (error !== undefined && !(error instanceof KubeError)) throw error;
    this.#timer = setTimeout(retry, RETRY_MS);
  }
}

const key = (object: KubeObject) => `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
