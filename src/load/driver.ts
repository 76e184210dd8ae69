import http from 'node:http';
import type { EventData, Recorder } from '../history/event.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { TimeScale } from '../time/scale.ts';
import { completionBody, sessionEvents, type Listener } from './body.ts';
import { loadCost, RequestBook } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { outcomeOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { Pacer } from './pacer.ts';
import type { Destination, PlannedRequest } from './plan.ts';
import { Session } from './session.ts';
import { Stream } from './stream.ts';
import type { Address, Exchange, StreamHandlers } from './stream.ts';

export interface LoadOptions {
  plan: readonly PlannedRequest[];
  /** The planned zero, in milliseconds of the harness's clock. */
  zeroAt: number;
  scale: TimeScale;
  /** Asked when a request is due; throws where there is no such destination. */
  resolve(to: Destination): Address | Promise<Address>;
  recorder: Recorder;
  /** Milliseconds without a byte after which a request that is open at the stop counts as silent. */
  silenceMs: number;
  /** Milliseconds between two recorded chunks of a stream at least; its first and last are recorded in any case. */
  sampleEveryMs: number;
  /** Default `quiesce`. */
  model?: string;
  /** Who is spoken to, see {@link Listener}. Default `doubles`. */
  listener?: Listener;
  /** Default `/v1/completions`. */
  path?: string;
  /** Names the scenario in the logs of what is tested. Default `quiesce`. */
  userAgent?: string;
  /** Connections are kept and used again. Default false: one connection a request. */
  keepAlive?: boolean;
}

/** A load under way. */
export interface Load {
  /** The ledger, once every request has its end, by itself or by the stop. */
  done: Promise<Ledger>;
  /** Sends nothing more, hangs up on what is open, and answers the ledger. Further calls change nothing. */
  stop(reason: string): Promise<Ledger>;
  /** Ids of the requests that are open. */
  open(): string[];
}

/** Sends each planned request at its instant, whatever became of those before it, and records all that is seen of it. */
export function startLoad(options: LoadOptions): Load {
  return new Driver(options);
}

class Driver implements Load {
  readonly done: Promise<Ledger>;
  readonly #options: LoadOptions;
  readonly #plannedAt: number[];
  readonly #book = new RequestBook();
  readonly #streams = new Map<string, Exchange>();
  readonly #pacer: Pacer;
  readonly #agent: http.Agent | false;
  /** What clients that read no more still hold, and what they are yet to do. */
  readonly #held = new Set<Exchange>();
  readonly #turns = new Set<NodeJS.Timeout>();
  /** Requests whose address is being looked up. */
  readonly #resolving = new Set<PlannedRequest>();
  #finish!: (ledger: Ledger) => void;
  #stopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { plan, zeroAt, scale } = options;
    this.done = new Promise((resolve) => (this.#finish = resolve));
    this.#agent = options.keepAlive ? new http.Agent({ keepAlive: true }) : false;
    this.#plannedAt = plan.map(({ at }) => zeroAt + scale.toMs(at));
    plan.forEach((request, i) => this.#plan(request, this.#plannedAt[i] ?? 0));
    this.#pacer = new Pacer(this.#plannedAt, (i) => this.#due(i));
    if (plan.length === 0) this.#close();
  }

  open(): string[] {
    return this.#book.flowing();
  }

  stop(reason: string): Promise<Ledger> {
    if (this.#stopped) return this.done;
    this.#stopped = true;
    const unsent = [...this.#resolving, ...this.#options.plan.slice(this.#pacer.stop())];
    for (const request of unsent) this.#ended(request.id, exactly(now()), { end: 'never-sent', detail: reason });
    for (const turn of this.#turns) clearTimeout(turn);
    for (const stream of this.#held) stream.hangUp(false, reason);
    for (const stream of this.#streams.values()) {
      const quiet = now() - stream.lastHeard;
      const silent = quiet >= this.#options.silenceMs;
      stream.hangUp(silent, `${reason}; no byte for ${Math.round(quiet)} ms`);
    }
    return this.done;
  }

  #plan(request: PlannedRequest, plannedAt: number): void {
    const { id, group, to, tokens, tokenSeconds } = request;
    const via = 'router' in to ? 'router' : 'service' in to ? 'service' : 'pod';
    const data = {
      id,
      group,
      via,
      plannedAt,
      tokens,
      tokenSeconds,
      ...('case' in to ? { case: to.case } : {}),
    } as const;
    this.#options.recorder.record('request.planned', exactly(now()), subject(id), data);
    this.#book.planned(id, group, plannedAt);
  }

  #due(index: number): void {
    const request = this.#options.plan[index];
    if (!request) return;
    const plannedAt = this.#plannedAt[index] ?? 0;
    try {
      const address = this.#options.resolve(request.to);
      if (address instanceof Promise) void this.#later(request, plannedAt, address);
      else this.#send(request, plannedAt, address);
    } catch (error) {
      this.#unsendable(request, error);
    }
  }

  async #later(request: PlannedRequest, plannedAt: number, address: Promise<Address>): Promise<void> {
    this.#resolving.add(request);
    try {
      const found = await address;
      if (this.#resolving.delete(request) && !this.#stopped) this.#send(request, plannedAt, found);
    } catch (error) {
      if (this.#resolving.delete(request) && !this.#stopped) this.#unsendable(request, error);
    }
  }

  #unsendable({ id }: PlannedRequest, error: unknown): void {
    this.#ended(id, exactly(now()), { end: 'never-sent', detail: `no address: ${(error as Error).message}` });
  }

  #send(request: PlannedRequest, plannedAt: number, address: Address): void {
    const {
      recorder,
      path = '/v1/completions',
      userAgent = 'quiesce',
      sampleEveryMs,
      listener = 'doubles',
    } = this.#options;
    const { id } = request;
    let sampledAt = -Infinity;
    let sampled = 0;
    let last = { tokens: 0, at: 0 };
    const sample = () => {
      sampledAt = last.at;
      sampled = last.tokens;
      recorder.record('request.chunk', exactly(last.at), subject(id), { id, tokens: last.tokens });
    };
    const tls = address.tls ?? request.tls;
    const headers = { 'x-request-id': id, 'user-agent': userAgent, accept: 'text/event-stream' };
    const agent = tls ? false : this.#agent;
    const handlers: StreamHandlers = {
      sent: (handedOver, connected) => {
        const delayMs = handedOver - plannedAt;
        const data = { id, address: `${address.host}:${address.port}`, delayMs };
        recorder.record('request.sent', [handedOver, connected], subject(id), data);
        this.#book.sent(id, handedOver, delayMs);
      },
      headers: (status, at) => recorder.record('request.headers', exactly(at), subject(id), { id, status }),
      bytes: (tokens, at) => {
        if (tokens === last.tokens) return;
        last = { tokens, at };
        if (at - sampledAt >= sampleEveryMs) sample();
      },
      ended: (observed, at) => {
        if (last.tokens !== sampled) sample();
        this.#streams.delete(id);
        const { status, missing, repeated, finishReasons } = observed;
        const finishReason = [...finishReasons].join(',');
        this.#ended(id, exactly(at), outcomeOf(observed), {
          ...(finishReason ? { finishReason } : {}),
          ...(status === undefined ? {} : { status }),
          ...(stream.lastByteAt === undefined ? {} : { lastByteAt: stream.lastByteAt }),
          tokens: stream.tokens,
          missing,
          repeated,
        });
      },
    };
    const { tokens } = request;
    const to = { ...address, tls };
    const model = request.model ?? address.model ?? this.#options.model ?? 'quiesce';
    const body = completionBody(request, model, listener);
    const stream: Exchange = request.session
      ? new Session({ address: to, headers, events: sessionEvents(request, model), tokens }, handlers)
      : new Stream({ address: to, path, headers, body, tokens, agent }, handlers);
    this.#streams.set(id, stream);
    if (request.client) this.#turn(request.client, stream);
  }

  #turn({ does, at }: NonNullable<PlannedRequest['client']>, stream: Exchange): void {
    const { zeroAt, scale } = this.#options;
    const turn = setTimeout(
      () => {
        this.#turns.delete(turn);
        if (does === 'stops-reading') this.#held.add(stream);
        stream.turn(does);
      },
      Math.max(0, zeroAt + scale.toMs(at) - now()),
    );
    this.#turns.add(turn);
  }

  #ended(
    id: string,
    at: readonly [number, number],
    outcome: Outcome,
    seen: Partial<EventData<'request.end'>> = {},
  ): void {
    const data = { id, tokens: 0, missing: 0, repeated: 0, ...seen, ...outcome };
    this.#options.recorder.record('request.end', at, subject(id), data);
    this.#book.ended(id, outcome.end);
    if (this.#book.closed) this.#close();
  }

  #close(): void {
    if (this.#agent) this.#agent.destroy();
    const ledger = this.#book.ledger();
    this.#options.recorder.record('cost', exactly(now()), 'harness', loadCost(ledger));
    this.#finish(ledger);
  }
}

const subject = (id: string) => `request/${id}`;
