import { flag } from './argv.ts';
import { engineOf, sglangMode } from './command.ts';

/** How an engine's own command line says that it is a part of something larger. */
export type Disaggregation =
  | { engine: 'vLLM'; shape: 'External' | 'Hybrid' | 'MultiPort' }
  /** A vLLM that hands KV on or takes it: said by its KV transfer alone. */
  | { engine: 'vLLM'; shape: 'Transfer'; mode: 'prefill' | 'decode' }
  | { engine: 'SGLang'; mode: 'prefill' | 'decode' };

/** Flags by which vLLM's data parallelism is balanced from outside, and the shape that each makes. */
const balanceFlags = {
  '--data-parallel-external-lb': 'External',
  '--data-parallel-rank': 'External',
  '--data-parallel-hybrid-lb': 'Hybrid',
  '--data-parallel-multi-port-external-lb': 'MultiPort',
} as const;

const roles: Record<string, 'prefill' | 'decode'> = { kv_producer: 'prefill', kv_consumer: 'decode' };

/** What a command line says of disaggregation: nothing for an engine that serves whole requests by itself. */
export function disaggregationOf(command: readonly string[]): Disaggregation | undefined {
  const engine = engineOf(command);
  if (engine === 'SGLang') {
    const mode = sglangMode(command);
    return mode === 'unified' ? undefined : { engine, mode };
  }
  if (engine !== 'vLLM') return undefined;
  for (const [name, shape] of Object.entries(balanceFlags)) {
    if (flag(command, name) !== undefined) return { engine, shape };
  }
  const mode = transferMode(flag(command, '--kv-transfer-config'));
  return mode && { engine, shape: 'Transfer', mode };
}

/** `kv_role` of vLLM's KV transfer, wherever a connector that wraps others has it. */
function transferMode(config: string | true | undefined): 'prefill' | 'decode' | undefined {
  const role = typeof config === 'string' ? /"kv_role"\s*:\s*"(kv_producer|kv_consumer)"/.exec(config)?.[1] : undefined;
  return role === undefined ? undefined : roles[role];
}
