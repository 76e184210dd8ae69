import { flag, numberFlag } from '../../engines/argv.ts';
import { nodeRank, servesTls, sglangMode } from '../../engines/command.ts';
import { sglang, type SglangMode } from '../../engines/sglang.ts';
import { asText, behaviourOf, type ServerOptions } from '../openai/options.ts';

export interface SglangOptions extends ServerOptions {
  mode: SglangMode;
  /** `/metrics` is there at all. */
  metrics: boolean;
  logRequests: boolean;
  /** Data-parallel ranks behind the one port, one series of each gauge a rank. */
  ranks: number;
  /** SIGTERM waits for no request. */
  forceShutdown: boolean;
  /** A member of a replica that another Pod's rank 0 answers for. */
  follows: boolean;
}

/** Reads `-m sglang.launch_server [flags]`; flags that it does not know are accepted, as an engine's many are. */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): SglangOptions {
  const words = argv.slice(argv.indexOf(sglang.module) + 1);
  const behaviour = behaviourOf(env);
  const force = (env[sglang.forceVariable] ?? '').toLowerCase();
  return {
    model: asText(flag(words, '--served-model-name')) ?? asText(flag(words, '--model-path')) ?? 'model',
    host: asText(flag(words, '--host')),
    port: numberFlag(words, '--port', sglang.defaultPort),
    maxRunning: numberFlag(words, '--max-running-requests', sglang.defaultMaxRunning),
    tls: servesTls(words),
    mode: sglangMode(words),
    metrics: flag(words, '--enable-metrics') !== undefined,
    logRequests: flag(words, sglang.logRequests[0]) !== undefined,
    ranks: Math.max(1, behaviour.ranks ?? numberFlag(words, '--dp-size', 1)),
    forceShutdown: force === '1' || force === 'true',
    follows: nodeRank(words) > 0,
    behaviour,
  };
}
