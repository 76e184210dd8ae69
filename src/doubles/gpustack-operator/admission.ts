import { flag, numberFlag } from '../../engines/argv.ts';
import { isEngineName } from '../../engines/command.ts';
import type { ModelDeployment, Role } from '../../systems/gpustack/types.ts';
import { SUPPORTED_ROUTER } from './render/router.ts';

/** Flags of the engines that the operator writes itself. */
const ownedFlags = [
  '--kv-transfer-config',
  '--kv-events-config',
  '--disaggregation-mode',
  '--disaggregation-transfer-backend',
  '--disaggregation-bootstrap-port',
];

/**
 * Why a deployment is left alone: what the operator's webhook refuses beyond the schema, and what this double does not
 * carry out. A double cannot stand in the way of a write, so the refusal shows in the status instead.
 */
export function refusal({ metadata, spec }: ModelDeployment): string | undefined {
  if (!isEngineName(spec.engine.name)) return `engine ${spec.engine.name} is not known; use vLLM or SGLang`;
  const kinds = new Set(spec.roles.map(({ kind = 'Server' }) => kind));
  if (kinds.has('Server') && kinds.size > 1) return 'a Server role stands next to no Prefill or Decode role';
  for (const role of spec.roles) {
    const problem = roleProblem(role) ?? nameProblem(`${metadata.name}-${role.name}`);
    if (problem) return `role ${role.name}: ${problem}`;
  }
  return undefined;
}

/** Why a deployment has no router although it asks for one. */
export function routerRefusal({ spec: { router } }: ModelDeployment): string | undefined {
  if (!router || router.name === SUPPORTED_ROUTER) return undefined;
  return `router ${router.name} is not carried out by this double; use ${SUPPORTED_ROUTER}`;
}

function roleProblem(role: Role): string | undefined {
  const { size = 1, extraArgs: args = [], command = [] } = role;
  if (size !== 1) return `size ${size} is not carried out by this double; use 1`;
  if (command.length > 0) return undefined; // extraArgs of a take-over role are ignored
  const mine = ownedFlags.find((name) => flag(args, name) !== undefined);
  if (mine) return `extraArgs may not set ${mine}: the operator renders it`;
  const declared = role.ports?.[0]?.port;
  const port = numberFlag(args, '--port', declared);
  if (declared !== undefined && port !== declared)
    return `--port ${port} differs from the first declared port ${declared}`;
  return undefined;
}

const nameProblem = (name: string): string | undefined =>
  name.length > 63 || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name) ? `"${name}" is no DNS-1035 name` : undefined;
