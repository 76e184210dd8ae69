/** Backends of a Dynamo worker, by the Python module that its command names. */
export const backends = {
  vLLM: { module: 'dynamo.vllm', image: 'vllm-runtime', process: 'VLLM::EngineCore' },
  SGLang: { module: 'dynamo.sglang', image: 'sglang-runtime', process: 'sglang::scheduler' },
  'TensorRT-LLM': { module: 'dynamo.trtllm', image: 'tensorrtllm-runtime', process: 'trtllm::executor' },
} as const;

export type BackendName = keyof typeof backends;

/** The router that runs as a component of its own; every runtime image has it. */
export const ROUTER_MODULE = 'dynamo.router';

/** The backend whose module a command runs (`python3 -m MODULE`); undefined for anything else, the router say. */
export function backendOf(command: readonly string[]): BackendName | undefined {
  const module = command[command.indexOf('-m') + 1];
  return (Object.keys(backends) as BackendName[]).find((name) => backends[name].module === module);
}
