// Creating, reading, replacing and deleting one object, and what is refused.
import { experiment, get, given, late, named, patch, post, put, quiet, remove, request, until } from '../steps.ts';
import { configMap, idle, service } from '../objects.ts';

const cm = (data: Record<string, string>, metadata: Record<string, unknown> = {}) => configMap('a', data, metadata);
const options = (more: Record<string, unknown>) => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });

export const objects = [
  experiment('api.create', post('configmaps', cm({ a: '1' })), get('configmaps/a')),
  experiment('api.create-twice', given('configmaps', cm({})), post('configmaps', cm({}))),
  experiment('api.create-wrong-namespace', post('configmaps', cm({}, { namespace: 'elsewhere' }))),
  experiment(
    'api.create-missing-namespace',
    post('/api/v1/namespaces/parity-nowhere/configmaps', cm({})),
    get('/api/v1/namespaces/parity-nowhere/configmaps'),
  ),
  experiment('api.create-with-version', post('configmaps', cm({}, { resourceVersion: '1' }))),
  experiment('api.create-with-uid', post('configmaps', cm({}, { uid: 'chosen', creationTimestamp: null }))),
  experiment('api.create-wrong-kind', post('configmaps', { ...cm({}), kind: 'Secret' })),
  experiment('api.create-wrong-version', post('configmaps', { ...cm({}), apiVersion: 'v2' })),
  experiment('api.create-no-name', post('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', data: {} })),
  experiment(
    'api.create-bad-names',
    post('configmaps', configMap('Big')),
    post('configmaps', configMap('-a')),
    post('configmaps', configMap('a_b')),
    post('configmaps', configMap('a'.repeat(254))),
    post('services', service('1a')),
  ),
  experiment(
    'api.create-bad-labels',
    post('configmaps', cm({}, { labels: { 'a b': '1' } })),
    post('configmaps', cm({}, { labels: { a: 'x y' } })),
    post('configmaps', cm({}, { labels: { a: 'x'.repeat(64) } })),
    post('configmaps', cm({}, { annotations: { 'a/b/c': '1' } })),
  ),
  experiment('api.create-bad-key', post('configmaps', cm({ 'a b': '1' }))),
  experiment(
    'api.create-wrong-type',
    post('configmaps', { ...cm({}), data: { a: 1 } }),
    post('configmaps', { ...cm({}), data: [] }),
  ),
  experiment(
    'api.generate-name',
    post('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'some-' } }),
    get('configmaps?limit=0', 'items.metadata.generateName'),
  ),
  experiment(
    'api.dry-run',
    post('configmaps?dryRun=All', cm({ a: '1' })),
    get('configmaps/a'),
    given('configmaps', cm({ a: '1' })),
    put('configmaps/a?dryRun=All', cm({ a: '2' })),
    patch('configmaps/a?dryRun=All', 'merge', { data: { b: '3' } }),
    remove('configmaps/a?dryRun=All'),
    post('configmaps?dryRun=None', cm({})),
    named('after', get('configmaps/a')),
  ),
  experiment(
    'api.get-missing',
    get('configmaps/none'),
    remove('configmaps/none'),
    put('configmaps/none', configMap('none')),
  ),
  experiment(
    'api.put-conflict',
    named('made', post('configmaps', cm({ a: '1' }), 'data')),
    late(put('configmaps/a', undefined), (recall) =>
      cm({ a: '2' }, { resourceVersion: recall('made').metadata['resourceVersion'] }),
    ),
    late(named('stale', put('configmaps/a', undefined)), (recall) =>
      cm({ a: '3' }, { resourceVersion: recall('made').metadata['resourceVersion'] }),
    ),
    named('unconditional', put('configmaps/a', cm({ a: '4' }))),
  ),
  experiment('api.put-wrong-name', given('configmaps', cm({})), put('configmaps/a', configMap('b'))),
  experiment(
    'api.put-wrong-uid',
    given('configmaps', cm({})),
    put('configmaps/a', cm({}, { uid: '11111111-2222-3333-4444-555555555555' })),
  ),
  experiment(
    'api.put-unchanged',
    named('made', post('configmaps', cm({ a: '1' }), 'metadata.name')),
    named('put', put('configmaps/a', cm({ a: '1' }), 'metadata.name')),
    late(named('same', put('configmaps/a', undefined, 'data')), (recall) =>
      cm({ a: '1' }, { resourceVersion: recall('made').metadata['resourceVersion'] }),
    ),
  ),
  experiment(
    'api.put-metadata',
    named('made', post('configmaps', cm({}, { labels: { a: '1' }, finalizers: ['quiesce.dev/hold'] }))),
    put('configmaps/a', cm({}, { annotations: { b: '2' }, finalizers: ['quiesce.dev/hold'] })),
    put('configmaps/a', cm({})),
  ),
  experiment('api.delete', given('configmaps', cm({})), remove('configmaps/a'), get('configmaps/a')),
  experiment('api.delete-service', given('services', service('s')), remove('services/s')),
  experiment(
    'api.delete-preconditions',
    named('made', post('configmaps', cm({}), 'metadata.name')),
    remove('configmaps/a', options({ preconditions: { uid: '11111111-2222-3333-4444-555555555555' } })),
    remove('configmaps/a', options({ preconditions: { resourceVersion: '1' } })),
    late(named('right', remove('configmaps/a')), (recall) =>
      options({
        preconditions: {
          uid: recall('made').metadata['uid'],
          resourceVersion: recall('made').metadata['resourceVersion'],
        },
      }),
    ),
  ),
  experiment(
    'api.delete-options',
    given('configmaps', cm({})),
    remove('configmaps/a', options({ propagationPolicy: 'Sideways' })),
    remove('configmaps/a', options({ gracePeriodSeconds: -1 })),
    remove('configmaps/a', options({ orphanDependents: true, propagationPolicy: 'Orphan' })),
    remove('configmaps/a', { kind: 'Nonsense', apiVersion: 'v1' }),
  ),
  experiment(
    'api.delete-collection',
    given('configmaps', configMap('a', {}, { labels: { x: '1' } })),
    given('configmaps', configMap('b', {}, { labels: { x: '1' } })),
    given('configmaps', configMap('c', {}, { labels: { x: '2' } })),
    remove('configmaps?labelSelector=x%3D1', undefined, 'kind', 'items.metadata.name'),
    get('configmaps?labelSelector=x', 'items.metadata.name'),
  ),
  experiment(
    'api.finalizer',
    given('configmaps', cm({}, { finalizers: ['quiesce.dev/hold'] })),
    named('first', remove('configmaps/a')),
    get('configmaps/a'),
    named('second', remove('configmaps/a')),
    patch('configmaps/a', 'merge', { metadata: { finalizers: ['quiesce.dev/hold', 'quiesce.dev/more'] } }),
    patch('configmaps/a', 'merge', { data: { b: '1' } }),
    named('release', patch('configmaps/a', 'merge', { metadata: { finalizers: null } })),
    named('after', get('configmaps/a')),
  ),
  experiment(
    'api.finalizer-bad-name',
    post('configmaps', cm({}, { finalizers: ['nonsense'] })),
    post('configmaps', cm({}, { finalizers: ['a b/c'] })),
  ),
  experiment(
    'api.owner-refs-checked',
    post('configmaps', cm({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }] })),
    post('configmaps', cm({}, { ownerReferences: [{ apiVersion: 'v1', kind: '', name: 'x', uid: 'u' }] })),
    post(
      'configmaps',
      cm(
        {},
        {
          ownerReferences: ['x', 'y'].map((name) => ({
            apiVersion: 'v1',
            kind: 'Pod',
            name,
            uid: name,
            controller: true,
          })),
        },
      ),
    ),
  ),
  experiment(
    'api.immutable-configmap',
    given('configmaps', { ...cm({ a: '1' }), immutable: true }),
    patch('configmaps/a', 'merge', { data: { a: '2' } }),
    patch('configmaps/a', 'merge', { immutable: false }),
    patch('configmaps/a', 'merge', { metadata: { labels: { x: 'y' } } }, 'metadata.labels'),
  ),
  experiment(
    'api.secret',
    post('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'text' } }),
    post('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 't' }, data: { a: 'no base64!' } }),
    patch('secrets/s', 'merge', { type: 'other' }),
  ),
  experiment(
    'api.strict-fields',
    post('configmaps?fieldValidation=Strict', { ...cm({}), nonsense: 1 }),
    post('configmaps?fieldValidation=Warn', { ...cm({}), nonsense: 1 }),
    quiet(remove('configmaps/a')),
    post('configmaps?fieldValidation=Ignore', { ...cm({}), nonsense: 1 }),
    post('configmaps?fieldValidation=Maybe', configMap('b')),
    post('pods?fieldValidation=Strict', idle('p', { nonsense: true })),
  ),
  experiment(
    'api.serviceaccount-of-namespace',
    until('serviceaccounts/default', { metadata: { name: 'default' } }, 'metadata.name', 'secrets'),
    request('POST', 'serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } }),
  ),
];
