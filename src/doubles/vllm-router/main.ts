import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { observer } from '../../routers/observer.ts';
import { vllmRouter } from '../../routers/vllm-router.ts';
import { startProgram } from '../program.ts';
import { answer, drainingServer, exporter, listen } from '../router/listen.ts';
import { answerObserver } from '../router/observer.ts';
import { Membership } from '../router/membership.ts';
import { readOptions } from '../router/options.ts';
import { isReady, podsOf, selecting } from '../router/pods.ts';
import { Proxy } from '../router/proxy.ts';
import { RegistryView } from '../router/registry-view.ts';
import { Workers } from '../router/workers.ts';
import { vllmManners } from './manners.ts';
import { RouterMetrics } from './metrics.ts';

/** Stands for `vllm-router` as GPUStack's image has it: discovery by Pods, one worker a request, no retry. */
const program = startProgram();
// The document says that it never retries; the program measured does, unless --disable-retries is given.
const attempts = program.faults.has('router-retries-before-start') ? vllmRouter.measuredAttempts : 1;
const options = readOptions(process.argv.slice(2), { ...vllmRouter, attempts });
const metrics = new RouterMetrics();
const workers = new Workers(program, options, (count) => metrics.active(count));
const proxy = new Proxy(program, options, workers, vllmManners(metrics));
const view = new RegistryView();

const membership = new Membership(program, selecting(options.selector), isReady, workers);
new Watch(new KubeClient(connectionFromEnvironment()), podsOf(options.namespace), membership);

const ownRoutes: Record<string, () => { status: number; body: unknown }> = {
  '/liveness': () => ({ status: 200, body: 'OK' }),
  // Says so whatever the state of the workers is (measured).
  '/health': () => ({ status: 200, body: 'All servers healthy' }),
  '/readiness': () => {
    const [total, healthy] = [workers.all.length, workers.all.filter((worker) => worker.healthy).length];
    if (healthy > 0) return { status: 200, body: { status: 'ready', healthy_workers: healthy, total_workers: total } };
    const body = { status: 'not_ready', reason: 'no healthy workers available', total_workers: total };
    return { status: 503, body };
  },
  '/list_workers': () => ({ status: 200, body: { urls: workers.all.map(({ url }) => url) } }),
  '/workers': () => {
    const rows = workers.all.map(({ url, healthy, running: load }) => ({
      ...{ url, model_id: 'unknown', worker_type: 'regular', is_healthy: healthy, load },
      ...{ connection_mode: 'Http', priority: 50, cost: 1 },
    }));
    const stats = { prefill_count: 0, decode_count: 0, regular_count: rows.length };
    return { status: 200, body: { workers: rows, total: rows.length, stats } };
  },
};

const drain = { mark: vllmRouter.signalledMark, grace: undefined };
const server = drainingServer(program, drain, (request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method === 'GET' && path === observer.path) {
    return answerObserver(program, response, () => view.of(workers.listed));
  }
  const own = request.method === 'GET' ? ownRoutes[path] : undefined;
  if (!own) return void proxy.pass(request, response);
  const { status, body } = own();
  answer(response, status, body);
});

await Promise.all([
  listen(server, options.port, program.bind(options.host)),
  listen(exporter(metrics.registry), options.prometheusPort, program.bind(options.prometheusHost)),
]);
program.log(`INFO Starting router on ${options.host}:${options.port} | policy: ${options.policy}`);
