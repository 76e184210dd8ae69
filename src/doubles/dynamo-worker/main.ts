import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { flag, numberFlag } from '../../engines/argv.ts';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import { journalOf } from '../dynamo/journal.ts';
import { Registration } from '../dynamo/record.ts';
import { graceOf, wholeSeconds } from '../dynamo/seconds.ts';
import { startProgram } from '../program.ts';
import { listen } from '../router/listen.ts';
import { Endpoint } from './endpoint.ts';
import { shutDown } from './shutdown.ts';
import { systemServer } from './system.ts';

/** Stands for `python3 -m dynamo.vllm`: a backend worker whose engine needs no accelerator. */
const program = startProgram();
const { env } = process;
const { variables, ports } = dynamoFacts;
const tell = journalOf(program, 'dynamo.vllm');
const model = flag(process.argv.slice(2), '--model');

let ready = false;
const endpoint = new Endpoint(tell);
const system = systemServer({ ready: () => ready, inflight: () => endpoint.inflight });
await listen(system, numberFlag(['--port', env['DYN_SYSTEM_PORT'] ?? ''], '--port', ports.system), program.bind());
const address = await endpoint.open(program.bind(), numberFlag(['--port', env['DYN_TCP_RPC_PORT'] ?? ''], '--port', 0));
const client = new KubeClient(connectionFromEnvironment());
const registration = new Registration(client, env, typeof model === 'string' ? model : 'model', address);

let leaving = false;
const leave = () => {
  if (leaving) return;
  leaving = true;
  void shutDown({
    program,
    tell,
    endpoint,
    registration,
    grace: graceOf(variables.grace, env[variables.grace], dynamo.gracePeriod, tell),
    timeout: wholeSeconds(env[variables.runtimeTimeout], dynamo.runtimeTimeout),
    withdraw: () => (ready = false),
  });
};
process.on('SIGTERM', leave);
process.on('SIGINT', program.faults.has('dynamo-dies-of-sigint') ? () => process.exit(130) : leave);
tell('INFO', 'Signal handlers set up for graceful shutdown (discovery unregister + grace period)');
await registration.register();
ready = true;
