import { flag, numberFlag } from '../../engines/argv.ts';
import type { ModelDeployment, ModelDeploymentSpec, Role } from '../../systems/gpustack/types.ts';

/** Flags of each engine that the operator writes itself. */
const ownedFlags: Record<string, string[]> = {
  vLLM: ['--kv-transfer-config', '--kv-events-config'],
  SGLang: [
    '--hicache-storage-backend',
    '--disaggregation-mode',
    '--disaggregation-transfer-backend',
    '--disaggregation-bootstrap-port',
  ],
};

/** Variables that the operator sets itself. */
const ownedVariables = [
  'MOONCAKE_CONFIG_PATH',
  'VLLM_MOONCAKE_BOOTSTRAP_PORT',
  'GPUSTACK_REPLICA_LEADER_ADDRESS',
  'GPUSTACK_REPLICA_SIZE',
  'GPUSTACK_MEMBER_INDEX',
];

/** Engines that each router serves. */
const routerEngines: Record<string, string[]> = {
  'llm-d-router': ['vLLM', 'SGLang'],
  'vllm-router': ['vLLM'],
  'sglang-gateway': ['SGLang'],
};

/**
 * Why a deployment is left alone: what the operator's webhook refuses beyond the schema. A double cannot stand in the
 * way of a write, so the refusal shows in the status instead.
 */
export function refusal({ metadata, spec }: ModelDeployment): string | undefined {
  const { engine, router, roles } = spec;
  if (router && !routerEngines[router.name]?.includes(engine.name))
    return `router ${router.name} does not serve ${engine.name}; use ${routersOf(engine.name).join(' or ')}`;
  const kinds = roles.map(({ kind = 'Server' }) => kind);
  if (kinds.includes('Server') && kinds.some((kind) => kind !== 'Server'))
    return 'a Server role may not stand next to a role of another kind';
  for (const kind of ['Prefill', 'Decode'])
    if (kinds.filter((k) => k === kind).length > 1) return `more than one role of kind ${kind}`;
  for (const role of roles) {
    const problem = roleProblem(spec, role) ?? nameProblem(`${metadata.name}-${role.name}`);
    if (problem) return `role ${role.name}: ${problem}`;
  }
  return undefined;
}

const routersOf = (engine: string): string[] =>
  Object.keys(routerEngines).filter((name) => routerEngines[name]?.includes(engine));

function roleProblem({ engine }: ModelDeploymentSpec, role: Role): string | undefined {
  const { extraArgs: args = [], command = [], env = [] } = role;
  const set = env.find(({ name }) => ownedVariables.includes(name));
  if (set) return `env may not set ${set.name}: the operator sets it`;
  if (command.length > 0) return undefined; // extraArgs of a take-over role are ignored
  const mine = ownedFlags[engine.name]?.find((name) => flag(args, name) !== undefined);
  if (mine) return `extraArgs may not set ${mine}: the operator renders it`;
  const declared = role.ports?.[0]?.port;
  const port = numberFlag(args, '--port', declared);
  if (declared !== undefined && port !== declared)
    return `--port ${port} differs from the first declared port ${declared}`;
  return undefined;
}

const nameProblem = (name: string): string | undefined =>
  name.length > 63 || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name) ? `"${name}" is no DNS-1035 name` : undefined;
