import type { KubeObject } from '../../cluster/rest.ts';

/** The fields of a Pod that a router looks at. */
export interface Pod extends KubeObject {
  status?: { phase?: string; podIP?: string; conditions?: { type: string; status: string }[] };
}

export const isReady = ({ status }: Pod): boolean =>
  status?.phase === 'Running' && (status.conditions ?? []).some((c) => c.type === 'Ready' && c.status === 'True');

export const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

export const uidOf = ({ metadata: { uid, name } }: Pod): string => uid ?? name;

/** Path of the Pods of a namespace, or of all. */
export const podsOf = (namespace: string | undefined): string =>
  namespace ? `/api/v1/namespaces/${namespace}/pods` : '/api/v1/pods';

/** Whether a Pod has every one of these labels. */
export const selecting =
  (selector: Record<string, string>) =>
  ({ metadata: { labels = {} } }: Pod): boolean =>
    Object.entries(selector).every(([key, value]) => labels[key] === value);
