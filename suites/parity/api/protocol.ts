// What the server says to requests that fit no object: methods, media types, bodies, discovery.
import { experiment, get, given, named, post, remove, request } from '../steps.ts';
import { configMap, idle } from '../objects.ts';

const raw = (method: string, path: string, text: string, type: string) =>
  request(method, path, undefined, { raw: text, type });
const map = JSON.stringify(configMap('a'));
const resource = (name: string) => ['kind', 'groupVersion', `resources.${name}`];

export const protocol = [
  experiment(
    'api.404-paths',
    get('/apis/none.quiesce.dev/v1'),
    get('/api/v1/nonsense'),
    get('/nonsense'),
    get('nonsenses/a'),
    get('configmaps/a/nonsense'),
  ),
  experiment(
    'api.404-subresource',
    given('configmaps', configMap('a')),
    get('configmaps/a/status'),
    get('configmaps/a/scale'),
  ),
  experiment(
    'api.405',
    given('configmaps', configMap('a')),
    request('POST', 'configmaps/a', configMap('a')),
    request('PUT', 'configmaps', configMap('a')),
    request('PATCH', 'configmaps', {}, { type: 'application/merge-patch+json' }),
    request('PUT', '/version', {}),
    post('/api/v1/configmaps', configMap('a')),
    request('GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
    request('DELETE', '/api/v1/namespaces'),
  ),
  experiment(
    'api.415',
    raw('POST', 'configmaps', 'a=b', 'application/x-www-form-urlencoded'),
    given('configmaps', configMap('a')),
    raw('PATCH', 'configmaps/a', '{}', 'application/json'),
    raw('PUT', 'configmaps/a', map, 'text/plain'),
  ),
  experiment(
    'api.400-bodies',
    raw('POST', 'configmaps', '{', 'application/json'),
    raw('POST', 'configmaps', '[]', 'application/json'),
    raw('POST', 'configmaps', '', 'application/json'),
    raw('POST', 'configmaps', '{"kind":"ConfigMap"}', 'application/json'),
    raw('POST', 'configmaps', '"text"', 'application/json'),
  ),
  experiment(
    'api.yaml-body',
    raw(
      'POST',
      'configmaps',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\ndata:\n  a: "1"\n',
      'application/yaml',
    ),
  ),
  experiment(
    'api.406',
    request('GET', 'configmaps', undefined, { accept: 'text/plain' }),
    request('GET', '/version', undefined, { accept: 'text/html' }),
  ),
  experiment('api.version', get('/version', 'major', 'minor', 'platform')),
  experiment('api.discovery-core', get('/api', 'kind', 'versions'), get('/api/v1', 'kind', 'groupVersion')),
  experiment('api.discovery-legacy-group', get('/apis/apps'), get('/apis/policy')),
  experiment(
    'api.discovery-resources',
    named('apps', get('/apis/apps/v1', ...resource('name'), 'resources.kind', 'resources.namespaced')),
    named(
      'policy',
      get('/apis/policy/v1', 'kind', 'groupVersion', 'resources.name', 'resources.shortNames', 'resources.verbs'),
    ),
    named('discovery', get('/apis/discovery.k8s.io/v1', 'resources.name', 'resources.verbs', 'resources.kind')),
    named('coordination', get('/apis/coordination.k8s.io/v1', 'resources.name', 'resources.verbs', 'resources.kind')),
  ),
  experiment('api.health', get('/healthz'), get('/readyz'), get('/livez')),
  experiment(
    'api.access-review',
    post(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
      },
      'kind',
      'status.allowed',
    ),
  ),
  experiment(
    'api.namespace',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}' } }),
    get('/api/v1/namespaces/{ns}', 'kind', 'spec', 'status', 'metadata.labels'),
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'Bad_Name' } }),
    remove('/api/v1/namespaces/{ns}?dryRun=All', undefined, 'kind', 'status.phase', 'spec'),
    post('/api/v1/namespaces?dryRun=All', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'parity-dry' } }),
  ),
  experiment(
    'api.namespace-terminating',
    {
      ...given('configmaps', configMap('held', {}, { finalizers: ['quiesce.dev/hold'] })),
    },
    remove('/api/v1/namespaces/{ns}', undefined, 'kind', 'status.phase', 'spec.finalizers'),
    post('configmaps', configMap('late')),
    post('pods', idle('late')),
    request(
      'PATCH',
      'configmaps/held',
      { metadata: { finalizers: null } },
      { type: 'application/merge-patch+json', quiet: true },
    ),
  ),
];
