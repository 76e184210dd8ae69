import type { Container } from './container.ts';
import type { Place } from './downward.ts';
import type { Condition, ContainerStatus, Pod } from './pod.ts';
import { apiTime } from './stamps.ts';

/** How far a Pod has come. */
export interface Stage {
  /** The Pod has its address and its volumes. */
  prepared: boolean;
  initialized: boolean;
  /** The Pod has ended for good. */
  phase?: 'Succeeded' | 'Failed';
  /** Why it was ended, where not by its own containers. */
  why?: { reason: string; message: string };
}

export interface PodStatus {
  phase: string;
  conditions: Condition[];
  hostIP: string;
  hostIPs: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime: string;
  qosClass: string;
  observedGeneration?: number;
  reason?: string;
  message?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses: ContainerStatus[];
}

/** Builds the status of one Pod, and remembers since when each condition holds. */
export class StatusBuilder {
  readonly #conditions = new Map<string, Condition>();
  readonly #startTime = apiTime();

  build(pod: Pod, place: Place, containers: readonly Container[], stage: Stage): PodStatus {
    const before = containers.filter((c) => c.role !== 'main');
    const mains = containers.filter((c) => c.role === 'main');
    const { generation } = pod.metadata;
    const init = before.map(({ role, record }) => initStatus(role, record.status()));
    return {
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      phase: stage.phase ?? phaseOf(mains),
      ...stage.why,
      conditions: this.#conditionsOf(pod, before, mains, stage).map((condition) =>
        generation === undefined ? condition : { ...condition, observedGeneration: generation },
      ),
      hostIP: place.hostIP,
      hostIPs: [{ ip: place.hostIP }],
      ...(stage.prepared ? { podIP: place.podIP, podIPs: [{ ip: place.podIP }] } : {}),
      startTime: this.#startTime,
      qosClass: pod.status?.qosClass ?? qosClass(pod),
      ...(init.length > 0 ? { initContainerStatuses: init } : {}),
      containerStatuses: mains.map(({ record }) => record.status()),
    };
  }

  #conditionsOf(pod: Pod, before: Container[], mains: Container[], stage: Stage): Condition[] {
    const completed = stage.phase === 'Succeeded' ? 'PodCompleted' : stage.phase && 'PodFailed';
    const unready = [...before.filter((c) => c.role === 'sidecar'), ...mains]
      .filter((c) => !c.record.ready)
      .map(nameOf);
    const incomplete = before.filter((c) => !initDone(c)).map(nameOf);
    const gates = (pod.spec.readinessGates ?? []).filter(
      ({ conditionType }) => !pod.status?.conditions?.some((c) => c.type === conditionType && c.status === 'True'),
    );
    const notReady = completed
      ? { reason: completed }
      : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
    const ready = !completed && unready.length === 0;
    return [
      this.#since('PodScheduled', true),
      this.#since('PodReadyToStartContainers', stage.prepared && !stage.phase),
      this.#since(
        'Initialized',
        stage.initialized || before.length === 0,
        {
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${incomplete.join(' ')}]`,
        },
        completed,
      ),
      this.#since('ContainersReady', ready, notReady),
      gates.length > 0 && ready
        ? this.#since('Ready', false, {
            reason: 'ReadinessGatesNotReady',
            message: gates.map((gate) => gateProblem(pod, gate.conditionType)).join(', '),
          })
        : this.#since('Ready', ready, notReady),
    ];
  }

  #since(type: string, holds: boolean, why: Pick<Condition, 'reason' | 'message'> = {}, done?: string): Condition {
    const status = holds ? 'True' : 'False';
    const former = this.#conditions.get(type);
    const lastTransitionTime = former?.status === status ? (former.lastTransitionTime ?? apiTime()) : apiTime();
    const reason = done === 'PodCompleted' ? { reason: done } : {};
    const condition: Condition = { type, status, lastProbeTime: null, lastTransitionTime, ...(holds ? reason : why) };
    this.#conditions.set(type, condition);
    return condition;
  }
}

const gateProblem = (pod: Pod, type: string): string =>
  pod.status?.conditions?.some((c) => c.type === type)
    ? `the status of pod readiness gate "${type}" is not "True", but False`
    : `corresponding condition of pod readiness gate "${type}" does not exist.`;

const nameOf = ({ spec }: Container) => spec.name;

const initDone = ({ role, record }: Container) =>
  role === 'sidecar' ? record.started : 'terminated' in record.state && record.state.terminated.exitCode === 0;

/** An init container that has done its step counts as ready. */
const initStatus = (role: string, status: ContainerStatus): ContainerStatus =>
  role === 'init' && 'terminated' in status.state && status.state.terminated.exitCode === 0
    ? { ...status, ready: true }
    : status;

/** Pending until every container of the Pod's own work has run once. */
const phaseOf = (mains: Container[]): string =>
  mains.every(({ record }) => 'running' in record.state || record.end !== undefined) ? 'Running' : 'Pending';

function qosClass({ spec }: Pod): string {
  const all = [...spec.containers, ...(spec.initContainers ?? [])].map((c) => c.resources ?? {});
  if (all.every(({ limits, requests }) => !limits && !requests)) return 'BestEffort';
  const guaranteed = all.every(({ limits = {}, requests = limits }) =>
    ['cpu', 'memory'].every((r) => limits[r] !== undefined && String(requests[r] ?? limits[r]) === String(limits[r])),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
