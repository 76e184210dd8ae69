import { type Started, start } from '../testing/bundled.ts';
import { type PodsApi, startPodsApi } from '../testing/pods-api.ts';
import { type Exchange, exchange, freshAddress, tokens } from '../testing/wire.ts';
import { type EngineOptions, type EngineUnderTest, startEngine } from '../vllm/vllm.testing.ts';

export const labels = { app: 'md', kind: 'server' };
const PORT = 8081;
export const METRICS_PORT = 9090;

/** A router, two engines, and the API that tells the one of the others. */
export interface Fleet {
  api: PodsApi;
  router: Started;
  host: string;
  /** Engines by the name of their Pod: `a` and `b`. */
  engines: Record<'a' | 'b', EngineUnderTest>;
  get: (path: string, port?: number) => Promise<Exchange>;
  complete: (tokens: number, id?: string, prompt?: string) => Exchange;
  /** Settles once exactly these engines can be chosen. */
  workers: (...names: ('a' | 'b')[]) => Promise<void>;
  /** Name of the engine that logged the request, once it has. */
  servedBy: (id: string) => Promise<string>;
}

export interface FleetOptions {
  faults?: string[];
  policy?: string;
  engine?: EngineOptions;
}

/** Runs `body` with a fleet of its own, of which nothing outlives it. */
export async function withFleet(
  programs: Record<string, string>,
  options: FleetOptions,
  body: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const { faults = [], policy = 'round_robin', engine = {} } = options;
  const api = await startPodsApi();
  const host = freshAddress();
  const vllm = programs['vllm']!;
  const [a, b] = await Promise.all([startEngine(vllm, engine), startEngine(vllm, engine)]);
  const engines = { a, b };
  const argv = [
    ...['--host=0.0.0.0', `--port=${PORT}`, '--prometheus-host=0.0.0.0', `--prometheus-port=${METRICS_PORT}`],
    ...['--service-discovery', '--service-discovery-namespace=ns', '--service-discovery-port=8000'],
    ...['--selector', 'app=md', 'kind=server', '--policy', policy],
  ];
  const router = start(programs['vllm-router']!, argv, {
    podIP: host,
    faults,
    env: { KUBECONFIG: api.kubeconfig },
  });
  const get = (path: string, port = PORT) => exchange({ host, port, path }).over;
  try {
    await router.line(/Starting router/);
    api.add('a', a.host, labels);
    await router.line(new RegExp(`Added worker http://${a.host}`));
    api.add('b', b.host, labels);
    await router.line(new RegExp(`Added worker http://${b.host}`));
    await body({
      api,
      router,
      host,
      engines,
      get,
      complete: (count, id, prompt = 'wait') =>
        exchange({
          host,
          port: PORT,
          method: 'POST',
          path: '/v1/completions',
          headers: id ? { 'x-request-id': id } : {},
          body: { model: 'tiny', prompt, stream: true, max_tokens: count, quiesce: { token_seconds: 0.25 } },
        }),
      workers: async (...names) => {
        const wanted = names.map((name) => `http://${engines[name].host}:8000`).join();
        const deadline = performance.now() + 5000;
        for (;;) {
          const { urls } = JSON.parse((await get('/list_workers')).body) as { urls: string[] };
          if (urls.join() === wanted) return;
          if (performance.now() > deadline) throw new Error(`workers stay ${urls.join()}, not ${wanted}`);
        }
      },
      servedBy: (id) => {
        const line = new RegExp(`request cmpl-${id}-0:`);
        return Promise.any((['a', 'b'] as const).map((name) => engines[name].line(line).then(() => name)));
      },
    });
  } finally {
    for (const child of [router.child, a.child, b.child]) child.kill('SIGKILL');
    await Promise.all([router.exited, a.exited, b.exited, api.stop()]);
  }
}

export const flowing = (stream: Exchange) => stream.until((e) => tokens(e.body).length > 0);
