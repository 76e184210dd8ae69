// What the experiments of custom are made of.
import type { Step } from '../experiment.ts';
import { experiment, given, making, quiet, until } from '../steps.ts';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
type Fields = Record<string, unknown>;

/** One definition for each experiment, since they run side by side. */
export const definition = (group: string, spec: Fields, version: Fields = {}) => ({
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

export interface Custom {
  thing: (spec: unknown, more?: Fields, name?: string) => Fields;
  things: string;
  crd: string;
}

/** An experiment with a kind of its own, served before its steps begin. */
export function custom(name: string, spec: Fields, steps: (it: Custom) => Step[], version: Fields = {}) {
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

export const object = (properties: Fields, more: Fields = {}) => ({ type: 'object', properties, ...more });
export const numbers = object({
  n: { type: 'integer', minimum: 1, maximum: 5 },
  f: { type: 'number', exclusiveMinimum: true, minimum: 0 },
  m: { type: 'integer', multipleOf: 5 },
});
export const texts = object({
  p: { type: 'string', pattern: '^[a-z]+$' },
  l: { type: 'string', minLength: 2, maxLength: 4 },
  e: { type: 'string', enum: ['one', 'two'] },
  d: { type: 'string', format: 'date-time' },
});
export const lists = object({
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
export const status = { subresources: { status: {} } };
export const withStatus = {
  ...status,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: object({ n: { type: 'integer' } }), status: object({ s: { type: 'string' } }) },
    },
  },
};
export const scale = {
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
