import { flag } from '../../../engines/argv.ts';
import { engines, isEngineName } from '../../../engines/command.ts';
import { sglang } from '../../../engines/sglang.ts';
import { vllm } from '../../../engines/vllm.ts';
import type { ModelDeploymentSpec, Role } from '../../../systems/gpustack/types.ts';

/** What an operator-built `main` runs: the engine, its connector, the role's own arguments, then host and port. */
export function engineCommand({ engine, model }: ModelDeploymentSpec, role: Role, port: number): string[] {
  const own = role.extraArgs ?? [];
  const absent = (name: string, ...words: string[]) => (flag(own, name) === undefined ? [name, ...words] : []);
  const listener = [...absent('--host', '0.0.0.0'), ...absent('--port', String(port))];
  if (engine.name === 'SGLang') {
    const program = ['python3', '-m', sglang.module, '--model-path', model.name];
    return [
      ...program,
      ...sglangConnector(role),
      ...groupArgs(role),
      ...own,
      ...listener,
      ...absent('--enable-metrics'),
    ];
  }
  return ['vllm', 'serve', model.name, ...vllmConnector(role), ...groupArgs(role), ...own, ...listener];
}

/** Gauges of the engine that tell of work in flight: the hook sums them, the retirement protocol reads them. */
export const gaugesOf = ({ engine: { name } }: ModelDeploymentSpec): readonly string[] =>
  isEngineName(name) ? engines[name].gauges : [];

function sglangConnector({ kind = 'Server' }: Role): string[] {
  return kind === 'Server'
    ? []
    : [sglang.modeFlag, kind.toLowerCase(), '--disaggregation-transfer-backend', 'mooncake'];
}

function vllmConnector({ kind = 'Server' }: Role): string[] {
  if (kind === 'Server') return [];
  const role = kind === 'Prefill' ? 'kv_producer' : 'kv_consumer';
  return [vllm.kvTransferFlag, JSON.stringify({ kv_connector: 'MooncakeConnector', kv_role: role })];
}

/** The seat of a member in a replica of several Pods; the flags that an engine then needs are not in the documents. */
const groupArgs = ({ size = 1 }: Role): string[] =>
  size === 1 ? [] : ['--nnodes', String(size), '--node-rank', '$(GPUSTACK_MEMBER_INDEX)'];
