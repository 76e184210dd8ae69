import type { ClientRequest } from 'node:http';
import type { Recorder } from '../history/event.ts';
import { clockOrigin, now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import { isStatus } from './errors.ts';
import { LogCursor, splitStamp } from './log-stamp.ts';
import type { KubeClient, KubeObject } from './rest.ts';

export interface LogHandlers {
  /** The log is open from here on; again after each cut. */
  opened?(at: number): void;
  /** `since`: the earliest instant at which the line can have been written, in milliseconds of the harness's clock. */
  line(line: string, stamp: string | undefined, at: number, since: number): void;
  /** It ended or was cut; it may be opened again. */
  closed?(reason: string, at: number): void;
}

export interface FollowedLog {
  stop(): void;
  /** Settles when the log will not be opened again. */
  done: Promise<void>;
}

/** Where a log comes from; with `uid` it ends when another Pod takes the name. */
export interface LogSource {
  namespace: string;
  pod: string;
  container: string;
  uid?: string | undefined;
}

/** Milliseconds between two tries while the container does not run yet, or after a cut. */
const RETRY_MS = 50;

/** Milliseconds between two tries for the next life of a container that ended. */
const RESTART_MS = 500;

/** Milliseconds from the writing of a line to its arrival; measured: p99 5.9 ms. */
const LOG_LAG_MS = 20;

/** What arrives within this many milliseconds after the log opened may have been written before. */
const BACKLOG_MS = 1000;

/**
 * Follows the log of a container from its first line, as soon as it runs: resumes after a cut without losing or
 * repeating a line, goes on with the next life of a container that restarts, and ends with the Pod.
 */
export function followLog(client: KubeClient, source: LogSource, handlers: LogHandlers): FollowedLog {
  return new Follower(client, source, handlers);
}

class Follower implements FollowedLog {
  readonly done: Promise<void>;
  readonly #client: KubeClient;
  readonly #source: LogSource;
  readonly #handlers: LogHandlers;
  readonly #cursor = new LogCursor();
  #settle!: () => void;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closedAt: number | undefined;
  #isOpen = false;
  /** It ended in order, and no line of a next life came yet. */
  #ended = false;
  #stopped = false;

  constructor(client: KubeClient, source: LogSource, handlers: LogHandlers) {
    this.#client = client;
    this.#source = source;
    this.#handlers = handlers;
    this.done = new Promise((resolve) => (this.#settle = resolve));
    this.#open();
  }

  stop(): void {
    this.#finish('stopped by the harness');
  }

  #open(): void {
    const { namespace, pod, container } = this.#source;
    const since = this.#cursor.since;
    const query = new URLSearchParams({
      container,
      follow: 'true',
      timestamps: 'true',
      ...(since ? { sinceTime: since } : {}),
    });
    const request = this.#client.open(
      'GET',
      `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query.toString()}`,
      {},
      false,
    );
    this.#request = request;
    request.on('socket', (socket) => socket.setKeepAlive(true, 5000));
    let over = false;
    const end = (reason: string, next: 'resume' | 'look') => {
      if (over || this.#stopped) return;
      over = true;
      this.#closed(reason);
      if (next === 'resume') this.#again(RETRY_MS);
      else void this.#look();
    };
    request.on('error', (error) => end(`cut: ${error.message}`, 'resume'));
    request.on('response', (response) => {
      if (response.statusCode !== 200) {
        // 400: the container does not run yet; 404: there is no such Pod, yet or any more.
        response.resume();
        over = true;
        if (response.statusCode === 400) this.#again(RETRY_MS);
        else void this.#look();
        return;
      }
      const openedAt = now();
      this.#cursor.reopened();
      // A container that ended shows its old log again until its next life: that is news only with a new line.
      if (!this.#ended) this.#opened(openedAt);
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        const at = now();
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#line(line, at, openedAt);
      });
      response.on('error', (error) => end(`cut: ${error.message}`, 'resume'));
      response.on('close', () => {
        if (!response.complete) return end('cut', 'resume');
        if (rest && !over) this.#line(rest, now(), openedAt); // the last words of a process may lack their newline
        this.#ended = true;
        end('ended', 'look');
      });
    });
    request.end();
  }

  #line(text: string, at: number, openedAt: number): void {
    const { stamp, line } = splitStamp(text);
    if (this.#stopped || !this.#cursor.take(stamp)) return;
    this.#ended = false;
    this.#opened(openedAt);
    const backlog = at - openedAt < BACKLOG_MS;
    const wall = stamp && Number(stamp.ns) / 1e6 - clockOrigin();
    const written = Math.min(at - LOG_LAG_MS, ...(backlog ? [wall ?? at, this.#closedAt ?? at] : []));
    this.#handlers.line(line, stamp?.text, at, written);
  }

  /** The log ended in order: whether there will be more of it is a matter of the Pod. */
  async #look(): Promise<void> {
    const { namespace, pod, container, uid } = this.#source;
    try {
      const object = await this.#client.get(`/api/v1/namespaces/${namespace}/pods/${pod}`);
      if (uid !== undefined && object.metadata.uid !== uid) this.#finish('another Pod has its name');
      else if (isOver(object, container)) this.#finish('the container ended for good');
      else this.#again(RESTART_MS);
    } catch (error) {
      if (isStatus(error, 404)) this.#finish('the Pod is gone');
      else this.#again(RESTART_MS); // the API server is away; the next try tells
    }
  }

  #again(ms: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => this.#open(), ms);
  }

  /** Tells that it is open, once. */
  #opened(at: number): void {
    if (this.#isOpen || this.#stopped) return;
    this.#isOpen = true;
    this.#handlers.opened?.(at);
  }

  #closed(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#closedAt = now();
    this.#handlers.closed?.(reason, this.#closedAt);
  }

  #finish(reason: string): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#request?.destroy();
    this.#closed(reason);
    this.#settle();
  }
}

interface PodStatus {
  phase?: string;
  containerStatuses?: { name: string; state?: { terminated?: object } }[];
}

/** Whether a container has ended and will not be started again. */
function isOver(pod: KubeObject, container: string): boolean {
  const { phase = '', containerStatuses = [] } = (pod['status'] ?? {}) as PodStatus;
  const ended = containerStatuses.find(({ name }) => name === container)?.state?.terminated !== undefined;
  return ['Succeeded', 'Failed'].includes(phase) || (ended && pod.metadata.deletionTimestamp !== undefined);
}

/** Follows a log and records it. */
export function recordLog(client: KubeClient, source: LogSource & { uid: string }, recorder: Recorder): FollowedLog {
  const { namespace, pod, container, uid } = source;
  const subject = `Pod/${namespace}/${pod}`;
  return followLog(client, source, {
    opened: (at) => recorder.record('log.opened', exactly(at), subject, { uid, container }),
    line: (line, stamp, at, since) =>
      recorder.record('log.line', [since, at], subject, { uid, container, line, ...(stamp ? { stamp } : {}) }),
    closed: (reason, at) => recorder.record('log.closed', exactly(at), subject, { uid, container, reason }),
  });
}
