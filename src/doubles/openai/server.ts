import type { Program } from '../program.ts';
import { Api, type Routes } from './api.ts';
import { startDecoy } from './decoy.ts';
import type { Dialect } from './dialect.ts';
import type { Engine } from './engine.ts';
import { Listener } from './listener.ts';
import type { Log } from './log.ts';
import type { ServerOptions } from './options.ts';

interface Parts {
  program: Program;
  options: ServerOptions;
  engine: Engine;
  dialect: Dialect;
  log: Log;
  routes: Routes;
}

/** Opens the listener of an engine's server, and the decoy where one is asked for. */
export async function startServer(parts: Parts): Promise<Listener> {
  const { program, options, dialect } = parts;
  const api = new Api(parts);
  const host = program.bind(options.host);
  const listener = await Listener.open({ host, port: options.port, tls: options.tls, handler: api.handle });
  api.control.door = listener;
  await startDecoy(host, options, () => dialect.metrics.page(() => 0, 'true'));
  return listener;
}
