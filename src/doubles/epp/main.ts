import http from 'node:http';
import { join } from 'node:path';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { environment } from '../../embedded/environment.ts';
import { flag, numberFlag } from '../../engines/argv.ts';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import { observer } from '../../routers/observer.ts';
import { startProgram } from '../program.ts';
import { exporter, listen } from '../router/listen.ts';
import { Membership } from '../router/membership.ts';
import { answerObserver } from '../router/observer.ts';
import { isReady, podsOf } from '../router/pods.ts';
import { Endpoints } from './endpoints.ts';
import { healthServer } from './health.ts';
import { Journal } from './journal.ts';
import { link } from './link.ts';
import { PickerMetrics } from './metrics.ts';
import { Picker } from './picker.ts';
import { Processor } from './process.ts';
import { readProfile } from './profile.ts';
import { selectorOf } from './selector.ts';

/** Stands for the endpoint picker of llm-d-router: knows the endpoints, chooses one a request, remembers what it sent. */
const program = startProgram();
const argv = process.argv.slice(2);
const text = (name: string) => {
  const value = flag(argv, name);
  return typeof value === 'string' ? value : undefined;
};
const { ports } = llmdRouter;
const configured = text('--config-file');
const profile = readProfile(configured && join(process.env[environment.root] ?? '/', configured));
const targets = (text('--endpoint-target-ports') ?? '').split(',').filter(Boolean).map(Number);

const metrics = new PickerMetrics(process.env['POD_NAME']?.replace(/-[a-z0-9]+-[a-z0-9]+$/, '') ?? 'pool');
const endpoints = new Endpoints(program, targets, () => metrics.endpoints(endpoints.all));
const journal = new Journal(program, endpoints);
const processor = new Processor(endpoints, new Picker(profile), journal, metrics, profile.split);

let serving = false;
const watched = new Membership(program, selectorOf(text('--endpoint-selector') ?? ''), isReady, endpoints, () => {
  serving = !stopping;
  journal.refusal = profile.observable ? undefined : 'native routing profile is not covered';
  metrics.endpoints(endpoints.all);
  program.log('INFO endpoint pool is synchronized');
});
new Watch(new KubeClient(connectionFromEnvironment()), podsOf(process.env['NAMESPACE']), watched);

const extProc = http.createServer((request, response) => {
  if (request.url === link.path) void processor.process(request, response);
  else response.writeHead(404).end();
});
const health = healthServer(() => serving);
const admin = exporter(metrics.registry, {
  [observer.path]: (request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end('method not allowed\n');
    answerObserver(program, response, () => journal.view());
  },
});

let stopping = false;
// It says at once that it does not serve, chooses among frozen endpoints for its drain time, then waits for what is open.
const stop = () => {
  if (stopping) return;
  stopping = true;
  serving = false;
  endpoints.frozen = true;
  program.log(`INFO ${llmdRouter.signalledMark}`);
  admin.close();
  admin.closeAllConnections();
  const seconds = Number(/^(\d+)s$/.exec(text('--drain-timeout') ?? '')?.[1] ?? llmdRouter.drainTimeoutSeconds);
  setTimeout(() => {
    program.log(`INFO ${llmdRouter.drainedMark}`);
    extProc.close(() => process.exit(0));
    extProc.closeIdleConnections();
  }, program.scale.toMs(seconds));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

await Promise.all([
  listen(extProc, numberFlag(argv, '--grpc-port', ports.extProc), program.bind()),
  listen(admin, numberFlag(argv, '--metrics-port', ports.metrics), program.bind()),
  new Promise<void>((resolve, reject) => {
    health.once('error', reject);
    health.listen(numberFlag(argv, '--grpc-health-port', ports.health), program.bind(), resolve);
  }),
]);
program.log('INFO EPP is listening');
