import http from 'node:http';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { dynamoLines } from '../../engines/dynamo/log.ts';
import type { Journal } from '../dynamo/journal.ts';
import { plane, type Order, type Piece } from '../dynamo/plane.ts';
import { type Answer, streamAnswer, wholeAnswer } from '../openai/answer.ts';
import type { Generation } from '../openai/request.ts';
import type { Program } from '../program.ts';
import { bodies, streamErrors } from './errors.ts';
import type { Fleet, Instance } from './fleet.ts';

interface Parts {
  program: Program;
  tell: Journal;
  fleet: Fleet;
}

/** Sends each request to one worker in turn, and its tokens back to the client. */
export class Relay {
  readonly #parts: Parts;
  readonly #open = new Set<() => void>();
  #turn = 0;
  #last: Instance | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Cancels what is open: each client is told that its request was. */
  cancelAll(): void {
    for (const cancel of [...this.#open]) cancel();
  }

  generate(
    generation: Generation,
    id: string,
    response: ServerResponse,
    respond: (status: number, body: unknown) => void,
  ): void {
    const { program, tell } = this.#parts;
    const instance = this.#choose();
    if (!instance) return respond(503, bodies.noWorker(generation.model ?? ''));
    tell('DEBUG', dynamoLines.selected, { worker_id: instance.id });
    const dialect = { choice: {}, dead: streamErrors.unavailable as object };
    const identity = { id: `cmpl-${id}`, model: instance.model, dialect };
    const answer: Answer = generation.stream
      ? streamAnswer(response, generation, identity)
      : wholeAnswer(respond, generation, identity);
    const order: Order = { tokens: generation.maxTokens, tokenMs: program.scale.toMs(generation.tokenSeconds) };
    const [host, port] = instance.address.split(':');
    const upstream = http.request({
      host,
      port,
      path: plane.path,
      method: 'POST',
      agent: false,
      localAddress: program.podIP,
    });
    let begun = false;
    let over = false;
    const finish = () => {
      over = true;
      this.#open.delete(cancel);
    };
    const fail = (error: object) => {
      if (over) return;
      finish();
      upstream.destroy();
      dialect.dead = error;
      if (begun || !generation.stream) answer.fail();
      else respond(503, bodies.unavailable);
    };
    const cancel = () => fail(streamErrors.cancelled);
    this.#open.add(cancel);
    response.once('close', () => {
      finish();
      upstream.destroy();
    });
    upstream.once('error', () => fail(streamErrors.unavailable));
    upstream.once('response', (worker) => {
      if (worker.statusCode !== 200) return fail(streamErrors.unavailable);
      begun = true;
      if (generation.stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
        response.flushHeaders();
      }
      answer.begin();
      worker.once('close', () => fail(streamErrors.unavailable));
      worker.on('error', () => undefined); // told by its close
      createInterface({ input: worker }).on('line', (line) => {
        if (over) return;
        const piece = JSON.parse(line) as Piece;
        if ('cancelled' in piece) return fail(streamErrors.cancelled);
        if (piece.finish) finish();
        answer.tokens(piece.first, piece.last, piece.finish);
      });
    });
    upstream.end(JSON.stringify(order));
  }

  /** Round robin over the instances that discovery shows. */
  #choose(): Instance | undefined {
    const { fleet, program } = this.#parts;
    if (program.faults.has('frontend-routes-to-unregistered') && this.#last) return this.#last;
    const { all } = fleet;
    this.#turn += 1;
    this.#last = all[this.#turn % Math.max(1, all.length)];
    return this.#last;
  }
}
