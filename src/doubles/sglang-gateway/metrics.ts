import { Counter, Gauge, Registry } from 'prom-client';
import { sglangGateway } from '../../routers/sglang-gateway.ts';
import type { RouterPolicy } from '../../routers/vllm-router.ts';
import type { Counters } from '../router/manners.ts';
import type { Passage } from '../router/passage.ts';
import type { Worker } from '../router/worker.ts';

const { metrics: names } = sglangGateway;
const endpoints: Record<string, string> = { '/v1/completions': 'completions', '/v1/chat/completions': 'chat' };
const endpointOf = ({ route }: Passage) => endpoints[route] ?? 'generate';
const REGULAR = { worker_type: 'regular', connection_mode: 'http' } as const;

/** The gateway's own metrics; a labelled series appears with its first count, as the real exporter has it. */
export class GatewayMetrics implements Counters {
  readonly registry = new Registry();
  readonly #httpRequests = this.#counter(names.httpRequests, ['method', 'path']);
  readonly #httpResponses = this.#counter(names.httpResponses, ['status_code', 'error_code']);
  readonly #requests = this.#counter(names.requests, [
    ...['router_type', 'backend_type', 'connection_mode', 'model', 'endpoint', 'streaming'],
  ]);
  readonly #errors = this.#counter(names.requestErrors, [
    ...['router_type', 'backend_type', 'connection_mode', 'model', 'endpoint', 'error_type'],
  ]);
  readonly #upstream = this.#counter(names.upstreamResponses, ['router_type', 'status_code', 'error_code']);
  readonly #retries = this.#counter(names.retries, ['worker_type', 'endpoint']);
  readonly #exhausted = this.#counter(names.retriesExhausted, ['worker_type', 'endpoint']);
  readonly #selections = this.#counter(names.selections, ['worker_type', 'connection_mode', 'model', 'policy']);
  readonly #active = this.#gauge(names.active, ['worker']);
  readonly #pool = this.#gauge(names.poolSize, ['worker_type', 'connection_mode', 'model']);
  readonly #discovered = this.#gauge(names.discovered, ['source']);

  received(passage: Passage): void {
    const { model, streams, route, request } = passage;
    this.#httpRequests.inc({ method: request.method ?? 'GET', path: route });
    this.#requests.inc({ ...this.#kind(passage), model, streaming: String(streams) });
  }

  chose(policy: RouterPolicy, _worker: Worker, { model }: Passage): void {
    this.#selections.inc({ ...REGULAR, model, policy });
  }

  running({ url: worker, running }: Worker): void {
    this.#active.set({ worker }, running);
  }

  attempted(_passage: Passage, status: number, code: string): void {
    this.#upstream.inc({ router_type: 'http', status_code: String(status), error_code: code });
  }

  retried(passage: Passage, exhausted: boolean): void {
    const labels = { worker_type: 'regular', endpoint: endpointOf(passage) };
    (exhausted ? this.#exhausted : this.#retries).inc(labels);
  }

  responded(passage: Passage, status: number, code: string): void {
    this.#httpResponses.inc({ status_code: String(status), error_code: code });
    if (status < 400) return;
    const error = { no_available_workers: 'no_workers' }[code] ?? (code ? 'backend_error' : 'validation_error');
    this.#errors.inc({ ...this.#kind(passage), model: passage.model, error_type: error });
  }

  workers(count: number): void {
    this.#pool.set({ ...REGULAR, model: 'unknown' }, count);
    this.#discovered.set({ source: 'kubernetes' }, count);
  }

  #kind(passage: Passage) {
    const endpoint = endpointOf(passage);
    return { router_type: 'http', backend_type: 'regular', connection_mode: 'http', endpoint };
  }

  #counter(name: string, labelNames: string[]): Counter {
    return new Counter({ name, help: name, labelNames, registers: [this.registry] });
  }

  #gauge(name: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help: name, labelNames, registers: [this.registry] });
  }
}
