// Custom resources: their subresources, versions, patches and definitions.
import { experiment, get, given, late, named, patch, post, put, remove, request, watch } from '../steps.ts';
import { CRDS, definition, custom, object, withStatus, scale } from './custom-parts.ts';

export const customs = [
  custom('plain', object({ n: { type: 'integer' } }), ({ thing, things }) => [
    post(things, thing({ n: 1 })),
    get(things),
    put(`${things}/t`, thing({ n: 2 })),
    named('missing', get(`${things}/none`)),
    named('again', post(things, thing({}))),
    remove(`${things}/t`),
    get(`${things}/t`),
  ]),
  custom(
    'status',
    object({ n: { type: 'integer' } }),
    ({ thing, things }) => [
      post(things, thing({ n: 1 }, { status: { s: 'a' } })),
      patch(`${things}/t/status`, 'merge', { status: { s: 'b' }, spec: { n: 9 }, metadata: { labels: { a: 'b' } } }),
      patch(`${things}/t`, 'merge', { status: { s: 'c' }, spec: { n: 2 } }),
      named('put', put(`${things}/t/status`, thing({ n: 5 }, { status: { s: 5 } }))),
      get(`${things}/t/status`),
    ],
    withStatus,
  ),
  custom(
    'generation',
    object({ n: { type: 'integer' } }),
    ({ thing, things }) => [
      post(things, thing({ n: 1 }), 'metadata.generation'),
      named('label', patch(`${things}/t`, 'merge', { metadata: { labels: { a: 'b' } } }, 'metadata.generation')),
      named('spec', patch(`${things}/t`, 'merge', { spec: { n: 2 } }, 'metadata.generation')),
      named('same', patch(`${things}/t`, 'merge', { spec: { n: 2 } }, 'metadata.generation')),
      named('status', patch(`${things}/t/status`, 'merge', { status: { s: 'x' } }, 'metadata.generation', 'status')),
    ],
    withStatus,
  ),
  custom(
    'scale',
    object({}),
    ({ thing, things }) => [
      given(things, thing({ replicas: 2 })),
      get(`${things}/t/scale`),
      patch(`${things}/t/scale`, 'merge', { spec: { replicas: 3 } }),
      get(`${things}/t`, 'spec', 'metadata.generation'),
      named('low', patch(`${things}/t/scale`, 'merge', { spec: { replicas: -1 } })),
    ],
    scale,
  ),
  custom('no-subresources', object({ n: { type: 'integer' } }), ({ thing, things }) => [
    given(things, thing({ n: 1 })),
    get(`${things}/t/status`),
    get(`${things}/t/scale`),
  ]),
  custom(
    'patches',
    object({ n: { type: 'integer' }, l: { type: 'array', items: { type: 'string' } } }),
    ({ thing, things }) => [
      given(things, thing({ n: 1, l: ['a'] })),
      patch(`${things}/t`, 'json', [{ op: 'add', path: '/spec/l/-', value: 'b' }], 'spec'),
      patch(`${things}/t`, 'merge', { spec: { n: 'x' } }),
      patch(`${things}/t`, 'strategic', { spec: { n: 3 } }),
      named(
        'apply',
        patch(`${things}/u?fieldManager=one`, 'apply', thing({ n: 4 }, {}, 'u'), 'spec', 'metadata.managedFields'),
      ),
      named('conflict', patch(`${things}/u?fieldManager=two`, 'apply', thing({ n: 5 }, {}, 'u'))),
      named('unknown', patch(`${things}/u?fieldManager=one`, 'apply', thing({ n: 4, z: 1 }, {}, 'u'))),
    ],
  ),
  custom('put-version', object({ n: { type: 'integer' } }), ({ thing, things }) => [
    named('made', post(things, thing({ n: 1 }), 'spec')),
    put(`${things}/t`, thing({ n: 2 })),
    late(named('right', put(`${things}/t`, undefined, 'spec')), (recall) =>
      thing({ n: 3 }, { metadata: { name: 't', resourceVersion: recall('made').metadata['resourceVersion'] } }),
    ),
    named('stale', put(`${things}/t`, thing({ n: 3 }, { metadata: { name: 't', resourceVersion: '1' } }))),
  ]),
  custom('watch', object({ n: { type: 'integer' } }), ({ thing, things }) => [
    given(things, thing({ n: 1 })),
    watch(things, {}, 1, 'spec', 'metadata.name'),
  ]),
  custom(
    'columns',
    object({ n: { type: 'integer' }, s: { type: 'string' } }),
    ({ thing, things }) => [
      given(things, thing({ n: 3, s: 'x' })),
      request('GET', things, undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
        keep: ['columnDefinitions', 'rows.cells'],
      }),
    ],
    {
      additionalPrinterColumns: [
        { name: 'N', type: 'integer', jsonPath: '.spec.n' },
        { name: 'S', type: 'string', jsonPath: '.spec.s', priority: 1 },
        { name: 'None', type: 'string', jsonPath: '.spec.none' },
      ],
    },
  ),
  custom('discovery', object({}), ({ things }) => [
    get(`/apis/discovery.parity.quiesce.dev/v1`),
    get('/apis/discovery.parity.quiesce.dev'),
    get(things),
  ]),
  custom('definition', object({ a: { type: 'string' } }), ({ crd }) => [
    get(crd, 'spec', 'status.acceptedNames', 'status.storedVersions', 'status.conditions'),
  ]),
  experiment(
    'api.crd-bad',
    ...[
      definition('bad.parity.quiesce.dev', { type: 'nonsense' }),
      definition('bad.parity.quiesce.dev', {}, { schema: undefined }),
      { ...definition('bad.parity.quiesce.dev', { type: 'object' }), metadata: { name: 'wrong' } },
      definition('bad.parity.quiesce.dev', { type: 'object' }, { storage: false }),
      definition('bad.parity.quiesce.dev', { type: 'string', default: 5 }),
      definition('bad', { type: 'object' }),
    ].map((body) => post(`${CRDS}?dryRun=All`, body)),
  ),
  experiment(
    'api.crd-missing',
    get('/apis/none.parity.quiesce.dev/v1/namespaces/{ns}/things'),
    post('none.parity.quiesce.dev/v1:things', {}),
    get(`${CRDS}/things.none`),
  ),
];
