import { Counter, Gauge, Registry } from 'prom-client';
import { vllm } from '../../engines/vllm.ts';
import type { Count } from '../openai/dialect.ts';
import { type GaugeMode, spoil } from '../openai/metrics.ts';

/** vLLM's metrics under their real names; every series is there from the start, one a rank, at 0. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #model: string;
  readonly #rank: number;
  readonly #running: Gauge;
  readonly #waiting: Gauge;
  readonly #byReason: Gauge;
  readonly #success: Counter;
  readonly #prompt: Counter;
  readonly #generated: Counter;

  /** `ranks`: numbers of the data-parallel ranks, of which the last does the work. */
  constructor(model: string, ranks: readonly number[]) {
    this.#model = model;
    this.#rank = ranks.at(-1) ?? 0;
    const registers = [this.#registry];
    const labelNames = ['engine', 'model_name'];
    const [running, waiting] = vllm.gauges;
    this.#running = new Gauge({
      name: running,
      help: 'Number of requests in model execution batches.',
      labelNames,
      registers,
    });
    this.#waiting = new Gauge({
      name: waiting,
      help: 'Number of requests waiting to be processed.',
      labelNames,
      registers,
    });
    this.#byReason = new Gauge({
      name: vllm.siblingGauge,
      help: 'Number of waiting requests by reason.',
      labelNames: [...labelNames, 'reason'],
      registers,
    });
    this.#success = new Counter({
      name: 'vllm:request_success_total',
      help: 'Count of successfully processed requests.',
      labelNames: ['engine', 'finished_reason', 'model_name'],
      registers,
    });
    this.#prompt = new Counter({
      name: 'vllm:prompt_tokens_total',
      help: 'Number of prefill tokens processed.',
      labelNames,
      registers,
    });
    this.#generated = new Counter({
      name: 'vllm:generation_tokens_total',
      help: 'Number of generation tokens processed.',
      labelNames,
      registers,
    });
    for (const rank of ranks) {
      const labels = this.#labels(rank);
      for (const metric of [this.#running, this.#waiting]) metric.set(labels, 0);
      for (const reason of ['capacity', 'deferred']) this.#byReason.set({ ...labels, reason }, 0);
      for (const reason of vllm.finishReasons) this.#success.inc(this.#outcome(rank, reason), 0);
      for (const metric of [this.#prompt, this.#generated]) metric.inc(labels, 0);
    }
  }

  finished(reason: string, promptTokens: number, tokens: number): void {
    this.#success.inc(this.#outcome(this.#rank, reason), 1);
    this.#prompt.inc(this.#labels(this.#rank), promptTokens);
    this.#generated.inc(this.#labels(this.#rank), tokens);
  }

  async page(count: Count, mode: GaugeMode): Promise<string> {
    const real = (n: number) => (mode === 'zero' ? 0 : n);
    const labels = this.#labels(this.#rank);
    const [slot, deferred] = [count('slot'), count('deferred')];
    this.#running.set(labels, real(count('running')));
    this.#waiting.set(labels, real(slot + deferred));
    this.#byReason.set({ ...labels, reason: 'capacity' }, real(slot));
    this.#byReason.set({ ...labels, reason: 'deferred' }, real(deferred));
    return spoil(await this.#registry.metrics(), vllm.gauges, mode);
  }

  // vLLM's label order is kept by the order of the keys here.
  #labels(rank: number) {
    return { engine: String(rank), model_name: this.#model };
  }

  #outcome(rank: number, reason: string) {
    return { engine: String(rank), finished_reason: reason, model_name: this.#model };
  }
}
