import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { vllmRouter } from '../../routers/vllm-router.ts';
import { startProgram } from '../program.ts';
import { RouterMetrics } from './metrics.ts';
import { readOptions } from './options.ts';
import { Proxy } from './proxy.ts';
import { Workers } from './workers.ts';

/** Stands for `vllm-router` as GPUStack's image has it: discovery by Pods, one worker a request, no retry. */
const program = startProgram();
const options = readOptions(process.argv.slice(2));
const metrics = new RouterMetrics();
const workers = new Workers(program, options, (count) => metrics.active(count));
const proxy = new Proxy(program, options, workers, metrics);

const pods = options.namespace ? `/api/v1/namespaces/${options.namespace}/pods` : '/api/v1/pods';
new Watch(new KubeClient(connectionFromEnvironment()), pods, workers);

let stopping = false;

function serve(request: IncomingMessage, response: ServerResponse): void {
  // Once the listener is closed no connection outlives its answer.
  if (stopping) response.shouldKeepAlive = false;
  response.once('close', () => stopping && server.closeIdleConnections());
  const own = request.method === 'GET' ? ownRoutes[(request.url ?? '').split('?')[0] ?? ''] : undefined;
  if (!own) return void proxy.pass(request, response);
  const { status, body } = own();
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

const urls = () => workers.all.map(({ url }) => url);
const ownRoutes: Record<string, () => { status: number; body: unknown }> = {
  '/liveness': () => ({ status: 200, body: 'OK' }),
  '/health': () =>
    urls().length > 0 ? { status: 200, body: 'All servers healthy' } : { status: 503, body: 'No servers available' },
  '/readiness': () => {
    const total = urls().length;
    if (total === 0) return { status: 503, body: { status: 'not ready', reason: 'insufficient healthy workers' } };
    return { status: 200, body: { status: 'ready', healthy_workers: total, total_workers: total } };
  },
  '/list_workers': () => ({ status: 200, body: { urls: urls() } }),
  '/workers': () => ({
    status: 200,
    body: {
      workers: workers.all.map(({ url, running }) => ({
        url,
        worker_type: 'Regular',
        is_healthy: true,
        load: running,
      })),
      total: urls().length,
    },
  }),
};

const server = http.createServer(serve);
const exporter = http.createServer((request, response) => {
  request.resume();
  void metrics.page().then((page) => {
    const found = request.url === '/metrics';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' }).end(found ? page : '');
  });
});

async function listen(one: Server, port: number, host: string): Promise<void> {
  one.keepAliveTimeout = 65_000;
  one.requestTimeout = 0;
  one.headersTimeout = 0;
  one.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    one.once('error', reject);
    one.listen(port, host, 511, resolve);
  });
}

// The listener closes at once and open requests finish, however long they take; a second signal does nothing.
const stop = () => {
  if (stopping) return;
  stopping = true;
  program.log(`INFO ${vllmRouter.signalledMark}`);
  server.close(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

await Promise.all([
  listen(server, options.port, program.bind(options.host)),
  listen(exporter, options.prometheusPort, program.bind(options.prometheusHost)),
]);
program.log(`INFO Starting router on ${options.host ?? '127.0.0.1'}:${options.port} | policy: ${options.policy}`);
