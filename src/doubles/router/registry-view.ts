import type { ObservedWorker } from '../../routers/observer.ts';
import type { View } from './observer.ts';
import { inSelection, type Worker } from './worker.ts';

/** The view that vllm-router and sglang-gateway give: one row a registered worker, by URL. */
export class RegistryView {
  // The start of the process in milliseconds: constant in a process, another after each start.
  readonly #boot = BigInt(Date.now());
  readonly #extra: (worker: Worker) => Partial<ObservedWorker>;
  #last = '';
  #revision = 1;

  constructor(extra: (worker: Worker) => Partial<ObservedWorker> = () => ({})) {
    this.#extra = extra;
  }

  of(workers: readonly Worker[]): View {
    const rows = [...workers].sort((a, b) => (a.url < b.url ? -1 : 1)).map((worker) => this.#row(worker));
    const text = JSON.stringify(rows);
    if (text !== this.#last) this.#revision += 1;
    this.#last = text;
    return { boot: this.#boot, revision: this.#revision, workers: rows };
  }

  #row(worker: Worker): ObservedWorker {
    const { url, address, port, id, healthy, breaker } = worker;
    return {
      ...{ url, port: String(port), role: 'regular', pod_hint: `${address}:${port}`, worker_id: id },
      selection: {
        registered: true,
        healthy,
        circuit_open: breaker.state === 'open',
        in_selection: inSelection(worker),
      },
      ...this.#extra(worker),
    };
  }
}
