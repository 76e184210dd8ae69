/** A label selector as apps/v1 and policy/v1 have it. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

type Labels = Record<string, string> | undefined;

/** Whether every label is there with its value. An empty map matches all. */
export const hasLabels = (labels: Labels, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => labels?.[key] === value);

/** Whether labels match a selector; an empty selector matches all, as in policy/v1. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false;
  return (
    hasLabels(labels, selector.matchLabels ?? {}) &&
    (selector.matchExpressions ?? []).every((expression) => expressionMatches(expression, labels))
  );
}

/** One expression; `Gt` and `Lt` are those of node affinity. */
export function expressionMatches(
  { key, operator, values = [] }: { key: string; operator: string; values?: string[] },
  labels: Labels,
): boolean {
  const value = labels?.[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
