// The four kinds of patch, server-side apply with its owners and conflicts among them.
import { experiment, get, given, late, named, patch, post, put, request } from '../steps.ts';
import { configMap, container, idle, DEPLOYMENTS, deployment } from '../objects.ts';

const a = 'configmaps/a';
const made = given('configmaps', configMap('a', { a: '1', b: '2' }));
const json = (...operations: unknown[]) => patch(a, 'json', operations, 'data', 'metadata.labels');
const owners = ['data', 'metadata.labels', 'metadata.managedFields'];
const apply = (manager: string, object: object, query = '', ...keep: string[]) =>
  named(`apply ${manager}${query}`, patch(`configmaps/a?fieldManager=${manager}${query}`, 'apply', object, ...keep));
const cm = (data: Record<string, string>, metadata = {}) => configMap('a', data, metadata);
const strategic = (body: object, ...keep: string[]) => patch('pods/p', 'strategic', body, ...keep);

export const patches = [
  experiment(
    'api.patch-json',
    made,
    json({ op: 'add', path: '/data/c', value: '3' }),
    json({ op: 'replace', path: '/data/a', value: '9' }, { op: 'remove', path: '/data/b' }),
    json({ op: 'copy', from: '/data/a', path: '/data/d' }, { op: 'move', from: '/data/c', path: '/data/e' }),
    json({ op: 'test', path: '/data/a', value: '9' }, { op: 'add', path: '/metadata/labels', value: { x: 'y' } }),
  ),
  experiment('api.patch-json-test-fails', made, json({ op: 'test', path: '/data/a', value: 'no' })),
  experiment(
    'api.patch-json-missing',
    made,
    json({ op: 'remove', path: '/data/none' }),
    json({ op: 'replace', path: '/data/none', value: '1' }),
    json({ op: 'add', path: '/none/x', value: '1' }),
  ),
  experiment(
    'api.patch-json-nonsense',
    made,
    json({ op: 'invent', path: '/data/a' }),
    patch(a, 'json', { op: 'add' }),
    json({ op: 'add', path: 'data', value: 1 }),
  ),
  experiment(
    'api.patch-merge',
    made,
    patch(a, 'merge', { data: { a: null, c: '3' }, metadata: { labels: { x: '1' } } }, 'data', 'metadata.labels'),
    patch(a, 'merge', { data: null }, 'data'),
    patch(a, 'merge', { metadata: { name: 'b' } }),
    patch(a, 'merge', []),
    patch(a, 'merge', { data: { a: 1 } }),
    named('missing', patch('configmaps/none', 'merge', { data: {} })),
  ),
  experiment(
    'api.patch-merge-version',
    named('made', post('configmaps', configMap('a'), 'data')),
    patch(a, 'merge', { metadata: { resourceVersion: '1' }, data: { x: '1' } }),
    late(named('right', patch(a, 'merge', undefined, 'data')), (recall) => ({
      metadata: { resourceVersion: recall('made').metadata['resourceVersion'] },
      data: { y: '1' },
    })),
    named('uid', patch(a, 'merge', { metadata: { uid: '11111111-2222-3333-4444-555555555555' } })),
  ),
  experiment(
    'api.patch-strategic-lists',
    given('pods', idle('p', { tolerations: [{ key: 'a', operator: 'Exists' }] }, { finalizers: ['quiesce.dev/a'] })),
    strategic(
      { spec: { containers: [{ name: 'main', image: 'other:2' }] } },
      'spec.containers.image',
      'spec.containers.name',
    ),
    strategic({ metadata: { finalizers: ['quiesce.dev/b'] } }, 'metadata.finalizers'),
    strategic({ metadata: { '$deleteFromPrimitiveList/finalizers': ['quiesce.dev/a'] } }, 'metadata.finalizers'),
    strategic({ spec: { tolerations: [{ key: 'b', operator: 'Exists' }] } }, 'spec.tolerations'),
    strategic({ metadata: { finalizers: null, labels: { a: 'b' } } }, 'metadata.labels', 'metadata.finalizers'),
    strategic({ metadata: { labels: { $patch: 'replace', c: 'd' } } }, 'metadata.labels'),
    strategic({ spec: { containers: [{ image: 'x' }] } }),
  ),
  experiment(
    'api.patch-strategic-template',
    given(
      DEPLOYMENTS,
      deployment(
        'd',
        { replicas: 0 },
        { containers: [container(undefined, { env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] })] },
      ),
    ),
    patch(
      `${DEPLOYMENTS}/d`,
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'B', value: '2' }] }] } } } },
      'spec.template.spec.containers.env',
      'metadata.generation',
    ),
    patch(
      `${DEPLOYMENTS}/d`,
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'A', $patch: 'delete' }] }] } } } },
      'spec.template.spec.containers.env',
      'metadata.generation',
    ),
    patch(
      `${DEPLOYMENTS}/d`,
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'main', ports: [{ containerPort: 81, name: 'x' }] }] } } } },
      'spec.template.spec.containers.ports',
    ),
    patch(
      `${DEPLOYMENTS}/d`,
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'side', image: 'y' }], $setElementOrder: 1 } } } },
      'spec.template.spec.containers.name',
    ),
    patch(
      `${DEPLOYMENTS}/d`,
      'strategic',
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      'spec.strategy',
    ),
  ),
  experiment(
    'api.patch-strategic-refused-for-apply-types',
    made,
    request('PATCH', a, {}, { type: 'application/strategic-merge-patch+json', keep: ['data'] }),
  ),
  experiment(
    'api.managed-fields-of-writes',
    post('configmaps?fieldManager=maker', cm({ a: '1' }), ...owners),
    put('configmaps/a?fieldManager=putter', cm({ a: '1', b: '2' }), ...owners),
    named('merge', patch('configmaps/a?fieldManager=patcher', 'merge', { data: { b: '3' } }, ...owners)),
  ),
  experiment(
    'api.apply-creates',
    apply('one', cm({ a: '1' }), '', ...owners),
    named('again', apply('one', cm({ a: '1' }), '&dryRun=All', ...owners)),
  ),
  experiment(
    'api.apply-removes',
    apply('one', cm({ a: '1', b: '2' }), '', 'data'),
    named('second', apply('one', cm({ a: '1' }), '', ...owners)),
  ),
  experiment(
    'api.apply-conflict',
    apply('one', cm({ a: '1', b: '1' }), '', 'data'),
    apply('two', cm({ a: '2' })),
    apply('two', cm({ a: '1', c: '3' }), '&dryRun=All', ...owners),
    apply('two', cm({ a: '2' }), '&force=true', ...owners),
    named('yields', apply('one', cm({ b: '1' }), '', ...owners)),
  ),
  experiment(
    'api.apply-conflict-many',
    apply('one', cm({ a: '1', b: '1' }, { labels: { x: '1' } }), '', 'data'),
    apply('two', cm({ a: '2', b: '2' }, { labels: { x: '2' } })),
  ),
  experiment(
    'api.apply-after-update',
    post('configmaps?fieldManager=maker', cm({ a: '1' }), 'data'),
    apply('one', cm({ a: '2' })),
    apply('one', cm({ b: '2' }), '', ...owners),
  ),
  experiment(
    'api.apply-needs-manager',
    patch('configmaps/a', 'apply', cm({})),
    named('force', patch('configmaps/a?force=true&fieldManager=x', 'merge', { data: {} })),
    named('managed', apply('one', cm({}, { managedFields: [{ manager: 'x' }] }))),
  ),
  experiment(
    'api.apply-wrong',
    apply('one', { ...cm({}), kind: 'Secret' }),
    named('name', apply('two', configMap('b'))),
    named('type', apply('three', { ...cm({}), data: { a: [1] } })),
    named('unknown', apply('four', { ...cm({}), nonsense: 1 })),
  ),
  experiment(
    'api.apply-pod-lists',
    named(
      'one',
      patch(
        'pods/p?fieldManager=one',
        'apply',
        idle('p', { tolerations: [{ key: 'x', operator: 'Exists' }] }),
        'spec.tolerations',
        'spec.containers.name',
        'metadata.managedFields',
      ),
    ),
    named(
      'two',
      patch('pods/p?fieldManager=two', 'apply', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', labels: { a: 'b' } },
        spec: { containers: [{ name: 'main', image: 'other:2' }] },
      }),
    ),
    named(
      'forced',
      patch(
        'pods/p?fieldManager=two&force=true',
        'apply',
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p', labels: { a: 'b' } },
          spec: { containers: [{ name: 'main', image: 'other:2' }] },
        },
        'spec.containers.image',
        'metadata.labels',
        'metadata.managedFields',
      ),
    ),
  ),
  experiment(
    'api.status-managed-apart',
    given('pods', idle('p')),
    patch(
      'pods/p/status?fieldManager=kube',
      'merge',
      { status: { phase: 'Running' }, metadata: { labels: { a: 'b' } }, spec: { nodeName: 'x' } },
      'status.phase',
      'metadata.labels',
      'spec.nodeName',
      'metadata.managedFields.manager',
      'metadata.managedFields.subresource',
    ),
    get(
      'pods/p',
      'metadata.managedFields.manager',
      'metadata.managedFields.subresource',
      'metadata.managedFields.operation',
    ),
  ),
];
