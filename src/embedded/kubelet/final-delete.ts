import { KubeError } from '../../cluster/errors.ts';
import type { KubeClient } from '../../cluster/rest.ts';
import { podPath, type Pod } from './pod.ts';
import { pause } from './stamps.ts';

/** Milliseconds of the wall until the delete is tried again that found no server. */
const RETRY_MS = 200;

/** The kubelet's last word on a Pod that has ended: a delete without grace, of this very object and no namesake. */
export async function finalDelete(client: KubeClient, pod: Pod, signal: AbortSignal): Promise<void> {
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    ...(pod.metadata.uid === undefined ? {} : { preconditions: { uid: pod.metadata.uid } }),
  };
  while (!signal.aborted) {
    try {
      await client.remove(podPath(pod), options);
      return;
    } catch (error) {
      if (error instanceof KubeError && (error.status === 404 || error.status === 409)) return;
      await pause(RETRY_MS, signal);
    }
  }
}
