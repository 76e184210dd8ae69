import { startProgram } from '../program.ts';
import { Api } from './api.ts';
import { startDecoy } from './decoy.ts';
import { Engine } from './engine.ts';
import { Listener } from './listener.ts';
import { Log } from './log.ts';
import { readOptions } from './options.ts';
import { handleSignals } from './shutdown.ts';

/** Stands for `vllm serve MODEL`: a vLLM server that generates numbered tokens at the times that a request asks for. */
const program = startProgram();
const options = readOptions(process.argv.slice(2), process.env);
const log = new Log(program.log);
const engine = new Engine(program, options, log);
const api = new Api(program, options, engine, log);
const host = program.bind(options.host);
const listener = await Listener.open({ host, port: options.port, tls: options.tls, handler: api.handle });
api.door = {
  open: () => listener.open(),
  close: () => listener.close(),
  breakHandshakes: (broken) => listener.breakHandshakes(broken),
};
handleSignals({ program, options, engine, listener, log });
if (options.behaviour.decoyPort !== undefined) await startDecoy(host, options);
log.uvicorn(`Started server process [${process.pid}]`);
log.uvicorn('Waiting for application startup.');
log.uvicorn('Application startup complete.');
