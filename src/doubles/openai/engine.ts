import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Program } from '../program.ts';
import type { Seconds } from '../../time/scale.ts';
import { type Answer, streamAnswer, wholeAnswer } from './answer.ts';
import { EngineCore, type Run } from './core.ts';
import type { Count, Dialect, Waits } from './dialect.ts';
import type { GaugeMode } from './metrics.ts';
import type { ServerOptions } from './options.ts';
import { BadRequest, type Generation } from './request.ts';

/** A request whose answer is open. */
interface Open {
  id: string;
  answer: Answer;
  response: ServerResponse;
  run: Run;
}

/** Documented seconds before its end at which the fault cuts a request. */
const EARLY_CUT = 1;

/** The engine behind the API: generations from their arrival to their last token, and the ways to lose them. */
export class Engine {
  readonly #core: EngineCore;
  readonly #open = new Set<Open>();
  readonly #program: Program;
  readonly #options: ServerOptions;
  readonly #dialect: Dialect;
  #hookRead = false;

  constructor(program: Program, options: ServerOptions, dialect: Dialect) {
    this.#program = program;
    this.#options = options;
    this.#dialect = dialect;
    this.#core = new EngineCore(options.maxRunning);
  }

  get unfinished(): number {
    return this.#core.size;
  }

  /** The ids of the requests whose answers are open. */
  get openIds(): string[] {
    return [...this.#open].map(({ id }) => id);
  }

  readonly count: Count = (state) => this.#core.count(state);

  page(mode: GaugeMode): Promise<string> {
    return this.#dialect.metrics.page(this.count, mode);
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
    this.#dialect.admit?.();
    const waits = this.#dialect.waits(generation, this.#program.scale.toMs(generation.kvWaitSeconds));
    const id = this.#dialect.idOf(generation, request);
    this.#dialect.received(generation, id);
    const identity = { id, model, dialect: this.#dialect };
    const answer = generation.stream
      ? streamAnswer(response, generation, identity)
      : wholeAnswer(wire.respond, generation, identity);
    if (generation.stream) wire.begin();
    answer.begin();
    const run = this.#submit(generation, waits, (first, last, finish) => {
      if (finish) this.#dialect.metrics.finished(finish, generation.promptTokens, last);
      if (finish) this.#open.delete(open);
      if (!response.destroyed) answer.tokens(first, last, finish);
      this.#cutIfEarly(open);
    });
    const open: Open = { id, answer, response, run };
    this.#open.add(open);
    response.once('close', () => {
      // A client that hangs up frees its slot at once; a request that a fault has cut goes on for the gauges.
      if (this.#open.delete(open)) this.#core.release(run);
    });
  }

  /** Takes a request as a dead engine does: its server logs it, and answers with an error. Answers the body of that. */
  refuse(generation: Generation, request: IncomingMessage): unknown {
    this.#dialect.received(generation, this.#dialect.idOf(generation, request));
    return this.#dialect.dead;
  }

  /** Ends every open request: with `abort`, as those of a dead engine, or without a word; answers how many there were. */
  abortAll(how: 'flush' | 'error' | 'silence'): number {
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

  /** Work of nobody's request, for some documented seconds. */
  workFor(seconds: Seconds): void {
    const tokenMs = this.#program.scale.toMs(seconds);
    this.#core.submit({ tokens: 1, finish: 'stop', tokenMs, waits: [], emit: () => undefined });
  }

  #submit(generation: Generation, { before, after }: Waits, emit: Run['job']['emit']): Run {
    const { maxTokens, stopAfter, tokenSeconds } = generation;
    const stops = stopAfter !== undefined && stopAfter < maxTokens;
    return this.#core.submit({
      tokens: stops ? stopAfter : maxTokens,
      finish: stops ? 'stop' : 'length',
      tokenMs: this.#program.scale.toMs(tokenSeconds),
      waits: before,
      after,
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
}
