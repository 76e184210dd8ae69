import type { KubeObject } from '../cluster/rest.ts';

/** The container of a Pod that is looked at: that of its engine or component. */
const MAIN = 'main';

interface State {
  reason?: string;
  message?: string;
  exitCode?: number;
}

/** What a Pod's status says of one container. */
export interface ContainerStatus {
  name: string;
  restartCount: number;
  state?: Record<string, State>;
  lastState?: Record<string, State>;
}

interface Fields {
  spec: { containers: { name: string; command?: string[]; args?: string[] }[] };
  status?: { containerStatuses?: ContainerStatus[] };
}

const named = <T extends { name: string }>(all: readonly T[] = []): T | undefined =>
  all.find(({ name }) => name === MAIN);

/** The container as the Pod's spec has it. */
export const mainOf = (pod: KubeObject) => named((pod as unknown as Fields).spec.containers);

/** What the Pod's status says of it; undefined while it says nothing. */
export const mainStatusOf = (pod: KubeObject): ContainerStatus | undefined =>
  named((pod as unknown as Fields).status?.containerStatuses);

/** Whether it runs, ready or not. */
export const runs = (pod: KubeObject): boolean => mainStatusOf(pod)?.state?.['running'] !== undefined;

/** Whether it has ended once at least, and runs. */
export const hasRestarted = (pod: KubeObject): boolean => runs(pod) && (mainStatusOf(pod)?.restartCount ?? 0) > 0;
