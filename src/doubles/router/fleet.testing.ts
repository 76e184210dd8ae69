import { observer, parseObserverView } from '../../routers/observer.ts';
import type { Started } from '../testing/bundled.ts';
import { type PodsApi, startPodsApi } from '../testing/pods-api.ts';
import { type Exchange, exchange, freshAddress, tokens } from '../testing/wire.ts';
import { type EngineOptions, type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';
import { type RouterKind, routersUnderTest } from './kinds.testing.ts';

export const labels = { app: 'md', kind: 'server', 'app.kubernetes.io/component': 'server' };
export const PORT = 8081;
export const METRICS_PORT = 9090;

type Name = 'a' | 'b';

/** A router, two engines, and the API that tells the one of the others. */
export interface Fleet {
  api: PodsApi;
  router: Started;
  /** The other program of a router that is two. */
  picker: Started | undefined;
  host: string;
  /** Engines by the name of their Pod: `a` and `b`. */
  engines: Record<Name, EngineUnderTest>;
  get: (path: string, port?: number) => Promise<Exchange>;
  complete: (tokens: number, id?: string, prompt?: string) => Exchange;
  post: (path: string, body: object, headers?: Record<string, string>) => Exchange;
  /** Settles once exactly these engines are known to the router, in whichever order. */
  workers: (...names: Name[]) => Promise<void>;
  /** What the router says of each engine that it lists: whether it is in selection. */
  observed: () => Promise<Partial<Record<Name, boolean>>>;
  /** Name of the engine that logged the request, once it has. */
  servedBy: (id: string) => Promise<Name>;
}

export interface FleetOptions {
  faults?: string[];
  policy?: string;
  args?: string[];
  engine?: EngineOptions;
}

/** Runs `body` with a fleet of its own, of which nothing outlives it. */
export async function withFleet(
  kind: RouterKind,
  programs: Record<string, string>,
  options: FleetOptions,
  body: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const { engine = {} } = options;
  const api = await startPodsApi();
  const host = freshAddress();
  const vllm = programs['vllm']!;
  const [a, b] = await Promise.all([startEngine(vllm, engine), startEngine(vllm, engine)]);
  const engines = { a, b };
  const { router, picker, started, known } = routersUnderTest[kind](programs, { ...options, host, api });
  const get = (path: string, port = PORT) => exchange({ host, port, path }).over;
  const names = new Map((['a', 'b'] as const).map((name) => [`http://${engines[name].host}:8000`, name]));
  const post: Fleet['post'] = (path, sent, headers = {}) =>
    exchange({ host, port: PORT, method: 'POST', path, headers, body: sent });
  const workers: Fleet['workers'] = async (...wanted) => {
    const deadline = performance.now() + 5000;
    for (;;) {
      const found = (await known(get)).map((url) => names.get(url) ?? url).sort();
      if (found.join() === [...wanted].sort().join()) return;
      if (performance.now() > deadline) throw new Error(`workers stay ${found.join()}, not ${wanted.join()}`);
    }
  };
  try {
    await started();
    api.add('a', a.host, labels);
    await workers('a');
    api.add('b', b.host, labels);
    await workers('a', 'b');
    await body({
      ...{ api, router, picker, host, engines, get, post, workers },
      complete: (count, id, prompt = 'wait') =>
        post(
          '/v1/completions',
          { model: 'tiny', prompt, stream: true, max_tokens: count, quiesce: { token_seconds: 0.25 } },
          id ? { 'x-request-id': id } : {},
        ),
      observed: async () => {
        const { body: text } = await get(observer.path, observer.port[kind]);
        const rows = parseObserverView(text).workers.map(
          ({ url, selection }) => [names.get(url), selection.in_selection] as const,
        );
        return Object.fromEntries(rows) as Partial<Record<Name, boolean>>;
      },
      servedBy: (id) => {
        const line = new RegExp(`request cmpl-${id}-0:`);
        return Promise.any((['a', 'b'] as const).map((name) => engines[name].line(line).then(() => name)));
      },
    });
  } finally {
    const all = [router, a, b, ...(picker ? [picker] : [])];
    for (const { child } of all) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await Promise.all([...all.map(({ exited }) => exited), api.stop()]);
  }
}

export const flowing = (stream: Exchange) => stream.until((e) => tokens(e.body).length > 0);
