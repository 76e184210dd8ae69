import { forbiddenField, invalidValue, required } from '../causes.ts';
import { at, fieldsOf, fill, isFields, listOf, same, specOf, stamp } from '../objects.ts';
import { quantities } from './pod-defaults.ts';
import type { Strategy } from './strategy.ts';

export const namespaceStrategy: Strategy = {
  defaults(namespace) {
    const { metadata } = namespace;
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
    if (!isFields(namespace['spec'])) namespace['spec'] = {};
  },
  prepareCreate(namespace) {
    namespace['spec'] = { finalizers: ['kubernetes'] };
    namespace['status'] = { phase: 'Active' };
  },
  prepareUpdate(namespace, old) {
    namespace['spec'] = old['spec'];
  },
};

export const nodeStrategy: Strategy = {
  keepsStatus: true,
  defaults(node) {
    if (!isFields(node['spec'])) node['spec'] = {};
    quantities(at(node, 'status', 'capacity'));
    quantities(at(node, 'status', 'allocatable'));
  },
};

/** Events that are kept: memory stays bounded. A real server drops them after an hour. */
const EVENT_LIMIT = 2000;

export const eventStrategy: Strategy = {
  limit: EVENT_LIMIT,
  defaults(event) {
    // Written through events.k8s.io: kept in the words of the core kind.
    if (isFields(event['regarding'])) {
      event['involvedObject'] ??= event['regarding'];
      event['message'] ??= event['note'];
      event['reportingComponent'] ??= event['reportingController'];
      for (const name of ['regarding', 'note', 'reportingController']) delete event[name];
    }
    fill(event, { type: 'Normal' });
  },
  validate: (event) => (isFields(event['involvedObject']) ? [] : [required('involvedObject')]),
};

/** What is wrong with a number or a share of Pods. */
function shareProblem(value: unknown): string | undefined {
  if (typeof value === 'number' && value < 0) return 'must be greater than or equal to 0';
  if (typeof value !== 'string') return undefined;
  if (!/^[0-9]+%$/.test(value)) {
    return "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  }
  return Number(value.slice(0, -1)) > 100 ? 'must not be greater than 100%' : undefined;
}

/** The highest value of a class that is not the system's own. */
const HIGHEST_PRIORITY = 1_000_000_000;

export const budgetStrategy: Strategy = {
  generation: true,
  prepareCreate(budget) {
    budget['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate(budget) {
    const { minAvailable, maxUnavailable } = specOf(budget);
    for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
      const wrong = shareProblem(value);
      if (wrong) return [invalidValue(`spec.${name}`, value, wrong)];
    }
    return minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalidValue('spec', specOf(budget), 'minAvailable and maxUnavailable cannot be both set')]
      : [];
  },
};

export const priorityClassStrategy: Strategy = {
  generation: true,
  defaults: (object) => fill(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  validate(object) {
    const { value, metadata } = object;
    if (!Number.isInteger(value)) return [required('value')];
    const own = metadata.name.startsWith('system-');
    return !own && (value as number) > HIGHEST_PRIORITY
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`)]
      : [];
  },
  validateUpdate(object, old) {
    return object['value'] === old['value'] ? [] : [forbiddenField('value', 'may not be changed in an update.')];
  },
};

export const secretStrategy: Strategy = {
  defaults(secret) {
    fill(secret, { type: 'Opaque' });
    const texts = Object.entries(fieldsOf(secret['stringData']));
    if (texts.length > 0) {
      const bytes = texts.map(([name, text]) => [name, Buffer.from(String(text)).toString('base64')]);
      secret['data'] = { ...fieldsOf(secret['data']), ...Object.fromEntries(bytes) };
    }
    delete secret['stringData'];
  },
};

/** ConfigMaps and Secrets that are marked immutable keep their data. */
export const keepsImmutable: NonNullable<Strategy['validateUpdate']> = (object, old) =>
  old['immutable'] === true && !same([object['data'], object['binaryData']], [old['data'], old['binaryData']])
    ? [forbiddenField('data', 'field is immutable when `immutable` is set')]
    : [];

const addressTypes = ['IPv4', 'IPv6', 'FQDN'];

export const endpointSliceStrategy: Strategy = {
  generation: true,
  defaults(slice) {
    // Both are written where they are empty, as null.
    for (const name of ['endpoints', 'ports']) if (listOf(slice[name]).length === 0) slice[name] = null;
    for (const port of listOf(slice['ports'])) fill(port, { name: '', protocol: 'TCP' });
  },
  validate: (slice) => (addressTypes.includes(slice['addressType'] as string) ? [] : [required('addressType')]),
};

export const jobStrategy: Strategy = {
  generation: true,
  prepareCreate(job, api) {
    job['status'] = { startTime: stamp(api.now()) };
  },
};
