import { Engine } from '../openai/engine.ts';
import { startServer } from '../openai/server.ts';
import { startProgram } from '../program.ts';
import { vllmDialect } from './dialect.ts';
import { follow } from './follower.ts';
import { VllmLog } from './log.ts';
import { readOptions } from './options.ts';
import { handleSignals } from './shutdown.ts';

const VERSION = '0.32.0';

/** Stands for `vllm serve MODEL`: a vLLM server that generates numbered tokens at the times that a request asks for. */
const program = startProgram();
const options = readOptions(process.argv.slice(2), process.env);
const log = new VllmLog(program.log);
if (options.headless) {
  follow(log);
} else {
  const dialect = vllmDialect(options, log);
  const engine = new Engine(program, options, dialect);
  const routes = {
    'GET /health': (send: (status: number, type: string, body: string) => void) => send(200, 'text/plain', ''),
    'GET /version': (send: (status: number, type: string, body: string) => void) =>
      send(200, 'application/json', JSON.stringify({ version: VERSION })),
  };
  const listener = await startServer({ program, options, engine, dialect, log, routes });
  handleSignals({ program, options, engine, dialect, listener, log });
  log.started();
}
