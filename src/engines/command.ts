import { flag, numberFlag } from './argv.ts';
import { sglang, type SglangMode } from './sglang.ts';
import { vllm } from './vllm.ts';

/** The engines whose facts stand here, by the name that a ModelDeployment gives them. */
export const engines = { vLLM: vllm, SGLang: sglang } as const;
export type EngineName = keyof typeof engines;

export const isEngineName = (name: string): name is EngineName => Object.hasOwn(engines, name);

/** Either one makes a listener of uvicorn, and so of both engines, HTTPS. */
const tlsFlags = ['--ssl-keyfile', '--ssl-certfile'];

/** Whether a command line makes the engine listen with TLS. */
export const servesTls = (argv: readonly string[]): boolean =>
  tlsFlags.some((name) => argv.some((word) => word === name || word.startsWith(`${name}=`)));

/** The engine that a container's command starts; undefined where it is neither. */
export function engineOf(command: readonly string[]): EngineName | undefined {
  if (command.includes(sglang.module)) return 'SGLang';
  return command.slice(0, 3).some((word) => /(^|\/)vllm$/.test(word) || word.startsWith('vllm.')) ? 'vLLM' : undefined;
}

/** Which half of a split pair an SGLang command starts. */
export function sglangMode(argv: readonly string[]): SglangMode {
  const mode = flag(argv, sglang.modeFlag);
  return mode === 'prefill' || mode === 'decode' ? mode : 'unified';
}

/** Rank of a member in a replica of several Pods: only rank 0 listens. */
export const nodeRank = (argv: readonly string[]): number => numberFlag(argv, '--node-rank', 0);
