import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { abortCauses, reasons } from '../../../requirements/retirement-reasons.ts';
import type { RetirementFault } from '../faults.ts';
import { bench } from './bench-case.testing.ts';
import type { RetireLab } from './lab.testing.ts';

const { open } = bench('routers');

async function deployed(router = 'vllm-router', faults: RetirementFault[] = [], factor?: number): Promise<RetireLab> {
  const l = await open();
  l.start(faults, factor === undefined ? {} : { factor });
  await l.deploy('md', [{ name: 'a', replicas: 2 }], {}, router);
  return l;
}

const view = (change: object) =>
  JSON.stringify({ router: { boot_generation: 1, now_ms: 1 }, registry_revision: 1, workers: [], ...change });
const broken: Record<string, { status?: number; body: string }> = {
  '404': { status: 404, body: 'no such path' },
  '503': { status: 503, body: 'native endpoint selection or send is pending' },
  'no JSON': { body: '<html>' },
  'half a body': { body: view({}).slice(0, 40) },
  'an unknown field': { body: view({ extra: 1 }) },
  'no workers': { body: view({ workers: undefined }) },
  'boot generation 0': { body: view({ router: { boot_generation: 0, now_ms: 1 } }) },
  '5 MiB': { body: view({ workers: [] }) + ' '.repeat(5 << 20) },
};

describe('a router whose answer cannot be used holds the target', { concurrency: 3 }, () => {
  for (const [name, answer] of Object.entries(broken)) {
    test(name, async () => {
      const l = await deployed();
      l.view = () => answer;
      await l.replicas('md', 1);
      const held = await l.until('md', 'held', (r) => r.reason.startsWith('the serving answer is not known: '));
      assert.equal(held.state, 'Disqualified');
      await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.serving.state === 'Unknown');
      l.view = undefined;
      await l.ended('md');
      assert.equal(l.lab.left.length, 1);
    });
  }

  test('a worker that nobody knows makes the view unusable', async () => {
    const l = await deployed();
    const selection = { registered: true, healthy: true, circuit_open: false, in_selection: true };
    const worker = { url: 'http://127.1.2.3:8000', role: 'a', pod_hint: '', worker_id: '', selection };
    l.view = () => ({ body: view({ workers: [worker] }) });
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => /binding indeterminate: 127.1.2.3 resolves to 0 live pods/.test(r.reason));
  });
});

test('a router that goes on serving the target holds it, and the withdrawal budget ends that', async () => {
  const l = await deployed('vllm-router', [], 20);
  const uid = l.pods('a', 1)[0]?.metadata.uid ?? '';
  l.clings.add(uid);
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.reason === reasons.stillServed([uid]));
  await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.serving.value === 2);
  const ended = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
  assert.equal(ended.reason, reasons.aborted(abortCauses.serving));
  assert.equal(l.lab.left.length, 0);
});

test('a recent dispatch to the target holds it, raises no count, and one to a survivor does not hold', async () => {
  const l = await deployed('llm-d-router');
  const [target, survivor] = [l.pods('a', 1)[0]?.metadata.uid ?? '', l.pods('a', 0)[0]?.metadata.uid ?? ''];
  l.recent.add(target).add(survivor);
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.reason === reasons.recentlyDispatched([target]));
  await l.lab.status('md', (s) => s.roles?.[0]?.endpoints?.serving.value === 1);
  l.recent.delete(target);
  await l.ended('md');
  assert.equal(l.lab.left.length, 1);
});

test('faults: the record is ignored, or counted as served', async () => {
  const l = await deployed('llm-d-router', ['retire-ignores-recent-dispatch']);
  l.recent.add(l.pods('a', 1)[0]?.metadata.uid ?? '');
  await l.replicas('md', 1);
  await l.ended('md');
  const counting = await deployed('llm-d-router', ['serving-counts-recent']);
  counting.recent.add(counting.pods('a', 1)[0]?.metadata.uid ?? '');
  await counting.replicas('md', 1);
  await counting.until('md', 'held', (r) => r.reason.includes('still served'));
});

test('the router block taken away in mid-retirement: held as without a router', async () => {
  const l = await deployed();
  l.clings.add(l.pods('a', 1)[0]?.metadata.uid ?? '');
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.reason.includes('still served'));
  await l.lab.edit('md', [{ op: 'remove', path: '/spec/router' }]);
  await l.until('md', 'held', (r) => r.reason === reasons.noRouter);
});

test('a router Pod that somebody else owns is asked nothing', async () => {
  const l = await open();
  l.start();
  await l.deploy('md', [{ name: 'a', replicas: 2 }]);
  const sets = `/apis/apps/v1/namespaces/${l.lab.ns}/replicasets`;
  const [set] = await l.lab.client.list(sets);
  await l.lab.client.patch(`${sets}/${set?.metadata.name}`, { metadata: { ownerReferences: [] } });
  await l.replicas('md', 1);
  await l.until('md', 'held', (r) => r.reason === reasons.servingUnknown('no router view was collected'));
});
