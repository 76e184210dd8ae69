import http from 'node:http';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { dynamoLines } from '../../engines/dynamo/log.ts';
import type { Journal } from '../dynamo/journal.ts';
import type { Fleet, Instance } from '../dynamo/fleet.ts';
import { pathOf, type Order, type Piece } from '../dynamo/plane.ts';
import { type Answer, streamAnswer, wholeAnswer } from '../openai/answer.ts';
import type { Generation } from '../openai/request.ts';
import type { Program } from '../program.ts';
import { bodies, streamErrors } from './errors.ts';

interface Parts {
  program: Program;
  tell: Journal;
  fleet: Fleet;
  /** How often a stream that its worker broke is taken up on another one. */
  migrationLimit: number;
}

/** What becomes of one request. */
interface Journey {
  answer: Answer;
  /** Tells the client that it failed; nothing is sent any more. */
  fail(error: object): void;
  /** The answer begins: its headers go out. */
  begin(): void;
  begun: boolean;
  over: boolean;
  total: number;
  tokenMs: number;
  /** Tokens that the client has. */
  done: number;
  retries: number;
  tried: Set<number>;
  upstream: http.ClientRequest | undefined;
  /** Undefined: any. */
  model: string | undefined;
}

/** Sends each request to one worker in turn, and its tokens back to the client. */
export class Relay {
  readonly #parts: Parts;
  readonly #open = new Set<Journey>();
  #turn = 0;
  #last: Instance | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Cancels what is open, but for the streams of one model: each client is told that its request was. */
  cancelAll(except?: string): void {
    for (const journey of [...this.#open])
      if (except === undefined || journey.model !== except) journey.fail(streamErrors.cancelled);
  }

  generate(
    generation: Generation,
    id: string,
    response: ServerResponse,
    respond: (status: number, body: unknown) => void,
  ): void {
    const { program, migrationLimit } = this.#parts;
    // Only a request that says how long its prefill takes has one of its own.
    const { model } = generation;
    const prefill = generation.kvWaitSeconds > 0 ? this.#choose(model, new Set(), ['prefill']) : undefined;
    const instance = prefill ?? this.#choose(model, new Set());
    if (!instance && !this.#parts.fleet.knowsModel(model ?? '')) return respond(404, bodies.noModel);
    if (!instance) return respond(503, bodies.noWorker(model ?? ''));
    const dialect = { choice: {}, dead: streamErrors.unavailable as object };
    const identity = { id: `cmpl-${id}`, model: instance.model, dialect };
    const journey: Journey = {
      answer: generation.stream
        ? streamAnswer(response, generation, identity)
        : wholeAnswer(respond, generation, identity),
      model,
      fail: (error) => {
        if (journey.over) return;
        finish();
        dialect.dead = error;
        if (journey.begun || !generation.stream) journey.answer.fail();
        else respond(503, bodies.unavailable);
      },
      begin: () => {
        if (journey.begun) return;
        journey.begun = true;
        if (generation.stream) {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
          response.flushHeaders();
        }
        journey.answer.begin();
      },
      begun: false,
      over: false,
      total: generation.maxTokens,
      tokenMs: program.scale.toMs(generation.tokenSeconds),
      done: 0,
      retries: migrationLimit,
      tried: new Set(),
      upstream: undefined,
    };
    const finish = () => {
      journey.over = true;
      this.#open.delete(journey);
      journey.upstream?.destroy();
    };
    this.#open.add(journey);
    response.once('close', finish);
    if (prefill) this.#prefill(journey, prefill, program.scale.toMs(generation.kvWaitSeconds));
    else this.#send(journey, instance);
  }

  /** One response of a realtime session; answers what gives it up. */
  converse(total: number, tokenMs: number, answer: Pick<Answer, 'tokens'> & Pick<Journey, 'fail'>): () => void {
    const instance = this.#choose(undefined, new Set());
    if (!instance) {
      answer.fail(streamErrors.unavailable);
      return () => undefined;
    }
    const journey: Journey = {
      answer: { begin: () => undefined, tokens: answer.tokens, fail: () => undefined },
      fail: (error) => {
        if (journey.over) return;
        finish();
        answer.fail(error);
      },
      begin: () => undefined,
      begun: true,
      over: false,
      ...{ total, tokenMs, done: 0, retries: 0, tried: new Set<number>(), upstream: undefined, model: undefined },
    };
    const finish = () => {
      journey.over = true;
      this.#open.delete(journey);
      journey.upstream?.destroy();
    };
    this.#open.add(journey);
    this.#send(journey, instance);
    return finish;
  }

  /** Has the prompt filled in by a prefill worker, and goes on with its backend. */
  #prefill(journey: Journey, instance: Instance, ms: number): void {
    const upstream = this.#request(instance);
    journey.upstream = upstream;
    let over = false;
    const ends = (whole: boolean) => {
      if (over || journey.over) return;
      over = true;
      const next = whole ? this.#choose(journey.model, new Set()) : undefined;
      if (next) this.#send(journey, next);
      else journey.fail(streamErrors.unavailable);
    };
    upstream.on('error', () => ends(false));
    upstream.once('response', (worker) => {
      worker.on('error', () => undefined);
      worker.once('close', () => ends(false));
      createInterface({ input: worker })
        .on('error', () => undefined)
        .on('line', (line) => ends('finish' in (JSON.parse(line) as Piece)));
    });
    const order: Order = { tokens: 1, tokenMs: ms, prefill: true };
    upstream.end(JSON.stringify(order));
  }

  #request(instance: Instance): http.ClientRequest {
    const { tell, program } = this.#parts;
    tell('DEBUG', dynamoLines.selected, { worker_id: instance.id });
    const [host, port] = instance.address.split(':');
    const path = pathOf(instance.endpoint);
    return http.request({ host, port, path, method: 'POST', agent: false, localAddress: program.podIP });
  }

  #send(journey: Journey, instance: Instance): void {
    journey.tried.add(instance.id);
    const before = journey.done;
    const upstream = this.#request(instance);
    journey.upstream = upstream;
    let broken = false;
    const breaks = () => {
      if (broken || journey.over) return;
      broken = true;
      this.#moveOn(journey);
    };
    upstream.on('error', breaks);
    upstream.once('response', (worker) => {
      if (worker.statusCode !== 200) return breaks();
      journey.begin();
      worker.once('close', breaks);
      // A broken connection is told by its close; the reader of its lines tells of it again.
      worker.on('error', () => undefined);
      const lines = createInterface({ input: worker }).on('error', () => undefined);
      lines.on('line', (line) => {
        if (journey.over) return;
        const piece = JSON.parse(line) as Piece;
        if ('cancelled' in piece) return journey.fail(streamErrors.cancelled);
        journey.done = before + piece.last;
        if (piece.finish) {
          journey.over = true;
          this.#open.delete(journey);
        }
        journey.answer.tokens(before + piece.first, before + piece.last, piece.finish);
      });
    });
    const order: Order = { tokens: journey.total - before, tokenMs: journey.tokenMs };
    upstream.end(JSON.stringify(order));
  }

