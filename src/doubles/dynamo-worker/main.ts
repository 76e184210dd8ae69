import { EventEmitter, once } from 'node:events';
import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { flag, numberFlag } from '../../engines/argv.ts';
import { backendOf } from '../../engines/dynamo/backends.ts';
import { dynamoFacts, workerVariables as own } from '../../engines/dynamo/facts.ts';
import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import { Fleet } from '../dynamo/fleet.ts';
import { journalOf } from '../dynamo/journal.ts';
import { Registration } from '../dynamo/record.ts';
import { graceOf, wholeSeconds } from '../dynamo/seconds.ts';
import { startProgram } from '../program.ts';
import { listen } from '../router/listen.ts';
import { cleanups } from './cleanup.ts';
import { Endpoint } from './endpoint.ts';
import { Engine, type Trouble } from './engine.ts';
import { endByFatalError, monitorEngine } from './fatal.ts';
import { ConsumeTasks, generating } from './generate.ts';
import type { Parts } from './parts.ts';
import { openPlane } from './request-plane.ts';
import { routing } from './routing.ts';
import { shutDown } from './shutdown.ts';
import { systemServer } from './system.ts';

/** Stands for `python3 -m dynamo.vllm`, `.sglang`, `.trtllm` or `.router`: a worker whose engine needs no accelerator. */
const program = startProgram();
const { env, argv } = process;
const { variables, ports } = dynamoFacts;
const { faults } = program;
const backend = backendOf(argv);
const tell = journalOf(program, backend ? 'log' : 'dynamo.router');
const client = new KubeClient(connectionFromEnvironment());
const prefill = backend !== undefined && flag(argv, '--disaggregation-mode') === 'prefill';
const tasks = new ConsumeTasks();
const { POD_NAMESPACE: namespace = 'default', DYN_NAMESPACE: graph = 'dynamo' } = env;
const work =
  backend === undefined
    ? routing(new Fleet(client, namespace, graph, undefined), program.podIP)
    : backend === 'SGLang' && prefill
      ? tasks.prefilling
      : generating();
const graceful = env[own.graceful] !== 'False';
const endpoints = (env[own.endpoints] ?? 'generate').split(',').map((name) => new Endpoint(name, graceful, work));
const engine = backend && new Engine(backend, env[own.engine] as Trouble, env);

let ready = false;
const inflight = () => endpoints.reduce((sum, endpoint) => sum + endpoint.inflight, 0);
const system = systemServer({ ready: () => ready, inflight });
await listen(system, numberFlag(['--port', env['DYN_SYSTEM_PORT'] ?? ''], '--port', ports.system), program.bind());
const planePort = numberFlag(['--port', env['DYN_TCP_RPC_PORT'] ?? ''], '--port', 0);
const model = flag(argv, '--model');
const registration = new Registration(client, env, {
  component: backend === undefined ? 'router' : prefill ? 'prefill' : 'backend',
  endpoints: endpoints.map(({ name }) => name),
  address: await openPlane(endpoints, program.bind(), planePort, tell),
  model: backend && (typeof model === 'string' ? model : 'model'),
});

const further = new EventEmitter();
const parts: Parts = {
  program,
  tell,
  endpoints,
  registration,
  grace: graceOf(variables.grace, env[variables.grace], dynamo.gracePeriod, tell),
  timeout: wholeSeconds(env[variables.runtimeTimeout], dynamo.runtimeTimeout),
  signalLine: backend === 'SGLang' ? lines.signalReceived : () => lines.signal,
  hurried: async () => {
    await once(further, faults.has('worker-hurries-at-second-signal') ? 'signal' : 'never');
  },
  withdraw: () => (ready = false),
  cleanUp: async () => {
    if (backend && engine) await cleanups[backend]({ program, tell, engine, tasks, prefill });
  },
};
let leaving = false;
const leave = (signal: NodeJS.Signals) => {
  if (leaving && faults.has('dynamo-dies-of-second-signal')) process.exit(70);
  if (leaving) return void further.emit('signal');
  leaving = true;
  void shutDown(signal, parts);
};
process.on('SIGTERM', leave);
process.on('SIGINT', faults.has('dynamo-dies-of-sigint') ? () => process.exit(130) : leave);
tell('INFO', 'Signal handlers set up for graceful shutdown (discovery unregister + grace period)');
await registration.register();
ready = true;
if (engine && backend === 'vLLM') void monitorEngine(parts, engine);
if (engine && backend === 'TensorRT-LLM') engine.onDeath(() => void endByFatalError(parts, engine));
