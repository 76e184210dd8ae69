// Lists, selectors, chunks, watches and tables.
import { experiment, get, given, late, named, patch, post, quiet, remove, request, watch, within } from '../steps.ts';
import { configMap, idle } from '../objects.ts';
import type { Recall, WatchStep } from '../experiment.ts';

const labelled = (name: string, labels: Record<string, string>) => given('configmaps', configMap(name, {}, { labels }));
const three = [labelled('a', { x: '1' }), labelled('b', { x: '2', y: '1' }), labelled('c', { y: '2' })];
const names = (path: string) => get(path, 'kind', 'items.metadata.name');
const select = (text: string) => names(`configmaps?labelSelector=${encodeURIComponent(text)}`);
const mine = (text: string) => select(`${text},!none`);
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const fromMade = (step: WatchStep, label = 'made'): WatchStep => ({
  ...step,
  lateQuery: (recall: Recall) => ({ resourceVersion: recall(label).metadata['resourceVersion'] ?? '' }),
});
const onlyA = { fieldSelector: 'metadata.name=a' };

export const lists = [
  experiment('api.list-empty', get('endpoints'), get('pods')),
  experiment(
    'api.label-selectors',
    ...three,
    ...['x', 'x=1', 'x==1', 'x!=1,y', 'x in (1,2)', 'y notin (1),y', '!x,y', 'x=1,y=1', 'y>1'].map(mine),
    select('x in ('),
    select('=x'),
    select('x=a b'),
  ),
  experiment(
    'api.field-selectors',
    ...three,
    names('configmaps?fieldSelector=metadata.name%3Da'),
    names('configmaps?fieldSelector=metadata.name!%3Da&labelSelector=x'),
    names('configmaps?fieldSelector=data.a%3D1'),
    names('configmaps?fieldSelector=nonsense'),
  ),
  experiment(
    'api.pod-field-selectors',
    given('pods', idle('a')),
    given('pods', idle('b', { nodeName: 'nowhere' })),
    names('pods?fieldSelector=spec.nodeName%3Dnowhere'),
    names('pods?fieldSelector=status.phase%3DPending'),
    names('pods?fieldSelector=status.phase!%3DPending'),
    names('pods?fieldSelector=spec.schedulerName%3Dnobody,spec.restartPolicy%3DAlways'),
    names('pods?fieldSelector=spec.containers%3Dx'),
  ),
  experiment(
    'api.list-chunks',
    ...three,
    named(
      'first',
      get(
        'configmaps?limit=2&labelSelector=!none',
        'kind',
        'items.metadata.name',
        'metadata.continue',
        'metadata.remainingItemCount',
      ),
    ),
    named(
      'plain',
      get('configmaps?limit=2', 'items.metadata.name', 'metadata.continue', 'metadata.remainingItemCount'),
    ),
    get('configmaps?limit=2&continue=nonsense'),
    get('configmaps?limit=x'),
  ),
  experiment(
    'api.list-versions',
    given('configmaps', configMap('a')),
    names('configmaps?resourceVersion=0&fieldSelector=metadata.name%3Da'),
    get('configmaps?resourceVersion=1&resourceVersionMatch=Exact'),
    get('configmaps?resourceVersion=nonsense'),
    get('configmaps?resourceVersionMatch=Exact'),
    get('configmaps?resourceVersion=5&resourceVersionMatch=Nonsense'),
  ),
  experiment(
    'api.watch-from-list',
    named('made', post('configmaps', configMap('a', { n: '1' }), 'data')),
    quiet(patch('configmaps/a', 'merge', { data: { n: '2' } })),
    quiet(remove('configmaps/a')),
    fromMade(watch('configmaps', onlyA, 2, 'metadata.name', 'data')),
  ),
  experiment(
    'api.watch-initial',
    given('configmaps', configMap('a', { n: '1' })),
    watch('configmaps', onlyA, 1, 'metadata.name', 'data', 'metadata.resourceVersion'),
    named('zero', watch('configmaps', { ...onlyA, resourceVersion: '0' }, 1, 'metadata.name', 'data')),
  ),
  experiment(
    'api.watch-selector-leaves',
    named('made', post('configmaps', configMap('a', {}, { labels: { x: '1' } }), 'metadata.labels')),
    quiet(patch('configmaps/a', 'merge', { metadata: { labels: { x: '2' } } })),
    quiet(patch('configmaps/a', 'merge', { metadata: { labels: { x: '1' } } })),
    fromMade(watch('configmaps', { labelSelector: 'x=1' }, 2, 'metadata.name', 'metadata.labels')),
  ),
  experiment(
    'api.watch-gone',
    watch('configmaps', { resourceVersion: '1' }, 1),
    watch('configmaps', { resourceVersion: 'x' }, 1),
  ),
  experiment(
    'api.watch-times-out',
    named('made', post('configmaps', configMap('a'), 'data')),
    fromMade(within(10, watch('configmaps', { timeoutSeconds: '1', ...onlyA }, 1))),
  ),
  experiment(
    'api.watch-list',
    given('configmaps', configMap('a')),
    watch(
      'configmaps',
      { ...onlyA, sendInitialEvents: 'true', allowWatchBookmarks: 'true', resourceVersionMatch: 'NotOlderThan' },
      2,
      'metadata.name',
    ),
    named('no-match', watch('configmaps', { ...onlyA, sendInitialEvents: 'true' }, 1)),
  ),
  experiment(
    'api.watch-one-object',
    given('configmaps', configMap('a')),
    watch('configmaps/a', {}, 1, 'metadata.name'),
    named('missing', within(2, watch('configmaps/none', {}, 1))),
    within(4, watch('configmaps/a', { timeoutSeconds: 'x' }, 1)),
  ),
  experiment(
    'api.table-configmaps',
    given('configmaps', configMap('a', { a: '1', b: '2' })),
    request('GET', 'configmaps/a', undefined, { accept: table, keep: ['kind', 'columnDefinitions', 'rows.cells'] }),
  ),
  experiment(
    'api.table-pods',
    given('pods', idle('a')),
    request('GET', 'pods', undefined, {
      accept: table,
      keep: [
        'kind',
        'columnDefinitions.name',
        'columnDefinitions.type',
        'columnDefinitions.priority',
        'rows.cells',
        'rows.object.kind',
      ],
    }),
    request('GET', 'pods?includeObject=None', undefined, { accept: table, keep: ['rows.object'], label: 'none' }),
    request('GET', 'pods?includeObject=Nonsense', undefined, { accept: table, label: 'nonsense' }),
  ),
  experiment(
    'api.table-others',
    ...[
      'services',
      'apps/v1:deployments',
      'apps/v1:replicasets',
      'policy/v1:poddisruptionbudgets',
      'events',
      'discovery.k8s.io/v1:endpointslices',
      'coordination.k8s.io/v1:leases',
      'secrets',
      '/api/v1/nodes',
      '/api/v1/namespaces',
      '/apis/scheduling.k8s.io/v1/priorityclasses',
    ].map((path) =>
      request('GET', path, undefined, {
        accept: table,
        keep: [
          'kind',
          'columnDefinitions.name',
          'columnDefinitions.type',
          'columnDefinitions.format',
          'columnDefinitions.priority',
        ],
      }),
    ),
  ),
  experiment(
    'api.partial-metadata',
    given('configmaps', configMap('a')),
    request('GET', 'configmaps/a', undefined, { accept: metadataOnly }),
    request('GET', 'configmaps?fieldSelector=metadata.name%3Da', undefined, {
      accept: metadataList,
      keep: ['kind', 'apiVersion', 'items'],
    }),
  ),
  experiment(
    'api.pretty',
    late(get('configmaps?pretty=true&fieldSelector=metadata.name%3Dx', 'kind', 'items'), () => undefined),
  ),
];
