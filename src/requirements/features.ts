/** What a requirement can need of the system under test; a target that lacks one of them reports it as unsupported. */
export const features = {
  'engine:vllm': 'replicas that run vLLM',
  'engine:sglang': 'replicas that run SGLang',
  'engine:sglang>=0.5.14': 'SGLang 0.5.14 or newer',
  'engine:unlisted': 'an engine for which the operator has no gauge list',
  'router:any': 'a router that the operator supports',
  'router:llm-d-router': 'llm-d-router',
  'router:sglang-gateway': 'the SGLang gateway',
  'topology:split': 'prefill and decode roles',
  'topology:several-pods': 'replicas of several Pods with a leader',
  'topology:direct-decoder': 'a decoder behind a routing proxy in its own Pod',
  'role:take-over': 'a role that sets `command`',
  'role:own-port': 'a role that moves the engine with its own `--port`',
  accelerator: 'a node whose accelerators are all taken',
  quota: 'a queue that counts quota',
  'operator:two-releases': 'the release before the drain window, and the one with it',
  'write:past-admission': 'a write that admission does not see',
  'kubernetes<1.29': 'a cluster without native sidecars',
  'clock:real': "a real program's own clock: time scale 1, minutes long",
  'dynamo:frontend': 'the Dynamo frontend',
  'dynamo:router': 'the Dynamo router',
  'dynamo:worker': 'a Dynamo backend worker of any engine',
  'dynamo:vllm-worker': 'the vLLM worker of Dynamo',
  'dynamo:sglang-worker': 'the SGLang worker of Dynamo',
  'dynamo:trtllm-worker': 'the TensorRT-LLM worker of Dynamo',
  'dynamo:operator': 'the Dynamo operator',
} as const;

export type Feature = keyof typeof features;

export const isFeature = (name: string): name is Feature => Object.hasOwn(features, name);
