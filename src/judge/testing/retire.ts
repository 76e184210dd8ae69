import type { State } from '../facts/operation.ts';
import { Scribe } from './build.ts';
import type { PodSpec } from './build.ts';

/** The replica that is to leave, and one that stays. */
export const target: PodSpec = { uid: 'v', ip: '127.16.0.1', grace: 15 };
export const survivor: PodSpec = { uid: 's', ip: '127.16.0.2', grace: 15 };

/** The target while it is in endpoint selection. */
export const selected: PodSpec = { ...target, labels: { 'modeldeployment.gpustack.ai/endpoint-eligible': 'true' } };

interface RetirementMore {
  uids?: string[];
  role?: string;
  ordinal?: number;
  reason?: string;
  ready?: number;
  quota?: number;
  serving?: number;
  router?: boolean;
  roles?: { name: string; replicas?: number; command?: string[] }[];
  deployment?: string;
}

/** Writes the history of a retirement by hand: seconds count from the edit that asks for it. */
export class Retiring extends Scribe {
  /** The ModelDeployment at `at`, with an operation in `state` or without one. */
  deployment(at: number, state?: State, more: RetirementMore = {}): this {
    const { uids = ['v'], role = 'serve', ordinal = 1, reason = '', ready = 2, quota = 2, serving } = more;
    const { router = true, roles = [{ name: 'serve', replicas: 1 }], deployment = 'chat' } = more;
    const retirement = {
      roleName: role,
      replicaOrdinal: ordinal,
      targetMemberUIDs: uids,
      targetWorkloadUID: 'w',
      startedAt: 'then',
      state,
      reason,
    };
    const endpoints = serving === undefined ? {} : { endpoints: { serving: { state: 'Confirmed', value: serving } } };
    return this.object('modified', at, `ModelDeployment/n/${deployment}`, {
      metadata: { uid: `md-${deployment}`, generation: state ? 2 : 1 },
      spec: { roles, ...(router ? { router: { name: 'vllm-router' } } : {}) },
      status: {
        roles: [{ name: role, ready, quotaReserved: quota, ...endpoints }],
        ...(state ? { retirement } : {}),
      },
    });
  }

  /** Two replicas that serve, before the edit. */
  serving(more: RetirementMore = {}): this {
    this.ready(target).ready(survivor);
    this.object('added', -20, 'Workload/n/w', { metadata: { uid: 'w' }, status: {} });
    return this.deployment(-10, undefined, { roles: [{ name: 'serve', replicas: 2 }], ...more });
  }

  /** The way of an operation up to Draining, which it enters at `at`. */
  draining(at = 1, more: RetirementMore = {}): this {
    const { router, role } = more;
    this.deployment(0, undefined, { ...(router === undefined ? {} : { router }), ...(role ? { role } : {}) });
    this.deployment(0.1, 'Admitted', { reason: 'admitted', ...more });
    this.deployment(0.2, 'Disqualified', { reason: 'the target has left endpoint selection', ...more });
    this.deployment(at - 0.2, 'Withdrawing', { reason: 'out of selection', ...more });
    return this.deployment(at, 'Draining', { reason: 'reading the queues with every member retained', ...more });
  }

  /** The delete that the operation commits at `at`, its settling and its end. */
  deletes(at: number, { S = at + 6.1, E = S + 1 }: { S?: number; E?: number } = {}): this {
    this.deployment(at - 0.05, 'Deleting', { reason: "the target's queues are empty" });
    this.leave(target, { D: at, S, E, ours: false });
    this.deployment(E + 0.6, 'Settling', { ready: 1, quota: 1 });
    return this.deployment(E + 1, undefined, { ready: 1, quota: 1 });
  }

  /** A read of ours that shows a Pod there at `at`, with the labels that it is given. */
  look(at: number, { uid, labels = {} }: PodSpec): this {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    const object = { metadata: { name: uid, namespace: 'n', uid, labels }, spec: {}, status };
    return this.action(`look-${uid}-${at}`, at, 'get', `Pod/n/${uid}`, 200, { object });
  }

  /** A read of ours that shows the ModelDeployment. */
  lookDeployment(at: number, state: State, more: RetirementMore = {}): this {
    this.deployment(at, state, more);
    const made = this.events.pop();
    const { object } = (made?.data ?? {}) as { object?: unknown };
    return this.action(`look-md-${at}`, at, 'get', 'ModelDeployment/n/chat', 200, { object });
  }
}
