// Other subresources.
import { DEPLOYMENTS, REPLICASETS, deployment, idle, replicaSet } from '../objects.ts';
import { experiment, get, given, late, named, patch, post, put, quiet, until } from '../steps.ts';
import { binding, D } from './subresources-parts.ts';

export const subresources = [
  experiment(
    'api.scale-deployment',
    given(DEPLOYMENTS, deployment('d', { replicas: 0, paused: true })),
    get(`${D}/scale`),
    patch(`${D}/scale`, 'merge', { spec: { replicas: 2 } }),
    get(D, 'spec.replicas', 'metadata.generation'),
    patch(`${D}/scale`, 'merge', { spec: { replicas: -1 } }),
    named(
      'put',
      put(`${D}/scale`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'd' },
        spec: { replicas: 0 },
      }),
    ),
    named('missing', get(`${DEPLOYMENTS}/none/scale`)),
  ),
  experiment(
    'api.scale-replicaset',
    given(REPLICASETS, replicaSet('r', { replicas: 0 })),
    get(`${REPLICASETS}/r/scale`),
    late(put(`${REPLICASETS}/r/scale`, undefined), () => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'r', resourceVersion: '1' },
      spec: { replicas: 1 },
    })),
  ),
  experiment(
    'api.status-of-deployment',
    given(DEPLOYMENTS, deployment('d', { replicas: 0, paused: true })),
    quiet(until(D, { status: { observedGeneration: 1 } })),
    patch(
      `${D}/status`,
      'merge',
      { spec: { replicas: 4 }, metadata: { labels: { a: 'b' } } },
      'spec.replicas',
      'metadata.labels',
      'metadata.generation',
    ),
    get(`${D}/status`, 'kind', 'spec.replicas'),
  ),
  experiment(
    'api.binding',
    given('pods', idle('p')),
    post('pods/p/binding', binding('p', { apiVersion: 'v1', kind: 'Node', name: 'parity-nowhere' })),
    get('pods/p', 'spec.nodeName', 'status'),
    named('again', post('pods/p/binding', binding('p', { kind: 'Node', name: 'parity-other' }))),
    named('missing', post('pods/none/binding', binding('none', { kind: 'Node', name: 'x' }))),
    named('kind', post('pods/p/binding', binding('p', { kind: 'Pod', name: 'x' }))),
    named('empty', post('pods/p/binding', binding('p', { kind: 'Node', name: '' }))),
    named('wrong', post('pods/p/binding', { ...binding('p', { kind: 'Node', name: 'x' }), kind: 'Nonsense' })),
  ),
  experiment(
    'api.binding-legacy',
    given('pods', idle('p')),
    post('bindings', binding('p', { kind: 'Node', name: 'parity-nowhere' })),
    get('pods/p', 'spec.nodeName'),
  ),
  experiment(
    'api.log-refused',
    given('pods', idle('p')),
    get('pods/p/log'),
    get('pods/none/log'),
    get('pods/p/log?container=none'),
    get('pods/p/log?tailLines=x'),
    get('pods/p/log?tailLines=-1'),
    get('pods/p/log?sinceSeconds=0'),
    get('pods/p/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z'),
    get('pods/p/log?limitBytes=0'),
  ),
  experiment(
    'api.token',
    post('serviceaccounts/default/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 1 },
    }),
    post(
      'serviceaccounts/default/token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      'kind',
      'spec.expirationSeconds',
    ),
  ),
  experiment(
    'api.ephemeral',
    given('pods', idle('p')),
    get('pods/p/ephemeralcontainers', 'kind', 'spec.ephemeralContainers'),
  ),
];
