import type { KubeObject } from '../../cluster/rest.ts';
import { badRequest } from './errors.ts';
import { fieldValue } from './field-labels.ts';
import { fieldsOf, listOf } from './objects.ts';
import type { Resource } from './resources.ts';

export type Predicate = (object: KubeObject) => boolean;

type Labels = Record<string, string>;
type Requirement = (labels: Labels) => boolean;

const NAME = String.raw`(?:[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?)`;
const setTerm = new RegExp(`^(${NAME})\\s+(in|notin)\\s*\\(([^)]*)\\)$`);
const equalTerm = new RegExp(`^(${NAME})\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const existsTerm = new RegExp(`^(!?)\\s*(${NAME})$`);

function requirement(term: string): Requirement {
  const set = setTerm.exec(term);
  if (set) {
    const [name, values] = [set[1] as string, (set[4] as string).split(',').map((v) => v.trim())];
    const isIn = (labels: Labels) => name in labels && values.includes(labels[name] as string);
    return set[3] === 'in' ? isIn : (labels) => !isIn(labels);
  }
  const equal = equalTerm.exec(term);
  if (equal) {
    const [name, value] = [equal[1] as string, equal[4] as string];
    return equal[3] === '!=' ? (labels) => labels[name] !== value : (labels) => labels[name] === value;
  }
  const exists = existsTerm.exec(term);
  if (exists) return (labels) => (exists[1] === '!') !== (exists[2] as string) in labels;
  throw badRequest(`unable to parse requirement: found '${term}', expected: a label selector term`);
}

/** Terms are separated by commas outside parentheses. */
const terms = (text: string) =>
  text
    .split(/,(?![^(]*\))/)
    .map((t) => t.trim())
    .filter(Boolean);

/** @throws ApiError 400 where the text is no label selector */
export function labelPredicate(text: string): Predicate | undefined {
  const requirements = terms(text).map(requirement);
  if (requirements.length === 0) return undefined;
  return ({ metadata }) => requirements.every((holds) => holds(metadata.labels ?? {}));
}

/** @throws ApiError 400 where the text is no field selector, or the kind has no such field label */
export function fieldPredicate(text: string, resource: Resource): Predicate | undefined {
  const wanted = terms(text).map((term) => {
    const parts = /^([^=!]+?)(==|=|!=)(.*)$/.exec(term);
    if (!parts) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = fieldValue(resource, parts[1] as string);
    if (!value) throw badRequest(`field label not supported: ${parts[1]}`);
    return { value, not: parts[2] === '!=', text: parts[3] as string };
  });
  if (wanted.length === 0) return undefined;
  return (object) => wanted.every(({ value, not, text }) => (value(object) === text) !== not);
}

/** Whether a `LabelSelector` object (matchLabels, matchExpressions) selects these labels; an empty one selects all. */
export function selectorMatches(selector: unknown, labels: Labels = {}): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const equal = Object.entries(fieldsOf(matchLabels)).every(([name, value]) => labels[name] === value);
  return equal && listOf(matchExpressions).every((e) => expression(e as unknown as Expression, labels));
}

interface Expression {
  key: string;
  operator: string;
  values?: string[];
}

function expression({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const isIn = key in labels && values.includes(labels[key] as string);
  if (operator === 'In') return isIn;
  if (operator === 'NotIn') return !isIn;
  return (operator === 'Exists') === key in labels;
}
