import { ENGINE_BEHAVIOUR_VARIABLE, type EngineBehaviour } from '../../engines/behaviour.ts';
import { flag, numberFlag } from '../../engines/argv.ts';
import { servesTls, vllm } from '../../engines/vllm.ts';
import type { Seconds } from '../../time/scale.ts';

export interface VllmOptions {
  /** Name under which the model is asked for. */
  model: string;
  host: string | undefined;
  port: number;
  maxNumSeqs: number;
  logRequests: boolean;
  tls: boolean;
  /** Documented seconds that SIGTERM waits for open requests; 0: they are aborted. */
  shutdownTimeout: Seconds;
  behaviour: EngineBehaviour & { abort: NonNullable<EngineBehaviour['abort']>; ranks: number };
}

/** Reads `serve MODEL [flags]`; flags that it does not know are accepted, as an engine's many are. */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): VllmOptions {
  const words = argv[0] === 'serve' ? argv.slice(1) : argv;
  const positional = words[0]?.startsWith('-') ? undefined : words[0];
  const named = flag(words, '--model');
  const served = flag(words, '--served-model-name');
  const host = flag(words, '--host');
  const told = JSON.parse(env[ENGINE_BEHAVIOUR_VARIABLE] || '{}') as EngineBehaviour;
  const ranks = told.ranks ?? numberFlag(words, '--data-parallel-size', 1);
  return {
    model: asText(served) ?? positional ?? asText(named) ?? 'model',
    host: asText(host),
    port: numberFlag(words, '--port', vllm.defaultPort),
    maxNumSeqs: numberFlag(words, '--max-num-seqs', vllm.defaultMaxNumSeqs),
    logRequests: flag(words, '--enable-log-requests') !== undefined,
    tls: servesTls(words),
    shutdownTimeout: numberFlag(words, '--shutdown-timeout', 0),
    behaviour: { ...told, abort: told.abort ?? 'flush', ranks: Math.max(1, ranks) },
  };
}

const asText = (value: string | true | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
