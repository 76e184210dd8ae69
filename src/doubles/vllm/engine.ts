import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Program } from '../program.ts';
import { type Answer, AFTER_SHUTDOWN, streamAnswer, wholeAnswer } from './answer.ts';
import { EngineCore, type FinishReason, type Run } from './core.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import type { VllmOptions } from './options.ts';
import { BadRequest, type Generation } from './request.ts';

/** A request whose answer is open. */
interface Open {
  answer: Answer;
  response: ServerResponse;
  run: Run;
}

/** Documented seconds before its end at which the fault cuts a request. */
const EARLY_CUT = 1;

/** The engine behind the API: generations from their arrival to their last token, and the ways to lose them. */
export class Engine {
  readonly metrics: Metrics;
  readonly #core: EngineCore;
  readonly #open = new Set<Open>();
  readonly #program: Program;
  readonly #options: VllmOptions;
  readonly #log: Log;
  /** New requests are turned away, as after the renderer has stopped. */
  refusing = false;
  #hookRead = false;

  constructor(program: Program, options: VllmOptions, log: Log) {
    this.#program = program;
    this.#options = options;
    this.#log = log;
    this.#core = new EngineCore(options.maxNumSeqs);
    this.metrics = new Metrics(options.model, options.behaviour.ranks);
  }

  get unfinished(): number {
    return this.#core.size;
  }

  get load() {
    const { running, queued, deferred } = this.#core.count();
    return { running, capacity: queued, deferred };
  }

  whenIdle(tell: () => void): void {
    this.#core.whenIdle(tell);
  }

  /**
   * Takes a request; `begin` starts the answer on the wire with a status and writes its access line, `respond` writes a
   * whole one.
   * @throws BadRequest where it cannot be taken
   */
  generate(
    generation: Generation,
    request: IncomingMessage,
    response: ServerResponse,
    wire: { begin: () => void; respond: (status: number, body: unknown) => void },
  ): void {
    const { model } = this.#options;
    if (generation.model !== undefined && generation.model !== model) {
      throw new BadRequest(`The model \`${generation.model}\` does not exist.`, 404, 'NotFoundError', 'model');
    }
    if (this.refusing) throw new BadRequest(AFTER_SHUTDOWN, 500, 'InternalServerError');
    const base = asText(request.headers['x-request-id']) ?? crypto.randomUUID().replaceAll('-', '');
    const id = `${generation.chat ? 'chatcmpl' : 'cmpl'}-${base}`;
    if (this.#options.logRequests) this.#logReceived(generation, id);
    const answer = generation.stream
      ? streamAnswer(response, generation, id, model)
      : wholeAnswer(wire.respond, generation, id, model);
    if (generation.stream) wire.begin();
    answer.begin();
    const run = this.#submit(generation, (first, last, finish) => {
      if (finish) this.metrics.finished(finish, generation.promptTokens, last);
      if (finish) this.#open.delete(open);
      if (!response.destroyed) answer.tokens(first, last, finish);
      this.#cutIfEarly(open);
    });
    const open: Open = { answer, response, run };
    this.#open.add(open);
    response.once('close', () => {
      // A client that hangs up frees its slot at once; a request that a fault has cut goes on for the gauges.
      if (this.#open.delete(open)) this.#core.release(run);
    });
  }

  /** Ends every open request in one of vLLM's three ways; answers how many there were. */
  abortAll(how: VllmOptions['behaviour']['abort']): number {
    if (how === 'flush') return this.#core.endAll('abort');
    const open = [...this.#open];
    const count = this.#core.endAll(undefined);
    if (how === 'silence') return count;
    for (const { answer, response } of open) if (!response.destroyed) answer.fail();
    this.#open.clear();
    return count;
  }

  /** A drain hook has read the gauges. */
  hookRead(): void {
    const first = !this.#hookRead;
    this.#hookRead = true;
    if (first && this.#program.faults.has('engine-drops-at-first-read'))
      for (const open of [...this.#open]) this.#cut(open);
    for (const open of [...this.#open]) this.#cutIfEarly(open);
  }

  #submit(generation: Generation, emit: (first: number, last: number, finish: FinishReason | undefined) => void): Run {
    const { maxTokens, stopAfter, tokenSeconds, kvWaitSeconds } = generation;
    const stops = stopAfter !== undefined && stopAfter < maxTokens;
    return this.#core.submit({
      tokens: stops ? stopAfter : maxTokens,
      finish: stops ? 'stop' : 'length',
      tokenMs: this.#program.scale.toMs(tokenSeconds),
      kvWaitMs: this.#program.scale.toMs(kvWaitSeconds),
      emit,
    });
  }

  /** Fault engine-cuts-early: whatever is about to end while the replica drains loses its last second. */
  #cutIfEarly(open: Open): void {
    if (!this.#hookRead || !this.#open.has(open) || !this.#program.faults.has('engine-cuts-early')) return;
    const { job, done } = open.run;
    if ((job.tokens - done) * job.tokenMs <= this.#program.scale.toMs(EARLY_CUT)) this.#cut(open);
  }

  /** Loses a request: the connection ends in the middle, while the engine goes on computing for nobody. */
  #cut(open: Open): void {
    this.#open.delete(open);
    // Node holds a write back to the end of the tick: what was generated before the cut still goes out.
    setImmediate(() => open.response.destroy());
  }

  #logReceived({ chat, maxTokens, prompt }: Generation, id: string): void {
    const item = chat ? id : `${id}-0`;
    const text = JSON.stringify(prompt.slice(0, 80));
    this.#log.info(
      'logger.py:40',
      `Received request ${item}: prompt: ${text}, params: SamplingParams(n=1, max_tokens=${maxTokens}).`,
    );
  }
}

const asText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value ? value : undefined;
