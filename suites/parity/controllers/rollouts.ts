// Deployments.
import { DEPLOYMENTS, OBEDIENT, REPLICASETS, container, deployment } from '../objects.ts';
import { events, experiment, get, given, patch, quiet, until, within } from '../steps.ts';
import { D, complete, counts, condition, owned, gated } from './workloads-parts.ts';

export const rollouts = [
  experiment(
    'controllers.deployment-complete',
    given(DEPLOYMENTS, deployment('d', { replicas: 2 })),
    complete(2),
    quiet(until(D, { status: { conditions: [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }] } })),
    get(D, 'status', 'metadata.annotations'),
    get(REPLICASETS, 'items.spec', 'items.status', 'items.metadata'),
    get('pods', ...owned),
    events('d', 'ScalingReplicaSet'),
  ),
  experiment(
    'controllers.deployment-rolls',
    given(
      DEPLOYMENTS,
      deployment('d', {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      }),
    ),
    complete(2),
    quiet(patch(D, 'merge', { spec: { template: { metadata: { annotations: { v: '2' } } } } })),
    complete(2, 2),
    quiet(
      until(D, { status: { conditions: [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }], replicas: 2 } }),
    ),
    get(D, ...counts, ...condition, 'metadata.annotations'),
    get(REPLICASETS, 'items.spec.replicas', 'items.metadata.annotations'),
    events('d', 'ScalingReplicaSet'),
  ),
  experiment(
    'controllers.deployment-recreate',
    given(DEPLOYMENTS, deployment('d', { replicas: 1, strategy: { type: 'Recreate' } })),
    complete(1),
    quiet(patch(D, 'merge', { spec: { template: { metadata: { annotations: { v: '2' } } } } })),
    complete(1, 2),
    get(D, ...counts),
    events('d', 'ScalingReplicaSet'),
  ),
  experiment(
    'controllers.deployment-unavailable',
    given(
      DEPLOYMENTS,
      deployment(
        'd',
        { replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
        { containers: [container(OBEDIENT)] },
      ),
    ),
    complete(3),
    quiet(patch(D, 'merge', { spec: { template: { metadata: { annotations: { v: '2' } } } } })),
    within(60, complete(3, 2)),
    events('d', 'ScalingReplicaSet'),
  ),
  experiment(
    'controllers.deployment-stuck',
    given(DEPLOYMENTS, deployment('d', { replicas: 1, progressDeadlineSeconds: 2 }, { containers: [gated] })),
    quiet(until(D, { status: { conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] } })),
    get(D, ...counts, ...condition),
  ),
  experiment(
    'controllers.deployment-paused',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    quiet(patch(D, 'merge', { spec: { paused: true, template: { metadata: { annotations: { v: '2' } } } } })),
    quiet(until(D, { status: { observedGeneration: 2 } })),
    quiet(until(D, { status: { conditions: [{ reason: 'DeploymentPaused' }] } })),
    get(D, ...counts, ...condition),
    get(REPLICASETS, 'items.spec.replicas'),
  ),
  experiment(
    'controllers.deployment-scales',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    quiet(patch(`${D}/scale`, 'merge', { spec: { replicas: 3 } })),
    complete(3, 2),
    quiet(patch(`${D}/scale`, 'merge', { spec: { replicas: 0 } })),
    quiet(until(D, { status: { observedGeneration: 3, readyReplicas: null } })),
    get(D, ...counts),
    events('d', 'ScalingReplicaSet'),
  ),
  experiment(
    'controllers.deployment-rolls-back',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    quiet(patch(D, 'merge', { spec: { template: { metadata: { annotations: { v: '2' } } } } })),
    complete(1, 2),
    quiet(patch(D, 'merge', { spec: { template: { metadata: { annotations: { v: null } } } } })),
    complete(1, 3),
    get(D, 'metadata.annotations', ...counts),
    get(REPLICASETS, 'items.metadata.annotations'),
  ),
];