  /** Its worker has broken a stream: it goes on on another one, or fails. */
  #moveOn(journey: Journey): void {
    const { tell, program } = this.#parts;
    const { faults } = program;
    const next =
      journey.retries > 0 && !faults.has('frontend-never-migrates') && this.#choose(journey.model, journey.tried);
    if (!next) {
      if (faults.has('frontend-hides-broken-streams') && journey.begun) return journey.answer.tokens(0, 0, 'stop');
      return journey.fail(streamErrors.unavailable);
    }
    journey.retries -= 1;
    if (faults.has('frontend-repeats-tokens')) journey.done = Math.max(0, journey.done - 2);
    tell('WARN', 'Stream disconnected, recreating stream');
    this.#send(journey, next);
  }

  /**
   * Round robin over the instances of a model that discovery shows and that were not tried: over routers, which serve what their
   * workers do, where there are any.
   */
  #choose(
    model: string | undefined,
    tried: ReadonlySet<number>,
    components = ['router', 'backend'],
  ): Instance | undefined {
    const { fleet, program } = this.#parts;
    if (program.faults.has('frontend-routes-to-unregistered') && this.#last) return this.#last;
    const all = fleet.all.filter((instance) => model === undefined || ['', model].includes(instance.model));
    const component = components.find((name) => all.some((instance) => instance.component === name));
    const left = all.filter((instance) => instance.component === component && !tried.has(instance.id));
    this.#turn += 1;
    this.#last = left[this.#turn % Math.max(1, left.length)];
    return this.#last;
  }
}
