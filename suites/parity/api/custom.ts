// Custom resources: what a structural schema refuses, prunes and fills in, and in which words.
import type { Step } from '../experiment.ts';
import {
  experiment,
  get,
  given,
  late,
  making,
  named,
  patch,
  post,
  put,
  quiet,
  remove,
  request,
  until,
  watch,
} from '../steps.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
type Fields = Record<string, unknown>;

/** One definition for each experiment, since they run side by side. */
const definition = (group: string, spec: Fields, version: Fields = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', shortNames: ['th'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...version,
      },
    ],
  },
});

interface Custom {
  thing: (spec: unknown, more?: Fields, name?: string) => Fields;
  things: string;
  crd: string;
}

/** An experiment with a kind of its own, served before its steps begin. */
function custom(name: string, spec: Fields, steps: (it: Custom) => Step[], version: Fields = {}) {
  const group = `${name}.parity.quiesce.dev`;
  const crd = `${CRDS}/things.${group}`;
  const thing = (value: unknown, more: Fields = {}, called = 't') => ({
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name: called },
    ...(value === undefined ? {} : { spec: value }),
    ...more,
  });
  const things = `${group}/v1:things`;
  const served = [
    quiet(until(crd, 'gone')),
    given(CRDS, definition(group, spec, version)),
    quiet(until(crd, { status: { conditions: [{ type: 'Established', status: 'True' }] } })),
    // Established is told a moment before the path is there; a watch of it waits for that.
    quiet(until(`${things}/none`, 'gone')),
  ];
  return making(experiment(`api.crd-${name}`, ...served, ...steps({ thing, things, crd })), crd);
}

const object = (properties: Fields, more: Fields = {}) => ({ type: 'object', properties, ...more });
const numbers = object({
  n: { type: 'integer', minimum: 1, maximum: 5 },
  f: { type: 'number', exclusiveMinimum: true, minimum: 0 },
  m: { type: 'integer', multipleOf: 5 },
});
const texts = object({
  p: { type: 'string', pattern: '^[a-z]+$' },
  l: { type: 'string', minLength: 2, maxLength: 4 },
  e: { type: 'string', enum: ['one', 'two'] },
  d: { type: 'string', format: 'date-time' },
});
const lists = object({
  a: { type: 'array', maxItems: 2, minItems: 1, items: { type: 'string' } },
  m: {
    type: 'array',
    items: object({ name: { type: 'string' } }, { required: ['name'] }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  s: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
  o: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
});
const status = { subresources: { status: {} } };
const withStatus = {
  ...status,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: object({ n: { type: 'integer' } }), status: object({ s: { type: 'string' } }) },
    },
  },
};
const scale = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: object({ replicas: { type: 'integer', minimum: 0 } }),
        status: object({ replicas: { type: 'integer' }, selector: { type: 'string' } }),
      },
    },
  },
};

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
  custom('numbers', numbers, ({ thing, things }) =>
    [{ n: 0 }, { n: 6 }, { n: '1' }, { n: 1.5 }, { f: 0 }, { m: 7 }, { n: 0, m: 7 }, { n: null }].map((spec) =>
      post(things, thing(spec)),
    ),
  ),
  custom('texts', texts, ({ thing, things }) =>
    [{ p: 'A1' }, { l: 'a' }, { l: 'abcde' }, { e: 'three' }, { d: 'yesterday' }, { e: 3 }].map((spec) =>
      post(things, thing(spec)),
    ),
  ),
  custom('lists', lists, ({ thing, things }) =>
    [
      { a: [] },
      { a: ['1', '2', '3'] },
      { a: [1] },
      { a: 'x' },
      { m: [{}] },
      { m: [{ name: 'a' }, { name: 'a' }] },
      { s: [1, 1] },
      { o: { a: 'x' } },
      { o: { a: 1, b: 2, c: 3 } },
    ].map((spec) => post(things, thing(spec))),
  ),
  custom(
    'required',
    object({ a: object({ b: { type: 'string' } }, { required: ['b', 'c'] }) }, { required: ['a'] }),
    ({ thing, things }) => [
      post(things, thing({})),
      post(things, thing({ a: {} })),
      post(things, thing({ a: null })),
      post(things, thing('x')),
      post(things, thing(undefined)),
    ],
  ),
  custom(
    'pruned',
    object({
      a: { type: 'string' },
      k: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      i: { 'x-kubernetes-int-or-string': true },
    }),
    ({ thing, things }) => [
      post(things, thing({ a: 'x', b: 'y', k: { any: { thing: 1 } }, i: '5%' }, { other: 1 })),
      named('strict', post(`${things}?fieldValidation=Strict`, thing({ b: 'y' }, {}, 'u'))),
      named('int', post(things, thing({ i: true }, {}, 'v'))),
    ],
  ),
  custom(
    'defaults',
    object({
      a: { type: 'string', default: 'x' },
      b: object({ c: { type: 'integer', default: 3 } }, { default: {} }),
      d: object({ e: { type: 'boolean', default: true } }),
    }),
    ({ thing, things }) => [
      post(things, thing({})),
      named('some', post(things, thing({ a: 'y', d: {} }, {}, 'u'))),
      named('null', post(things, thing({ a: null }, {}, 'v'))),
      named('none', post(things, thing(undefined, {}, 'w'))),
      patch(`${things}/t`, 'merge', { spec: { a: null } }, 'spec'),
    ],
  ),
  custom(
    'nullable',
    object({ a: { type: 'string', nullable: true, default: 'x' }, b: { type: 'string' } }),
    ({ thing, things }) => [
      post(things, thing({ a: null }), 'spec'),
      named('b', post(things, thing({ b: null }, {}, 'u'), 'spec')),
    ],
  ),
  custom(
    'one-of',
    object({ a: { type: 'string' }, b: { type: 'string' } }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ({ thing, things }) => [
      post(things, thing({})),
      post(things, thing({ a: '1', b: '2' })),
      named('any', post(things, thing({ a: '1' }))),
    ],
  ),
  custom(
    'rules',
    object(
      { a: { type: 'integer' }, b: { type: 'integer' } },
      { 'x-kubernetes-validations': [{ rule: 'self.a <= self.b', message: 'a is above b' }] },
    ),
    ({ thing, things }) => [
      post(things, thing({ a: 2, b: 1 })),
      named('good', post(things, thing({ a: 1, b: 2 }), 'spec')),
    ],
  ),
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
