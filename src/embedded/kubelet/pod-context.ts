import type { KubeletContext, PodContext } from './context.ts';
import type { Place } from './downward.ts';
import { podName, type Pod } from './pod.ts';

export interface PodContextOptions {
  shared: KubeletContext;
  pod: () => Pod;
  place: Place;
  volumes: ReadonlyMap<string, string>;
  changed: () => void;
}

/** What the containers of one Pod are given by it. */
export function podContext({ shared, pod, place, volumes, changed }: PodContextOptions): PodContext {
  return {
    shared,
    pod,
    place,
    volumes,
    changed,
    faults: () => shared.faults(pod().metadata.namespace ?? 'default'),
    event: (type, reason, message, container) => {
      const init = pod().spec.initContainers?.some(({ name }) => name === container.name) ?? false;
      const fieldPath = `spec.${init ? 'initContainers' : 'containers'}{${container.name}}`;
      return shared.events.record(pod(), { type, reason, message, fieldPath });
    },
    log: (message, container, values) =>
      shared.log.info(pod().spec.nodeName ?? '', message, {
        pod: podName(pod()),
        podUID: pod().metadata.uid,
        containerName: container.name,
        ...values,
      }),
  };
}
