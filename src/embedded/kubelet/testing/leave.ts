import { text } from 'node:stream/consumers';
import { assertDefined, until } from './scratch.ts';
import { scale, type Lab, type SeenPod } from './lab.ts';

/** How one Pod left; instants in documented seconds from the first sighting of its deletionTimestamp. */
export interface Leaving {
  /** First and last line of the kubelet about the container's hook. */
  hookStart(container?: string): number | undefined;
  hookEnd(container?: string): number | undefined;
  /** SIGTERM as the container's own log tells it. */
  term(container?: string): number | undefined;
  /** The last status: when, and the Pod as it then was. */
  last: { at: number; pod: SeenPod };
  /** Readiness was first seen gone. */
  unready: number | undefined;
  gone: number;
  exitCode(container?: string): number | undefined;
}

/** Deletes a Pod that is Ready and watches it until its object is gone. */
export async function leave(lab: Lab, namespace: string, name: string): Promise<Leaving> {
  const { pod } = await lab.ready(name);
  const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((c) => c.name);
  const logs = new Map<string, Promise<string>>();
  for (const container of names) {
    // Without a probe a Pod is Ready before its program can catch a signal.
    await until('the program is up', async () => (await lab.log(namespace, name, container)).includes('up'));
    const stream = await lab.kubelet.logs(
      { nodeName: 'n1', namespace, pod: name, container },
      { follow: true, timestamps: true, previous: false },
    );
    logs.set(container, text(stream));
  }
  await lab.client.remove(`/api/v1/namespaces/${namespace}/pods/${name}`);
  const gone = await lab.gone(name);
  const seen = lab.pods.filter((s) => s.pod.metadata.uid === pod.metadata.uid);
  const deleted = assertDefined(seen.find((s) => s.pod.metadata.deletionTimestamp !== undefined));
  const since = (at: number) => scale.toSeconds(at - deleted.at);
  const last = assertDefined(seen.find((s) => /Succeeded|Failed/.test(s.pod.status.phase)));
  const unready = seen.find(
    (s) => s.at >= deleted.at && s.pod.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'False'),
  );
  const kubeletLog = (await text(await lab.kubelet.kubeletLog('n1'))).split('\n');
  const line = (message: string, container: string) => {
    const fits = (l: string) =>
      l.includes(`"${message}`) &&
      l.includes(`pod="${namespace}/${name}"`) &&
      l.includes(`containerName="${container}"`);
    const [, time = ''] = /^\S+ (\S+) /.exec(kubeletLog.find(fits) ?? '') ?? [];
    return time ? since(monotonic(`${new Date().toISOString().slice(0, 11)}${time}Z`)) : undefined;
  };
  const terms = new Map<string, number>();
  for (const [container, log] of logs) {
    const stamp = /^(\S+) TERM$/m.exec(await log)?.[1];
    if (stamp) terms.set(container, since(monotonic(stamp)));
  }
  return {
    hookStart: (container = 'main') => line('Running preStop hook', container),
    hookEnd: (container = 'main') =>
      line('PreStop hook completed', container) ?? line('PreStop hook failed', container),
    term: (container = 'main') => terms.get(container),
    last: { at: since(last.at), pod: last.pod },
    unready: unready && since(unready.at),
    gone: since(gone.at),
    exitCode: (container = 'main') => {
      const { containerStatuses = [], initContainerStatuses = [] } = last.pod.status;
      const status = [...containerStatuses, ...initContainerStatuses].find((c) => c.name === container);
      return status && 'terminated' in status.state ? status.state.terminated.exitCode : undefined;
    },
  };
}

/** Monotonic milliseconds of a time of day with microseconds. */
function monotonic(stamp: string): number {
  const [whole = '', fraction = '0'] = stamp.replace('Z', '').split('.');
  return Date.parse(`${whole}Z`) + Number(`0.${fraction}`) * 1000 - performance.timeOrigin;
}
