import { ENGINE_BEHAVIOUR_VARIABLE } from '../../engines/behaviour.ts';
import { DOUBLES_MODEL, type Serving } from '../../engines/serving.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { generations, profiles, type Generation } from '../../requirements/profiles.ts';
import { api, DEFINITIONS } from './names.ts';
import type { DeploymentInput, ModelDeployment, Role, RoleInput } from './types.ts';

/** What quiesce deploys where a scenario does not say otherwise: engines whose doubles every embedded cluster has. */
const engines = {
  vLLM: { image: 'gpustack/runner:cuda12.9-vllm0.32.0', version: '0.32.0' },
  SGLang: { image: 'gpustack/runner:cuda12.9-sglang0.5.22', version: '0.5.22' },
} as const;
const ownInstanceType = 'gpustack--nvidia-quiesce-linux-amd64';

/** The generation that a release serves. @throws RangeError for a release that is not known */
export function generationOf(release: string): Generation {
  const found = Object.values(profiles).find((profile) => profile.release === release);
  if (found) return found.generation;
  const known = Object.values(profiles).map((profile) => profile.release);
  throw new RangeError(`operator release "${release}": expected one of ${known.join(', ')}`);
}

/** The generation that a cluster serves, read from its CRD `modeldeployments.worker.gpustack.ai`. */
export function generationOfSchema(crd: KubeObject): Generation {
  type Schema = { properties?: Record<string, Schema>; items?: Schema };
  const { versions = [] } = crd['spec'] as { versions?: { name: string; schema: { openAPIV3Schema: Schema } }[] };
  const spec = versions.find((v) => v.name === 'v1alpha1')?.schema.openAPIV3Schema.properties?.['spec'];
  if (spec?.properties?.['roles']?.items?.properties?.[generations.C.accelerator]) return 'C';
  return spec?.properties?.['engine']?.properties?.['image'] ? 'B' : 'A';
}

/** The generation that the cluster of a client serves now: what it serves decides how a ModelDeployment is written. */
export const servedGeneration = async (client: KubeClient): Promise<Generation> =>
  generationOfSchema(await client.get(`${DEFINITIONS}/modeldeployments.worker.gpustack.ai`));

/** The ModelDeployment that `input` describes, as a release (or a generation) of the operator takes it. */
export function modelDeployment(input: DeploymentInput, release: string): ModelDeployment {
  const generation = isGeneration(release) ? release : generationOf(release);
  const fields = generations[generation];
  const name = input.engine ?? 'vLLM';
  return {
    apiVersion: api.version,
    kind: 'ModelDeployment',
    metadata: { name: input.name, namespace: input.namespace, ...(input.labels ? { labels: input.labels } : {}) },
    spec: {
      model: { name: input.serving?.model ?? DOUBLES_MODEL },
      engine: { name, [fields.engine]: input.serving?.releases?.[name] ?? engines[name][fields.engine] },
      roles: input.roles.map((role) => roleObject(role, generation, name, input.serving)),
      ...(input.router ? { router: { name: 'vllm-router', replicas: 1, ...input.router } } : {}),
      ...(input.kvTransfer ? { kvTransfer: input.kvTransfer } : {}),
    },
  };
}

/** A role of `spec.roles`; its absent fields stay absent, so that "unset" can be told from a value. */
export function roleObject(
  role: RoleInput,
  generation: Generation,
  engine: keyof typeof engines = 'vLLM',
  serving?: Serving,
): Role {
  const { accelerators = 1, terminationGracePeriodSeconds: grace } = role;
  const env = environmentOf(role);
  const fields = generations[generation];
  return {
    name: role.name,
    kind: role.kind ?? 'Server',
    replicas: role.replicas,
    ...(role.size === undefined ? {} : { size: role.size }),
    [fields.accelerator]: serving?.instanceType ?? ownInstanceType,
    ...roleImage(role.image ?? (fields.roleImage && !serving ? engines[engine].image : undefined)),
    ...(accelerators > 0 ? { resources: { accelerator: accelerators } } : {}),
    ...(role.command ? { command: role.command } : {}),
    ...(role.extraArgs ? { extraArgs: role.extraArgs } : {}),
    ...(role.ports ? { ports: role.ports } : {}),
    ...(env.length > 0 ? { env } : {}),
    ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
  };
}

const roleImage = (image: string | undefined): { image?: string } => (image === undefined ? {} : { image });

function environmentOf({ env = {}, engine: behaviour }: RoleInput): { name: string; value: string }[] {
  const list = Object.entries(env).map(([name, value]) => ({ name, value }));
  if (behaviour) list.push({ name: ENGINE_BEHAVIOUR_VARIABLE, value: JSON.stringify(behaviour) });
  return list;
}

const isGeneration = (text: string): text is Generation => Object.hasOwn(generations, text);
