import { randomBytes } from 'node:crypto';
import { invalidValue, required } from './causes.ts';
import type { Cause } from './errors.ts';
import { fieldsOf } from './objects.ts';
import type { Resource } from './resources.ts';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function checked(value: string, field: string, pattern: RegExp, limit: number, rule: string): Cause[] {
  if (value.length > limit) return [invalidValue(field, value, `must be no more than ${limit} bytes`)];
  return pattern.test(value) ? [] : [invalidValue(field, value, rule)];
}

/** Causes why a text is no DNS-1123 label. */
export const checkLabel = (value: string, field: string): Cause[] => checked(value, field, label, 63, LABEL_RULE);

const labelKinds = new Set(['namespaces']);
/** Names that rbac.authorization.k8s.io takes: any path segment. */
const freeGroups = new Set(['rbac.authorization.k8s.io']);

/** Causes why an object's name, labels or generateName are refused. */
export function checkMetadata(resource: Resource, metadata: Record<string, unknown>): Cause[] {
  const { name } = metadata;
  if (typeof name !== 'string' || name === '') {
    return [required('metadata.name', 'name or generateName is required')];
  }
  const causes = checkLabels(metadata['labels']);
  const field = 'metadata.name';
  if (freeGroups.has(resource.group)) {
    return /[/%]|^\.{1,2}$/.test(name) ? [...causes, invalidValue(field, name, "may not contain '/' or '%'")] : causes;
  }
  if (labelKinds.has(resource.storage)) return [...checkLabel(name, field), ...causes];
  if (resource.storage === 'services') return [...checked(name, field, label1035, 63, LABEL_1035_RULE), ...causes];
  return [...checked(name, field, subdomain, 253, SUBDOMAIN_RULE), ...causes];
}

function checkLabels(labels: unknown): Cause[] {
  return Object.entries(fieldsOf(labels)).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value.length > 63 || (value !== '' && !qualifiedName.test(value))) {
      return [invalidValue('metadata.labels', value, LABEL_VALUE_RULE)];
    }
    const last = name.split('/').at(-1) ?? '';
    return qualifiedName.test(last)
      ? []
      : [invalidValue('metadata.labels', name, 'name part must be a qualified name')];
  });
}

/** Kubernetes' alphabet for suffixes: no vowels, so that no words arise. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A name for `generateName`: at most 58 characters of the prefix and 5 random ones. */
export const generatedName = (prefix: string): string =>
  prefix.slice(0, 58) + [...randomBytes(5)].map((b) => ALPHABET[b % ALPHABET.length]).join('');
