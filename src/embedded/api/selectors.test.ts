import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../cluster/rest.ts';
import { labelPredicate, selectorMatches } from './selectors.ts';

const object = (labels: Record<string, string>): KubeObject => ({ metadata: { name: 'x', labels } });

test('label selectors select as Kubernetes says', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['!a', { a: '' }, false],
    ['!a', {}, true],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in (b, c)', {}, false],
    ['a notin (b,c)', {}, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a=b,c in (d,e),!f', { a: 'b', c: 'e' }, true],
    ['app.kubernetes.io/name=x-1.2_3', { 'app.kubernetes.io/name': 'x-1.2_3' }, true],
    ['a=', { a: '' }, true],
  ];
  for (const [text, labels, expected] of cases) assert.equal(labelPredicate(text)?.(object(labels)), expected, text);
  assert.equal(labelPredicate(''), undefined);
  for (const text of ['a b', 'a in b', '=x', 'a=(b']) assert.throws(() => labelPredicate(text), { status: 400 }, text);
});

test('LabelSelector objects select as Kubernetes says', () => {
  const expressions = (operator: string, values?: string[]) => ({ matchExpressions: [{ key: 'a', operator, values }] });
  assert.equal(selectorMatches({}, { a: 'b' }), true);
  assert.equal(selectorMatches({ matchLabels: { a: 'b' } }, { a: 'b', c: 'd' }), true);
  assert.equal(selectorMatches({ matchLabels: { a: 'b' } }, {}), false);
  assert.equal(selectorMatches(expressions('In', ['b']), { a: 'b' }), true);
  assert.equal(selectorMatches(expressions('NotIn', ['b']), {}), true);
  assert.equal(selectorMatches(expressions('Exists'), {}), false);
  assert.equal(selectorMatches(expressions('DoesNotExist'), {}), true);
});
