import { connectionFromEnvironment } from '../../cluster/kubeconfig.ts';
import { KubeClient } from '../../cluster/rest.ts';
import { numberFlag } from '../../engines/argv.ts';
import { dynamoFacts, FROZEN_VARIABLE } from '../../engines/dynamo/facts.ts';
import { dynamo } from '../../requirements/dynamo.ts';
import { journalOf } from '../dynamo/journal.ts';
import { wholeSeconds } from '../dynamo/seconds.ts';
import { startProgram } from '../program.ts';
import { listen } from '../router/listen.ts';
import { drain } from './drain.ts';
import { Fleet } from '../dynamo/fleet.ts';
import { realtime } from './realtime.ts';
import { Relay } from './relay.ts';
import { service, type Doorway } from './service.ts';

/** Stands for `python3 -m dynamo.frontend`. */
const program = startProgram();
const { env } = process;
const tell = journalOf(program, 'dynamo_llm::http::service');
const frozenAt = env[FROZEN_VARIABLE];
const client = new KubeClient(connectionFromEnvironment());
const { POD_NAMESPACE: namespace = 'default', DYN_NAMESPACE: graph = 'dynamo' } = env;
const fleet = new Fleet(client, namespace, graph, frozenAt ? Number(frozenAt) : undefined);
const migrationLimit = numberFlag(process.argv.slice(2), '--migration-limit', 0);
const relay = new Relay({ program, tell, fleet, migrationLimit });
if (program.faults.has('frontend-forgets-other-models')) fleet.onModelGone = (model) => relay.cancelAll(model);
const door: Doorway = { stage: 'ready', inflight: 0, onIdle: undefined };
const server = service(program, fleet, relay, door);
const hangUp = realtime(server, program, relay, door);
const timeout = wholeSeconds(env[dynamoFacts.variables.httpTimeout], dynamo.httpTimeout);

let leaving = false;
const leave = () => {
  const { faults } = program;
  if (leaving && faults.has('dynamo-dies-of-second-signal')) process.exit(70);
  if (leaving && faults.has('frontend-stops-at-second-signal')) door.onIdle?.();
  if (leaving) return;
  leaving = true;
  void drain({ program, tell, fleet, relay, server, door, hangUp, timeout });
};
process.on('SIGTERM', leave);
process.on('SIGINT', program.faults.has('dynamo-dies-of-sigint') ? () => process.exit(130) : leave);
const port = numberFlag(['--port', env['DYN_HTTP_PORT'] ?? ''], '--port', dynamoFacts.ports.http);
await listen(server, port, program.bind(env['DYN_HTTP_HOST']));
