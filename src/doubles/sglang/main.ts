import { sglang } from '../../engines/sglang.ts';
import type { Send } from '../openai/api.ts';
import { Engine } from '../openai/engine.ts';
import { startServer } from '../openai/server.ts';
import { startProgram } from '../program.ts';
import { sglangDialect } from './dialect.ts';
import { SglangLog } from './log.ts';
import { readOptions } from './options.ts';
import { handleSigterm } from './shutdown.ts';

const VERSION = '0.5.18';

/** Stands for `python3 -m sglang.launch_server`: an SGLang server, or one half of a split pair. */
const program = startProgram();
const log = new SglangLog(program.log);
if (!process.argv.includes(sglang.module)) {
  program.log(`python3 stands for "python3 -m ${sglang.module}" alone, not for: ${process.argv.slice(2).join(' ')}`);
  process.exit(2);
}
const options = readOptions(process.argv.slice(2), process.env);
if (options.follows) {
  log.say('Follower of a replica of several Pods: rank 0 serves.');
  setInterval(() => undefined, 2 ** 30); // ends by SIGTERM's default action
} else {
  const dialect = sglangDialect(options, log, program.faults);
  const engine = new Engine(program, options, dialect);
  const shutdown = handleSigterm({ program, options, engine, log });
  const health = (send: Send) => {
    if (shutdown.draining) log.say('Health check request received during shutdown. Returning 503.');
    send(shutdown.draining ? 503 : 200, 'text/plain', '');
  };
  const routes = {
    'GET /health': health,
    'GET /health_generate': health,
    'GET /get_server_info': (send: Send) =>
      send(200, 'application/json', JSON.stringify({ version: VERSION, disaggregation_mode: options.mode })),
    ...(options.metrics
      ? {}
      : { 'GET /metrics': (send: Send) => send(404, 'application/json', '{"detail":"Not Found"}') }),
  };
  await startServer({ program, options, engine, dialect, log, routes });
  log.started();
  log.say('The server is fired up and ready to roll!');
}
