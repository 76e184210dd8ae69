import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { numberFlag } from '../../engines/argv.ts';
import { observer } from '../../routers/observer.ts';
import { sglangGateway } from '../../routers/sglang-gateway.ts';
import { startProgram } from '../program.ts';
import { answer, drainingServer, exporter, listen } from '../router/listen.ts';
import { Membership } from '../router/membership.ts';
import { answerObserver } from '../router/observer.ts';
import { readOptions } from '../router/options.ts';
import { isReady, podsOf, selecting } from '../router/pods.ts';
import { Proxy } from '../router/proxy.ts';
import { RegistryView } from '../router/registry-view.ts';
import { Workers } from '../router/workers.ts';
import { gatewayManners } from './manners.ts';
import { GatewayMetrics } from './metrics.ts';

/** Stands for `sgl-model-gateway` as GPUStack's image has it: retries for as long as the response has not started. */
const program = startProgram();
const argv = process.argv.slice(2);
const options = readOptions(argv, sglangGateway);
const metrics = new GatewayMetrics();
const workers = new Workers(program, options, (count) => metrics.workers(count));
const proxy = new Proxy(program, options, workers, gatewayManners(metrics));
// Its own work on a worker is over before the worker is in the registry.
const view = new RegistryView(() => ({ lane: { busy: false, waiting: 0 } }));

const membership = new Membership(program, selecting(options.selector), isReady, workers);
new Watch(new KubeClient(connectionFromEnvironment()), podsOf(options.namespace), membership);

const ownRoutes: Record<string, () => { status: number; body: unknown }> = {
  '/liveness': () => ({ status: 200, body: 'OK' }),
  '/health': () => ({ status: 200, body: 'OK' }),
  '/readiness': () => {
    const [total, healthy] = [workers.all.length, workers.all.filter((worker) => worker.healthy).length];
    if (healthy > 0) return { status: 200, body: { status: 'ready', healthy_workers: healthy, total_workers: total } };
    return { status: 503, body: { status: 'not ready', reason: 'insufficient healthy workers' } };
  },
  '/workers': () => {
    const rows = workers.all.map(({ id, url, healthy, running: load }) => ({
      ...{ id, url, model_id: 'unknown', priority: 50, cost: 1, worker_type: 'regular' },
      ...{ is_healthy: healthy, load, connection_mode: 'HTTP', metadata: {}, disable_health_check: false },
    }));
    const stats = { prefill_count: 0, decode_count: 0, regular_count: rows.length };
    return { status: 200, body: { workers: rows, total: rows.length, stats } };
  },
};
const forwarded = ['/v1/completions', '/v1/chat/completions', '/generate', '/v1/models', '/server_info', '/model_info'];

const grace = numberFlag(argv, '--shutdown-grace-period-secs', sglangGateway.shutdownGraceSeconds);
const server = drainingServer(program, { mark: sglangGateway.signalledMark, grace }, (request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method === 'GET' && path === observer.path) {
    return answerObserver(program, response, () => view.of(workers.listed));
  }
  const own = request.method === 'GET' ? ownRoutes[path] : undefined;
  if (own) {
    const { status, body } = own();
    return answer(response, status, body);
  }
  if (forwarded.includes(path)) return void proxy.pass(request, response);
  request.resume();
  response.writeHead(404).end();
});

await Promise.all([
  listen(server, options.port, program.bind(options.host)),
  listen(exporter(metrics.registry), options.prometheusPort, program.bind(options.prometheusHost)),
]);
program.log(`INFO Starting server on ${options.host}:${options.port}`);
