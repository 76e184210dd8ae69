import { downwardValue, type Place } from './downward.ts';
import { expand } from './expand.ts';
import type { ContainerSpec, EnvVar, Pod } from './pod.ts';
import { ConfigError, type Sources } from './sources.ts';

/**
 * The variables that a container's spec asks for, `envFrom` first, each value expanded by those before it.
 * @throws ConfigError where a ConfigMap, a Secret or a key of one is missing, or a field is unknown
 */
export async function specEnv(
  pod: Pod,
  container: ContainerSpec,
  place: Place,
  sources: Sources,
): Promise<Record<string, string>> {
  const namespace = pod.metadata.namespace ?? 'default';
  const env: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const values = configMapRef
      ? await sources.configMap(namespace, configMapRef)
      : secretRef && (await sources.secret(namespace, secretRef));
    for (const [key, value] of values ?? []) env[prefix + key] = value.toString();
  }
  for (const variable of container.env ?? []) {
    const value = variable.valueFrom
      ? await referred(pod, container, variable, place, sources)
      : expand(variable.value ?? '', env);
    if (value !== undefined) env[variable.name] = value;
  }
  return env;
}

/** The command line of a container with its variables filled in; `command` undefined means the image's entrypoint. */
export function commandLine(container: ContainerSpec, env: Readonly<Record<string, string>>) {
  const [command, ...rest] = (container.command ?? []).map((word) => expand(word, env));
  return { command, args: [...rest, ...(container.args ?? []).map((word) => expand(word, env))] };
}

async function referred(
  pod: Pod,
  container: ContainerSpec,
  { name, valueFrom = {} }: EnvVar,
  place: Place,
  sources: Sources,
): Promise<string | undefined> {
  const namespace = pod.metadata.namespace ?? 'default';
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const ref = configMapKeyRef ?? secretKeyRef;
  if (!ref) {
    const value = downwardValue(pod, container, place, { fieldRef, resourceFieldRef });
    if (value !== undefined) return value;
    throw new ConfigError(
      `variable ${name}: ${fieldRef?.fieldPath ?? 'this source'} is not served by the process kubelet`,
    );
  }
  const values = configMapKeyRef ? await sources.configMap(namespace, ref) : await sources.secret(namespace, ref);
  const value = values?.get(ref.key);
  if (value !== undefined) return value.toString();
  if (ref.optional) return undefined;
  const kind = configMapKeyRef ? 'ConfigMap' : 'Secret';
  throw new ConfigError(`couldn't find key ${ref.key} in ${kind} ${namespace}/${ref.name}`);
}
