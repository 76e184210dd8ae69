import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../embedded/environment.ts';
import { vllm } from '../../engines/vllm.ts';
import { observer, parseObserverView } from '../../routers/observer.ts';
import { llmdConfiguration } from '../../routers/llm-d-configuration.ts';
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
  'llm-d-router': (programs, { host, api, faults = [], args = [] }) => {
    const root = mkdtempSync(join(tmpdir(), 'quiesce-llm-d-'));
    mkdirSync(join(root, 'config'));
    const [running, queued] = vllm.gauges;
    const files = llmdConfiguration({
      ...{ kinds: ['server'], roleKindLabel: 'kind' },
      engine: { name: 'vllm', running, queued },
    });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'config', name), text);
    const env = { [environment.root]: root };
    const router = start(programs['envoy']!, ['-c', '/config/envoy.yaml'], { podIP: host, faults, env });
    const argv = [
      `--endpoint-selector=${[...SELECTOR, '!modeldeployment.gpustack.ai/router'].join()}`,
      '--endpoint-target-ports=8000',
      ...['--config-file=/config/epp.yaml', '--secure-serving=false', ...args],
    ];
    const more = { KUBECONFIG: api.kubeconfig, NAMESPACE: 'ns', POD_NAME: 'md-router-abc12-xyz34' };
    const picker = start(programs['epp']!, argv, { podIP: host, faults, env: { ...env, ...more } });
    void Promise.all([router.exited, picker.exited]).then(() => rmSync(root, { recursive: true }));
    return {
      router,
      picker,
      started: () => Promise.all([router.line(/main dispatch loop/), picker.line(/is synchronized/)]),
      known: async (get) => {
        const { body } = await get(observer.path, observer.port['llm-d-router']);
        const rows = parseObserverView(body).workers;
        return rows.filter(({ selection }) => selection.in_selection).map(({ url }) => url);
      },
    };
  },
};
