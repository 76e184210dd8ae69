import type { Cause } from './errors.ts';

/** What is wrong with one field, in the words of Kubernetes' `field.Error`. */
const cause = (reason: string, label: string) => (field: string, value: unknown, detail: string) => ({
  reason,
  field,
  message: `${label}: ${shown(value)}${detail ? `: ${detail}` : ''}`,
});

export const invalidValue = cause('FieldValueInvalid', 'Invalid value');
export const wrongType = cause('FieldValueTypeInvalid', 'Invalid value');

export const required = (field: string, detail = ''): Cause => ({
  reason: 'FieldValueRequired',
  field,
  message: `Required value${detail ? `: ${detail}` : ''}`,
});

export const duplicate = (field: string, value: unknown): Cause => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const forbiddenField = (field: string, detail: string): Cause => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
});

export const unsupported = (field: string, value: unknown, supported: readonly unknown[]): Cause => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(shown).join(', ')}`,
});

export const tooLong = (field: string, limit: number): Cause => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${limit} bytes`,
});

export const tooMany = (field: string, actual: number, limit: number): Cause => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${actual}: must have at most ${limit} items`,
});

const shown = (value: unknown): string => JSON.stringify(value) ?? 'null';
