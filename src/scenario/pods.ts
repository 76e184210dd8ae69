import type { KubeObject } from '../cluster/rest.ts';
import { labels as known } from '../systems/gpustack/names.ts';
import { flag, numberFlag } from '../engines/argv.ts';
import { engineOf, engines } from '../engines/command.ts';
import { dynamoFacts } from '../engines/dynamo/facts.ts';
import { routingProxy } from '../routers/routing-proxy.ts';
import type { Live } from './live.ts';
import { mainOf, type ContainerStatus } from './main-container.ts';

interface PodFields {
  spec: { nodeName?: string; initContainers?: { name: string }[]; containers: { name: string }[] };
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses?: ContainerStatus[];
  };
}

const fields = (pod: KubeObject) => pod as unknown as PodFields;

/** The Pods of a role of a deployment, sorted by name. */
export const podsOf = (live: Live, deployment: string, role: string): KubeObject[] =>
  live
    .of('Pod')
    .filter((pod) => instanceOf(pod) === deployment && roleOf(pod) === role)
    .sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));

/** The deployment that a Pod belongs to. */
export const instanceOf = ({ metadata: { labels } }: KubeObject): string | undefined =>
  labels?.[known.instance] ?? labels?.[dynamoFacts.labels.graph];

/** The role, or the component of a graph, that a Pod belongs to. */
export const roleOf = ({ metadata: { labels } }: KubeObject): string | undefined =>
  labels?.[known.component] ?? labels?.[dynamoFacts.labels.component];

/** The type of a Dynamo component's Pod, such as `frontend`; undefined for any other Pod. */
export const dynamoTypeOf = ({ metadata: { labels } }: KubeObject): string | undefined =>
  labels?.[dynamoFacts.labels.type];

/** The router's Pods of a deployment. */
export const routerPodsOf = (live: Live, deployment: string): KubeObject[] =>
  live.of('Pod').filter(({ metadata: { labels } }) => labels?.[known.instance] === deployment && labels[known.router]);

/** Which replica of its role a Pod belongs to, and which member of it it is. */
export const placeOf = ({ metadata: { labels } }: KubeObject): { ordinal: number; member: number } => ({
  ordinal: Number(labels?.[known.ordinal] ?? Number.NaN),
  member: Number(labels?.[known.memberIndex] ?? 0),
});

export const isReady = (pod: KubeObject): boolean =>
  fields(pod).status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;

export const isLeaving = (pod: KubeObject): boolean => pod.metadata.deletionTimestamp !== undefined;

export const addressOf = (pod: KubeObject): string | undefined => fields(pod).status?.podIP;

/** Whether a Pod has a routing proxy, as a native sidecar or as a classic container. */
export function hasProxy(pod: KubeObject): boolean {
  const { initContainers = [], containers } = (pod as unknown as PodFields).spec;
  return [...initContainers, ...containers].some(({ name }) => name === routingProxy.container);
}

/** The port that the Pod's scrape annotations name; 8000 where it has none. */
export const enginePortOf = (pod: KubeObject): number =>
  Number(pod.metadata.annotations?.['prometheus.io/port'] ?? 8000);

export const engineIsTls = (pod: KubeObject): boolean => pod.metadata.annotations?.['prometheus.io/scheme'] === 'https';

/** Why a Pod is not ready, in words: its phase, what its containers wait for, how often they restarted. */
export function why(pod: KubeObject): string {
  const { status } = fields(pod);
  const unmet = status?.conditions?.find((c) => c.status !== 'True' && c.message)?.message;
  const containers = (status?.containerStatuses ?? []).flatMap((c) => {
    const [state, detail] = Object.entries(c.state ?? {})[0] ?? [];
    const restarts = c.restartCount ? `, restarted ${c.restartCount} times` : '';
    if (state === 'running' && !restarts) return [];
    const last = c.lastState?.['terminated'];
    const ended = last
      ? `, last ended with ${last.exitCode} ${[last.reason, last.message].filter(Boolean).join(': ')}`
      : '';
    const now = [detail?.reason, detail?.message].filter(Boolean).join(': ');
    return [`${c.name} ${state ?? 'unknown'} ${now}${restarts}${ended}`];
  });
  return `${pod.metadata.name} is ${status?.phase ?? 'new'}${[unmet, ...containers]
    .filter(Boolean)
    .map((t) => `: ${t}`)
    .join('')}`;
}

/** Command of the engine's container. */
export const commandOf = (pod: KubeObject): string[] => mainOf(pod)?.command ?? [];

/** The model that a Dynamo worker's arguments name. */
export function modelOf(pod: KubeObject): string | undefined {
  const model = flag(mainOf(pod)?.args ?? [], '--model');
  return typeof model === 'string' ? model : undefined;
}

/** The port to which the engine's own `--port` moves it; undefined where the command has none. */
export function commandPortOf(pod: KubeObject): number | undefined {
  return numberFlag(commandOf(pod), '--port', undefined);
}

/** Where a Pod's gauges are read, and which. */
export function gaugesOf(pod: KubeObject): { port: number; tls: boolean; names: readonly string[] } {
  const { ports, gauges } = dynamoFacts;
  const type = dynamoTypeOf(pod);
  if (type === 'frontend') return { port: ports.http, tls: false, names: [gauges.frontend] };
  if (type !== undefined) return { port: ports.system, tls: false, names: [gauges.worker] };
  const { gauges: names } = engines[engineOf(commandOf(pod)) ?? 'vLLM'];
  return { port: commandPortOf(pod) ?? enginePortOf(pod), tls: engineIsTls(pod), names };
}
