// The scheduler: why a Pod waits, who makes room for whom. They look at the cluster's only Node.
import {
  alone,
  eventsOnly,
  experiment,
  get,
  given,
  gone,
  late,
  named,
  patch,
  post,
  quiet,
  remove,
  rest,
  trace,
  until,
} from '../steps.ts';
import { container, OBEDIENT, pod } from '../objects.ts';

const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const RESOURCE = 'quiesce.dev/parity';
const node = '/api/v1/nodes/{node}';
/** Gives the Node two units of a resource of ours, and takes them away again. */
const gives = quiet(
  patch(`${node}/status`, 'json', [
    { op: 'add', path: '/status/capacity/quiesce.dev~1parity', value: '2' },
    { op: 'add', path: '/status/allocatable/quiesce.dev~1parity', value: '2' },
  ]),
);
const takes = quiet(
  patch(`${node}/status`, 'json', [
    { op: 'remove', path: '/status/capacity/quiesce.dev~1parity' },
    { op: 'remove', path: '/status/allocatable/quiesce.dev~1parity' },
  ]),
);
const asks = (name: string, count: number, spec = {}, metadata = {}) =>
  pod(name, container(OBEDIENT, { resources: { limits: { [RESOURCE]: String(count) } } }), spec, metadata);
const waits = quiet(until('pods/p', { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } }));
const told = [waits, get('pods/p', 'status', 'spec.nodeName'), eventsOnly('p', 'FailedScheduling')];
const priority = (name: string, value: number, more = {}) =>
  given(CLASSES, { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more });
const runs = (name: string) =>
  quiet(until(`pods/${name}`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));
const HIGH = `${CLASSES}/parity-high`;
const LOW = `${CLASSES}/parity-low`;

export const scheduling = [
  experiment(
    'controllers.schedule',
    given('pods', pod('p')),
    eventsOnly('p', 'Scheduled'),
    get('pods/p', 'spec.nodeName'),
  ),
  experiment(
    'controllers.unschedulable-cpu',
    given('pods', pod('p', container(OBEDIENT, { resources: { requests: { cpu: '4000' } } }))),
    ...told,
  ),
  experiment(
    'controllers.unschedulable-many',
    given('pods', pod('p', container(OBEDIENT, { resources: { requests: { cpu: '4000', memory: '900Ti' } } }))),
    ...told,
  ),
  experiment('controllers.unschedulable-resource', given('pods', asks('p', 1)), ...told),
  experiment(
    'controllers.unschedulable-selector',
    given('pods', pod('p', container(OBEDIENT), { nodeSelector: { none: 'x' } })),
    ...told,
  ),
  experiment(
    'controllers.unschedulable-affinity',
    given(
      'pods',
      pod('p', container(OBEDIENT), {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'none', operator: 'Exists' }] }],
            },
          },
        },
      }),
    ),
    ...told,
  ),
  experiment(
    'controllers.unschedulable-gate',
    given('pods', pod('p', container(OBEDIENT), { schedulingGates: [{ name: 'quiesce.dev/gate' }] })),
    waits,
    get('pods/p', 'status'),
    rest(1),
    eventsOnly('p'),
    quiet(patch('pods/p', 'merge', { spec: { schedulingGates: null } })),
    quiet(until('pods/p', { status: { phase: 'Running' } })),
    get('pods/p', 'spec.schedulingGates'),
  ),
  alone(
    experiment(
      'controllers.cordoned',
      quiet(patch(node, 'merge', { spec: { unschedulable: true } })),
      quiet(until(node, { spec: { taints: [{ key: 'node.kubernetes.io/unschedulable' }] } })),
      get(node, 'spec.taints.key', 'spec.taints.effect', 'spec.unschedulable'),
      given('pods', pod('p')),
      ...told,
      quiet(patch(node, 'merge', { spec: { unschedulable: null } })),
      runs('p'),
      get(node, 'spec.taints'),
    ),
  ),
  alone(
    experiment(
      'controllers.tainted',
      quiet(patch(node, 'merge', { spec: { taints: [{ key: 'quiesce.dev/t', value: 'v', effect: 'NoSchedule' }] } })),
      given('pods', pod('p')),
      ...told,
      given(
        'pods',
        pod('q', container(OBEDIENT), {
          tolerations: [{ key: 'quiesce.dev/t', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
        }),
      ),
      runs('q'),
      quiet(patch(node, 'merge', { spec: { taints: null } })),
      runs('p'),
    ),
  ),
  alone(
    experiment(
      'controllers.preempts',
      gives,
      priority('parity-high', 1000),
      priority('parity-low', 10),
      given('pods', asks('victim', 2, { priorityClassName: 'parity-low' })),
      runs('victim'),
      rest(4),
      trace(
        'victim',
        'pods/victim',
        'status.conditions.type',
        'status.conditions.reason',
        'metadata.deletionGracePeriodSeconds',
        'status.phase',
      ),
      given('pods', asks('p', 2, { priorityClassName: 'parity-high' })),
      quiet(until('pods/victim', { status: { conditions: [{ type: 'DisruptionTarget' }] } })),
      runs('p'),
      get('pods/p', 'spec.priority', 'spec.preemptionPolicy', 'status.nominatedNodeName'),
      eventsOnly('victim', 'Preempted'),
      eventsOnly('p', 'FailedScheduling', 'Scheduled'),
      takes,
    ),
    HIGH,
    LOW,
  ),
  alone(
    experiment(
      'controllers.preempts-never',
      gives,
      priority('parity-high', 1000, { preemptionPolicy: 'Never' }),
      given('pods', asks('victim', 2)),
      runs('victim'),
      given('pods', asks('p', 2, { priorityClassName: 'parity-high' })),
      ...told,
      takes,
    ),
    HIGH,
  ),
  alone(
    experiment(
      'controllers.preempts-fewest',
      gives,
      priority('parity-high', 1000),
      priority('parity-low', 10),
      given('pods', asks('a', 1, { priorityClassName: 'parity-low' })),
      given('pods', asks('b', 1)),
      runs('a'),
      runs('b'),
      rest(4),
      given('pods', asks('p', 1, { priorityClassName: 'parity-high' })),
      runs('p'),
      gone('pods/b'),
      get('pods', 'items.metadata.name'),
      takes,
    ),
    HIGH,
    LOW,
  ),
  alone(
    experiment(
      'controllers.same-priority-waits',
      gives,
      given('pods', asks('a', 2)),
      runs('a'),
      given('pods', asks('p', 1)),
      ...told,
      quiet(remove('pods/a')),
      runs('p'),
      takes,
    ),
  ),
  alone(
    experiment(
      'controllers.priority-default',
      priority('parity-high', 7, { globalDefault: true }),
      post('pods?dryRun=All', pod('p'), 'spec.priority', 'spec.priorityClassName', 'spec.preemptionPolicy'),
      post('pods?dryRun=All', { ...pod('q'), spec: { ...pod('q').spec, priority: 9 } }),
      late(named('class', patch(HIGH, 'merge', undefined)), () => ({ value: 8 })),
    ),
    HIGH,
  ),
];
