// Who goes with whom.
import { DEPLOYMENTS, OBEDIENT, REPLICASETS, configMap, container, deployment, pod, shell } from '../objects.ts';
import {
  elapsed,
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
  traced,
  until,
} from '../steps.ts';
import { D, complete, policy } from './workloads-parts.ts';

export const garbage = [
  experiment(
    'controllers.gc-background',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    named('deleted', remove(D, policy('Background'))),
    gone('pods'),
    get(REPLICASETS, 'items'),
  ),
  experiment(
    'controllers.gc-foreground',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    remove(
      D,
      policy('Foreground'),
      'metadata.finalizers',
      'metadata.deletionTimestamp',
      'metadata.deletionGracePeriodSeconds',
    ),
    get(D, 'metadata.finalizers', 'metadata.deletionGracePeriodSeconds'),
    gone(D),
    get('pods', 'items'),
  ),
  experiment(
    'controllers.gc-orphan',
    given(DEPLOYMENTS, deployment('d', { replicas: 1 })),
    complete(1),
    remove(D, policy('Orphan'), 'metadata.finalizers', 'metadata.deletionGracePeriodSeconds', 'kind', 'status'),
    gone(D),
    get(REPLICASETS, 'items.metadata.ownerReferences', 'items.spec.replicas'),
    get('pods', 'items.metadata.labels', 'items.status.phase'),
  ),
  experiment(
    'controllers.gc-chain',
    named('a', post('configmaps', configMap('a'), 'data')),
    late(named('b', post('configmaps', undefined, 'data')), (recall) =>
      configMap(
        'b',
        {},
        { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: recall('a').metadata['uid'] }] },
      ),
    ),
    late(named('c', post('configmaps', undefined, 'data')), (recall) =>
      configMap(
        'c',
        {},
        { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: recall('b').metadata['uid'] }] },
      ),
    ),
    quiet(remove('configmaps/a')),
    gone('configmaps/c'),
    get('configmaps/b'),
  ),
  experiment(
    'controllers.gc-two-owners',
    named('a', post('configmaps', configMap('a'), 'data')),
    named('z', post('configmaps', configMap('z'), 'data')),
    late(named('b', post('configmaps', undefined, 'data')), (recall) =>
      configMap(
        'b',
        {},
        {
          ownerReferences: ['a', 'z'].map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name,
            uid: recall(name).metadata['uid'],
          })),
        },
      ),
    ),
    quiet(remove('configmaps/a')),
    quiet(until('configmaps/b', { metadata: { ownerReferences: [{ name: 'z' }] } })),
    rest(1),
    get('configmaps/b', 'metadata.ownerReferences'),
    quiet(remove('configmaps/z')),
    gone('configmaps/b'),
  ),
  experiment(
    'controllers.gc-absent-owner',
    given(
      'configmaps',
      configMap(
        'b',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '11111111-2222-3333-4444-555555555555' },
          ],
        },
      ),
    ),
    gone('configmaps/b'),
    eventsOnly('none'),
  ),
  experiment(
    'controllers.gc-blocking',
    named('a', post('configmaps', configMap('a'), 'data')),
    late(named('b', post('configmaps', undefined, 'data')), (recall) =>
      configMap(
        'b',
        {},
        {
          finalizers: ['quiesce.dev/hold'],
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: 'a',
              uid: recall('a').metadata['uid'],
              blockOwnerDeletion: true,
            },
          ],
        },
      ),
    ),
    quiet(remove('configmaps/a', policy('Foreground'))),
    quiet(until('configmaps/b', { metadata: { deletionGracePeriodSeconds: 0 } })),
    rest(1),
    get('configmaps/a', 'metadata.finalizers'),
    quiet(patch('configmaps/b', 'merge', { metadata: { finalizers: null } })),
    gone('configmaps/a'),
  ),
  experiment(
    'controllers.node-of-nobody',
    given('pods', pod('p', container(OBEDIENT), { nodeName: 'parity-absent' })),
    gone('pods/p', 90),
    elapsed('POST pods', 'until pods/p', 60),
  ),
  experiment(
    'controllers.namespace-empties',
    given('configmaps', configMap('a')),
    given('pods', pod('p', container(shell('sleep 1000')), { terminationGracePeriodSeconds: 1 })),
    quiet(until('pods/p', { status: { phase: 'Running' } })),
    rest(3),
    remove('/api/v1/namespaces/{ns}', undefined, 'status.phase'),
    trace('ns', '/api/v1/namespaces/{ns}', 'status.phase', 'spec.finalizers'),
    gone('/api/v1/namespaces/{ns}'),
    traced('ns'),
  ),
];
