import type { KubeObject } from '../cluster/rest.ts';
import type { Acting } from './acting.ts';
import type { Environment } from './environment.ts';
import type { Scenario, Step } from './scenario.ts';

/** The step of a scenario that preempts, if any. */
export const preemptionOf = ({ act }: Pick<Scenario, 'act'>): Extract<Step, { do: 'preempt' }> | undefined =>
  act.find((step): step is Extract<Step, { do: 'preempt' }> => step.do === 'preempt');

/** Name of the priority class of a Pod that preempts. */
export const URGENT = 'urgent';

const className = (env: Environment) => `${env.namespace}-${URGENT}`;

export const priorityClassPath = (env: Environment) => `/apis/scheduling.k8s.io/v1/priorityclasses/${className(env)}`;

/** A priority class above every replica's (they have none, which is 0). */
export const priorityClass = (env: Environment, labels: Record<string, string>): KubeObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: className(env), labels },
  value: 1000,
  globalDefault: false,
  description: 'A Pod that takes the accelerator of a replica',
});

/** A Pod that does nothing but need accelerators; without a priority it waits, with one it preempts. */
export function waitingPod(
  name: string,
  accelerators: number,
  { env, labels }: Pick<Acting, 'env' | 'labels'>,
  priority?: typeof URGENT,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: env.namespace, labels },
    spec: {
      ...(priority ? { priorityClassName: className(env) } : {}),
      terminationGracePeriodSeconds: 5,
      automountServiceAccountToken: false,
      containers: [
        { name: 'wait', image: 'quiesce/pause:1', resources: { limits: { 'nvidia.com/gpu': String(accelerators) } } },
      ],
    },
  };
}
