import type { Pod } from '../router/pods.ts';

/** Whether Pods match `a=b,c,!d`: the terms of a label selector that the operator writes. */
export function selectorOf(expression: string): (pod: Pod) => boolean {
  const terms = expression
    .split(',')
    .map((term) => term.trim())
    .filter(Boolean);
  return ({ metadata: { labels = {} } }) =>
    terms.every((term) => {
      if (term.startsWith('!')) return !Object.hasOwn(labels, term.slice(1));
      const [key = '', value] = term.split(/==?/);
      return value === undefined ? Object.hasOwn(labels, key) : labels[key] === value;
    });
}
