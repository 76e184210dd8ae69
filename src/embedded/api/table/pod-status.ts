import type { KubeObject } from '../../../cluster/rest.ts';
import { at, fieldsOf, isFields, listOf, specOf, statusOf, textField } from '../objects.ts';
import type { Fields } from '../objects.ts';
import { humanDuration } from './age.ts';

interface PodSummary {
  ready: string;
  status: string;
  restarts: string;
}

const isSidecar = (spec: Fields, name: unknown) =>
  listOf(spec['initContainers']).some((c) => c['name'] === name && c['restartPolicy'] === 'Always');

const isTrue = (pod: KubeObject, type: string) =>
  listOf(statusOf(pod)['conditions']).some((c) => c['type'] === type && c['status'] === 'True');

/** What a container's state shows as, such as `CrashLoopBackOff` or `ExitCode:3`; empty while it runs. */
function reasonOf(state: Fields): string {
  const { waiting, terminated } = state;
  if (isFields(waiting)) return textField(waiting['reason']);
  if (!isFields(terminated)) return '';
  if (terminated['reason']) return textField(terminated['reason']);
  const signal = textField(terminated['signal'], '0');
  return signal !== '0' ? `Signal:${signal}` : `ExitCode:${textField(terminated['exitCode'], '0')}`;
}

/** How far the init containers are, such as `Init:1/2`; undefined once all are done. */
function initStatus(pod: KubeObject): string | undefined {
  const spec = specOf(pod);
  const total = listOf(spec['initContainers']).length;
  for (const [i, container] of listOf(statusOf(pod)['initContainerStatuses']).entries()) {
    const state = fieldsOf(container['state']);
    const exit = at(state, 'terminated', 'exitCode');
    if (exit === 0 || (isSidecar(spec, container['name']) && container['started'] === true)) continue;
    const reason = reasonOf(state);
    return reason && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${i}/${total}`;
  }
  return undefined;
}

/** The columns READY, STATUS and RESTARTS, by the rules of kubectl's printer. `now`: milliseconds since 1970. */
export function podSummary(pod: KubeObject, now: number): PodSummary {
  const spec = specOf(pod);
  const status = statusOf(pod);
  const sidecars = listOf(status['initContainerStatuses']).filter((c) => isSidecar(spec, c['name']));
  const main = listOf(status['containerStatuses']);
  const counted = [...main, ...sidecars];
  const sidecarSpecs = listOf(spec['initContainers']).filter((c) => c['restartPolicy'] === 'Always');
  const total = listOf(spec['containers']).length + sidecarSpecs.length;
  const ready = counted.filter((c) => c['ready'] === true && isFields(at(c, 'state', 'running'))).length;
  return { ready: `${ready}/${total}`, status: statusText(pod, main), restarts: restartText(counted, now) };
}

function statusText(pod: KubeObject, main: Fields[]): string {
  const status = statusOf(pod);
  if (pod.metadata.deletionTimestamp) {
    const over = status['phase'] === 'Succeeded' || status['phase'] === 'Failed';
    if (status['reason'] === 'NodeLost') return 'Unknown';
    if (!over) return 'Terminating';
  }
  let reason = textField(status['reason']) || textField(status['phase'], 'Unknown');
  if (listOf(status['conditions']).some((c) => c['type'] === 'PodScheduled' && c['reason'] === 'SchedulingGated')) {
    reason = 'SchedulingGated';
  }
  const init = initStatus(pod);
  if (init && !isTrue(pod, 'Initialized')) return init;
  let running = false;
  for (const container of [...main].reverse()) {
    const state = fieldsOf(container['state']);
    reason = reasonOf(state) || reason;
    running ||= container['ready'] === true && isFields(state['running']);
  }
  // A Pod with one container done and another at work runs.
  if (reason === 'Completed' && running) return isTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  return reason;
}

function restartText(containers: Fields[], now: number): string {
  const count = containers.reduce((sum, c) => sum + Number(c['restartCount'] ?? 0), 0);
  const ends = containers.map((c) => Date.parse(textField(at(c, 'lastState', 'terminated', 'finishedAt'))));
  const last = Math.max(...ends.filter((end) => !Number.isNaN(end)));
  return count > 0 && Number.isFinite(last) ? `${count} (${humanDuration(now - last)} ago)` : String(count);
}
