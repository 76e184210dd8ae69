import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubeError } from '../../cluster/errors.ts';
import type { Pod } from './objects.ts';
import type { DisruptionBudget } from './scheduler/preemption.ts';
import { Lab } from './testing/lab.ts';

test('a budget counts what is healthy, and eviction takes from it', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  const budgets = lab.watch<DisruptionBudget>('/apis/policy/v1/poddisruptionbudgets');
  await lab.node('n1', {});
  await lab.client.create('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  });
  for (const name of ['a', 'b']) {
    await lab.pod('default', name, 0, {}, { labels: { app: 'web' } });
    const { object } = await pods.see(
      'bound',
      (seen) => seen.object.metadata.name === name && Boolean(seen.object.spec.nodeName),
    );
    await lab.run(object);
  }
  const { object } = await budgets.see('one may go', (seen) => seen.object.status?.disruptionsAllowed === 1);
  assert.deepEqual(
    [object.status?.expectedPods, object.status?.desiredHealthy, object.status?.currentHealthy],
    [2, 1, 2],
  );
  const evict = (name: string) =>
    lab.client.create(`/api/v1/namespaces/default/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace: 'default' },
    });
  await evict('a');
  const refused = (error: unknown) => error instanceof KubeError && error.status === 429;
  await assert.rejects(evict('b'), refused);
  await budgets.see(
    'none may go',
    ({ object: seen }) => seen.status?.disruptionsAllowed === 0 && seen.status.currentHealthy === 1,
  );
  await assert.rejects(evict('b'), (error) => {
    assert.ok(refused(error));
    const cause = (error as { body: { details: { causes: object[] } } }).body.details.causes[0];
    const message = 'The disruption budget web needs 1 healthy pods and has 1 currently';
    assert.deepEqual(cause, { reason: 'DisruptionBudget', message });
    return true;
  });
});
