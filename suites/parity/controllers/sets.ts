// ReplicaSets: whom they adopt, and whom they let go.
import { OBEDIENT, REPLICASETS, container, pod, replicaSet } from '../objects.ts';
import { events, eventsOnly, experiment, get, given, gone, named, patch, quiet, rest, until } from '../steps.ts';
import { R, owned, gated, appOf } from './workloads-parts.ts';

export const sets = [
  experiment(
    'controllers.replicaset-events',
    given(REPLICASETS, replicaSet('r', { replicas: 1 })),
    quiet(until(R, { status: { readyReplicas: 1 } })),
    get(R, 'status'),
    get('pods', ...owned),
    events('r', 'SuccessfulCreate'),
    quiet(patch(R, 'merge', { spec: { replicas: 0 } })),
    events('r', 'SuccessfulDelete'),
  ),
  experiment(
    'controllers.replicaset-adopts',
    given('pods', pod('orphan', container(OBEDIENT), {}, appOf('r'))),
    quiet(until('pods/orphan', { status: { phase: 'Running' } })),
    given(REPLICASETS, replicaSet('r', { replicas: 1 })),
    quiet(until(R, { status: { readyReplicas: 1 } })),
    get('pods', 'items.metadata.name', ...owned),
  ),
  experiment(
    'controllers.replicaset-releases',
    given(REPLICASETS, replicaSet('r', { replicas: 1 })),
    quiet(until(R, { status: { readyReplicas: 1 } })),
    named('list', get('pods?labelSelector=app%3Dr', ...owned)),
    given('pods', pod('plain', container(OBEDIENT), {}, appOf('r'))),
    rest(1),
    quiet(until(R, { status: { replicas: 1 } })),
    get(R, 'spec.replicas', 'status.replicas'),
  ),
  experiment(
    'controllers.replicaset-owned-elsewhere',
    given(REPLICASETS, replicaSet('r', { replicas: 0 })),
    given(REPLICASETS, replicaSet('s', { replicas: 0, selector: { matchLabels: { app: 's' } } })),
    given('pods', pod('p', container(OBEDIENT), {}, appOf('r'))),
    rest(1),
    quiet(until('pods/p', 'gone')),
    get('pods', 'items.metadata.name'),
  ),
  experiment(
    'controllers.replicaset-refused',
    given(REPLICASETS, replicaSet('r', { replicas: 1 }, { serviceAccountName: 'none' })),
    eventsOnly('r', 'FailedCreate'),
    get(R, 'status'),
  ),
  experiment(
    'controllers.scale-down-unready-first',
    given(REPLICASETS, replicaSet('r', { replicas: 2 }, { containers: [gated] })),
    quiet(until(R, { status: { replicas: 2 } })),
    rest(2),
    quiet(patch(R, 'merge', { spec: { replicas: 1 } })),
    quiet(until(R, { status: { replicas: 1 } })),
    get(R, 'status'),
  ),
  experiment(
    'controllers.scale-down-cost',
    given(
      'pods',
      pod(
        'cheap',
        container(OBEDIENT),
        {},
        { ...appOf('r'), annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } },
      ),
    ),
    given(
      'pods',
      pod(
        'dear',
        container(OBEDIENT),
        {},
        { ...appOf('r'), annotations: { 'controller.kubernetes.io/pod-deletion-cost': '5' } },
      ),
    ),
    given('pods', pod('plain', container(OBEDIENT), {}, appOf('r'))),
    quiet(until('pods/cheap', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } })),
    quiet(until('pods/dear', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })),
    quiet(until('pods/plain', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })),
    given(REPLICASETS, replicaSet('r', { replicas: 3 })),
    quiet(until(R, { status: { readyReplicas: 3 } })),
    quiet(patch(R, 'merge', { spec: { replicas: 2 } })),
    gone('pods/cheap'),
    quiet(patch(R, 'merge', { spec: { replicas: 1 } })),
    gone('pods/plain'),
    get('pods', 'items.metadata.name'),
  ),
];
