import { type Started, start } from '../testing/bundled.ts';
import type { PodsApi } from '../testing/pods-api.ts';
import type { Exchange } from '../testing/wire.ts';

export type RouterKind = 'vllm-router' | 'sglang-gateway' | 'llm-d-router';

interface Asked {
  host: string;
  api: PodsApi;
  faults?: string[];
  policy?: string;
  args?: string[];
}

type Get = (path: string, port?: number) => Promise<Exchange>;

interface Running {
  router: Started;
  picker?: Started;
  /** Settles once it takes requests. */
  started: () => Promise<unknown>;
  /** URLs of the workers that it says it has. */
  known: (get: Get) => Promise<string[]>;
}

const SELECTOR = ['app=md', 'kind=server'];

function argvRouter(path: string, { host, api, faults = [], policy = 'round_robin', args = [] }: Asked): Started {
  const argv = [
    ...['--host=0.0.0.0', '--port=8081', '--prometheus-host=0.0.0.0', '--prometheus-port=9090'],
    ...['--service-discovery', '--service-discovery-namespace=ns', '--service-discovery-port=8000'],
    ...['--selector', ...SELECTOR, '--policy', policy, ...args],
  ];
  return start(path, argv, { podIP: host, faults, env: { KUBECONFIG: api.kubeconfig } });
}

/** Starts each router as the operator renders it. */
export const routersUnderTest: Record<RouterKind, (programs: Record<string, string>, asked: Asked) => Running> = {
  'vllm-router': (programs, asked) => {
    const router = argvRouter(programs['vllm-router']!, asked);
    return {
      router,
      started: () => router.line(/Starting router/),
      known: async (get) => (JSON.parse((await get('/list_workers')).body) as { urls: string[] }).urls,
    };
  },
  'sglang-gateway': (programs, asked) => {
    const router = argvRouter(programs['sglang-gateway']!, asked);
    return {
      router,
      started: () => router.line(/Starting server/),
      known: async (get) =>
        (JSON.parse((await get('/workers')).body) as { workers: { url: string }[] }).workers.map(({ url }) => url),
    };
  },
  'llm-d-router': () => {
    throw new Error('not yet');
  },
};
