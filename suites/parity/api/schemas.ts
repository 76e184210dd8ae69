// Custom resources: what a structural schema refuses, prunes and fills in.
import { named, patch, post } from '../steps.ts';
import { custom, object, numbers, texts, lists } from './custom-parts.ts';

export const schemas = [
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
];
