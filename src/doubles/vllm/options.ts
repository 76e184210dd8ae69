import { flag, numberFlag } from '../../engines/argv.ts';
import { nodeRank, servesTls } from '../../engines/command.ts';
import { vllm } from '../../engines/vllm.ts';
import { asText, behaviourOf, type ServerOptions } from '../openai/options.ts';
import type { EngineBehaviour } from '../../engines/behaviour.ts';
import type { Seconds } from '../../time/scale.ts';

export interface VllmOptions extends ServerOptions {
  logRequests: boolean;
  /** Documented seconds that SIGTERM waits for open requests; 0: they are aborted. */
  shutdownTimeout: Seconds;
  /** Numbers of the data-parallel ranks whose series this server shows; the last one does the work. */
  ranks: readonly number[];
  /** Half of a split pair, from `--kv-transfer-config`. */
  kvRole: string | undefined;
  /** No server at all: a member of a replica that another Pod's rank 0 answers for. */
  headless: boolean;
  behaviour: EngineBehaviour & { abort: NonNullable<EngineBehaviour['abort']> };
}

/** Reads `serve MODEL [flags]`; flags that it does not know are accepted, as an engine's many are. */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): VllmOptions {
  const words = argv[0] === 'serve' ? argv.slice(1) : argv;
  const positional = words[0]?.startsWith('-') ? undefined : words[0];
  const behaviour = behaviourOf(env);
  return {
    model: asText(flag(words, '--served-model-name')) ?? positional ?? asText(flag(words, '--model')) ?? 'model',
    host: asText(flag(words, '--host')),
    port: numberFlag(words, '--port', vllm.defaultPort),
    maxRunning: numberFlag(words, '--max-num-seqs', vllm.defaultMaxNumSeqs),
    logRequests: flag(words, vllm.logRequests[0]) !== undefined,
    tls: servesTls(words),
    shutdownTimeout: numberFlag(words, '--shutdown-timeout', 0),
    ranks: ranksOf(words, behaviour),
    kvRole: kvRoleOf(flag(words, vllm.kvTransferFlag)),
    headless: flag(words, '--headless') !== undefined || nodeRank(words) > 0,
    behaviour: { ...behaviour, abort: behaviour.abort ?? 'flush' },
  };
}

/**
 * Behind a balancer of its own (`--data-parallel-rank`) a server is one rank, under its own number; else it has all those
 * of its node: `--data-parallel-size-local`, from `--data-parallel-start-rank` on, or `--data-parallel-size`.
 */
function ranksOf(words: readonly string[], behaviour: EngineBehaviour): number[] {
  const own = numberFlag(words, '--data-parallel-rank', undefined);
  if (own !== undefined) return [own];
  const size = numberFlag(words, '--data-parallel-size-local', numberFlag(words, '--data-parallel-size', 1));
  const first = numberFlag(words, '--data-parallel-start-rank', 0);
  return Array.from({ length: Math.max(1, behaviour.ranks ?? size) }, (_, i) => first + i);
}

function kvRoleOf(config: string | true | undefined): string | undefined {
  if (typeof config !== 'string') return undefined;
  try {
    const { kv_role: role } = JSON.parse(config) as { kv_role?: unknown };
    return typeof role === 'string' ? role : undefined;
  } catch {
    return undefined;
  }
}
