import { Counter, Gauge, Registry } from 'prom-client';
import { sglang, type SglangMode } from '../../engines/sglang.ts';
import type { Count } from '../openai/dialect.ts';
import { type GaugeMode, spoil } from '../openai/metrics.ts';

/** SGLang's metrics under their real names: all six gauges in every mode, one series a rank, from the start at 0. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #gauges = new Map<string, Gauge>();
  readonly #requests: Counter;
  readonly #generated: Counter;
  readonly #model: string;
  readonly #mode: SglangMode;
  readonly #ranks: number;
  readonly #hidesKv: boolean;

  /** `ranks` data-parallel ranks, of which the highest does the work. `hidesKv`: a fault. */
  constructor(model: string, mode: SglangMode, ranks: number, hidesKv: boolean) {
    this.#hidesKv = hidesKv;
    this.#model = model;
    this.#mode = mode;
    this.#ranks = ranks;
    const registers = [this.#registry];
    const labelNames = Object.keys(this.#labels(0));
    for (const name of sglang.gauges) {
      const help = `The number of requests counted by ${name.replace('sglang:', '')}.`;
      this.#gauges.set(name, new Gauge({ name, help, labelNames, registers }));
    }
    this.#requests = new Counter({
      name: 'sglang:num_requests_total',
      help: 'Number of requests processed.',
      labelNames: ['model_name'],
      registers,
    });
    this.#generated = new Counter({
      name: 'sglang:generation_tokens_total',
      help: 'Number of generation tokens processed.',
      labelNames: ['model_name'],
      registers,
    });
    for (let rank = 0; rank < ranks; rank += 1)
      for (const gauge of this.#gauges.values()) gauge.set(this.#labels(rank), 0);
  }

  finished(_reason: string, _promptTokens: number, tokens: number): void {
    this.#requests.inc({ model_name: this.#model }, 1);
    this.#generated.inc({ model_name: this.#model }, tokens);
  }

  async page(count: Count, mode: GaugeMode): Promise<string> {
    const labels = this.#labels(this.#ranks - 1);
    for (const [name, gauge] of this.#gauges) {
      // A request that waits for a place in the batch stands in the ordinary queue.
      const waiting = count(name) + (name === sglang.queues.unified.queue ? count('slot') : 0);
      const running = name === sglang.gauges[0] ? count('running') : 0;
      const hidden = mode === 'zero' || (this.#hidesKv && /_(prefill|decode)_/.test(name));
      gauge.set(labels, hidden ? 0 : waiting + running);
    }
    return spoil(await this.#registry.metrics(), sglang.gauges, mode);
  }

  // SGLang's label order is kept by the order of the keys here.
  #labels(rank: number): Record<string, string> {
    return {
      ...(this.#ranks > 1 ? { dp_rank: String(rank) } : {}),
      engine_type: this.#mode,
      model_name: this.#model,
      moe_ep_rank: '0',
      pp_rank: '0',
      tp_rank: '0',
    };
  }
}
