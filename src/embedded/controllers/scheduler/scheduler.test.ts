import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../cluster/rest.ts';
import { condition, isTerminal } from '../objects.ts';
import type { Pod } from '../objects.ts';
import { Lab } from '../testing/lab.ts';
import type { Sighting } from '../testing/lab.ts';

const named =
  (name: string, also: (pod: Pod) => boolean = () => true) =>
  (seen: Sighting<Pod>) =>
    seen.object.metadata.name === name && also(seen.object);
const bound = (pod: Pod) => Boolean(pod.spec.nodeName);
const refusal = (pod: Pod) => condition(pod.status?.conditions, 'PodScheduled')?.message ?? '';

test('what a leaving Pod holds stays taken until its phase is terminal, not until it is gone', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  await lab.node('n1', { 'nvidia.com/gpu': '2' });
  await lab.pod('default', 'first', 2);
  const first = await lab.run((await pods.see('first is bound', named('first', bound))).object);
  await lab.pod('default', 'second', 1);
  const refused = await pods.see(
    'second is refused',
    named('second', (pod) => refusal(pod) !== ''),
  );
  assert.equal(
    refusal(refused.object),
    '0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  );
  await lab.remove(first);
  await pods.see(
    'first leaves',
    named('first', (pod) => pod.metadata.deletionTimestamp !== undefined),
  );
  await lab.node('n2', {}); // a change of Nodes makes the scheduler look again
  await pods.see(
    'second is looked at again',
    named('second', (pod) => refusal(pod).startsWith('0/2')),
  );
  assert.ok(!pods.all.some(named('second', bound)));
  await lab.end(first);
  const placed = await pods.see('second is bound', named('second', bound));
  const ended = await pods.see('first has ended', named('first', isTerminal));
  assert.ok(placed.at - ended.at < 500, `bound ${placed.at - ended.at} ms after the end`);
  assert.ok(!pods.all.some((seen) => seen.type === 'DELETED'));
});

test('with the fault, what a leaving Pod holds is free at once', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  await lab.namespace('broken', 'other, accelerator-released-at-delete');
  await lab.node('n1', { 'nvidia.com/gpu': '1' });
  await lab.pod('broken', 'first', 1);
  const first = await lab.run((await pods.see('first is bound', named('first', bound))).object);
  await lab.pod('broken', 'second', 1);
  await pods.see(
    'second is refused',
    named('second', (pod) => refusal(pod) !== ''),
  );
  await lab.remove(first);
  await pods.see('second is bound', named('second', bound));
});

test('a more important Pod takes the room of the least important, and keeps it until that one has ended', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  const events = lab.watch<KubeObject & { reason: string; message: string }>('/api/v1/events');
  for (const [name, value] of Object.entries({ low: 1, middle: 5, high: 9 })) {
    await lab.client.create('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value });
  }
  await lab.node('n1', { 'nvidia.com/gpu': '2' });
  await lab.pod('default', 'kept', 1, { priorityClassName: 'middle' });
  await lab.run((await pods.see('kept is bound', named('kept', bound))).object);
  await lab.pod('default', 'victim', 1, { priorityClassName: 'low' });
  const victim = await lab.run((await pods.see('victim is bound', named('victim', bound))).object);

  await lab.pod('default', 'high', 1, { priorityClassName: 'high' });
  const marked = await pods.see(
    'victim is marked',
    named('victim', (pod) => condition(pod.status?.conditions, 'DisruptionTarget')?.reason === 'PreemptionByScheduler'),
  );
  assert.equal(marked.object.metadata.deletionTimestamp, undefined, 'marked before it is deleted');
  await pods.see(
    'victim leaves',
    named('victim', (pod) => pod.metadata.deletionTimestamp !== undefined),
  );
  await pods.see(
    'high is promised a Node',
    named('high', (pod) => pod.status?.nominatedNodeName === 'n1'),
  );
  const told = await events.see('event', ({ object }) => object.reason === 'Preempted');
  assert.match(told.object.message, /^Preempted by pod [0-9a-f-]+ on node n1$/);

  await lab.pod('default', 'thief', 1, { priorityClassName: 'low' });
  await pods.see(
    'thief is refused',
    named('thief', (pod) => refusal(pod) !== ''),
  );
  await lab.end(victim);
  await pods.see('high is bound', named('high', bound));
  assert.ok(!pods.all.some(named('thief', bound)));
  assert.ok(!pods.all.some(named('kept', (pod) => pod.metadata.deletionTimestamp !== undefined)));
});

test('a Pod that may not preempt waits', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  await lab.client.create('/apis/scheduling.k8s.io/v1/priorityclasses', {
    metadata: { name: 'polite' },
    value: 9,
    preemptionPolicy: 'Never',
  });
  await lab.node('n1', { 'nvidia.com/gpu': '1' });
  await lab.pod('default', 'low', 1);
  await pods.see('low is bound', named('low', bound));
  await lab.pod('default', 'polite', 1, { priorityClassName: 'polite' });
  const refused = await pods.see(
    'polite is refused',
    named('polite', (pod) => refusal(pod) !== ''),
  );
  assert.match(refusal(refused.object), /preemption: not eligible due to preemptionPolicy=Never\.$/);
  assert.ok(!pods.all.some(named('low', (pod) => pod.metadata.deletionTimestamp !== undefined)));
});

test('selectors, taints and cordons keep Pods away, each in the real words', async (t) => {
  const lab = await Lab.start(t);
  const pods = lab.watch<Pod>('/api/v1/pods');
  await lab.node('cordoned', {}, { unschedulable: true });
  await lab.node('tainted', {}, { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] });
  await lab.node('plain', {});
  await lab.pod('default', 'picky', 0, { nodeSelector: { 'kubernetes.io/hostname': 'elsewhere' } });
  const refused = await pods.see(
    'picky is refused',
    named('picky', (pod) => refusal(pod) !== ''),
  );
  assert.ok(
    refusal(refused.object).startsWith(
      "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.",
    ),
    refusal(refused.object),
  );
  const tolerations = [{ key: 'team', operator: 'Exists' }];
  await lab.pod('default', 'there', 0, { nodeSelector: { 'kubernetes.io/hostname': 'tainted' }, tolerations });
  await pods.see(
    'there is bound',
    named('there', (pod) => pod.spec.nodeName === 'tainted'),
  );
});
