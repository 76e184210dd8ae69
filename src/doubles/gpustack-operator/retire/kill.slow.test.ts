import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN } from '../../../embedded/api/test-support.ts';
import type { RetirementState } from '../../../systems/gpustack/types.ts';
import { bundleDoubles, start, type Started } from '../../testing/bundled.ts';
import { bench } from './bench-case.testing.ts';
import { SCALE } from './bench.testing.ts';
import { pages, type RetireLab } from './lab.testing.ts';

const { open, opened } = bench('kill');

let bundle: Awaited<ReturnType<typeof bundleDoubles>>;
const folder = mkdtempSync(join(tmpdir(), 'quiesce-kill-'));
const KUBECONFIG = join(folder, 'kubeconfig');
before(async () => {
  bundle = await bundleDoubles('gpustack-operator');
  const context = { 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }] };
  const clusters = [{ name: 'c', cluster: { server: opened().server.plainUrl } }];
  writeFileSync(KUBECONFIG, JSON.stringify({ ...context, clusters, users: [{ name: 'u', user: { token: TOKEN } }] }));
});
after(() => {
  bundle.remove();
  rmSync(folder, { recursive: true });
});

const operator = (l: RetireLab): Started =>
  start(bundle.paths['gpustack-operator'] ?? '', ['--namespace', l.lab.ns], { env: { KUBECONFIG }, scale: SCALE });

async function killed(process: Started): Promise<void> {
  process.child.kill('SIGKILL');
  assert.equal((await process.exited).signal, 'SIGKILL');
}

/** Two replicas, one of which is to go; what keeps the operation where it is, and what lets it go on. */
const holds: Partial<Record<RetirementState, { hold: (l: RetireLab) => unknown; free: (l: RetireLab) => unknown }>> = {
  Disqualified: {
    hold: (l) => l.clings.add(l.pods('a', 1)[0]?.metadata.uid ?? ''),
    free: (l) => l.clings.clear(),
  },
  Draining: {
    hold: (l) => l.serve(l.pods('a', 1)[0]!, [pages.busy]),
    free: (l) => (l.engineOf(l.pods('a', 1)[0]!).pages = [pages.idle]),
  },
  Deleting: {
    hold: (l) => (l.lab.hold = true),
    free: (l) => {
      l.lab.hold = false;
      return l.lab.letGo();
    },
  },
};

describe('an operator that is killed goes on where it was', { concurrency: 2 }, () => {
  for (const state of ['Admitted', 'Disqualified', 'Withdrawing', 'Draining', 'Deleting', 'Settling'] as const) {
    test(`in ${state}`, async () => {
      const l = await open();
      let running = operator(l);
      try {
        await l.deploy('md', [{ name: 'a', replicas: 2 }]);
        const [victim] = l.pods('a', 1);
        await holds[state]?.hold(l);
        const seen = l.lab.until(`state ${state}`, () => l.told.some((r) => r?.state === state));
        await l.replicas('md', 1);
        await seen;
        await killed(running);
        const startedAt = l.told.find((r) => r !== null)?.startedAt;
        await holds[state]?.free(l);
        running = operator(l);
        await l.ended('md');
        assert.deepEqual(l.lab.left, [victim?.metadata.uid]);
        const told = l.told.filter((r) => r !== null);
        assert.ok(told.every((r) => r.startedAt === startedAt && r.targetMemberUIDs[0] === victim?.metadata.uid));
        assert.ok(!l.states.includes('Aborted'));
        assert.ok(inOrder(l.states), l.states.join(' '));
      } finally {
        running.child.kill('SIGKILL');
        await running.exited;
      }
    });
  }

  test('after an abort, which stays one', async () => {
    const l = await open();
    let running = operator(l);
    try {
      await l.deploy('md', [{ name: 'a', replicas: 2 }], {}, '');
      await l.replicas('md', 1);
      const before = await l.until('md', 'aborted', (r) => r.state === 'Aborted');
      await killed(running);
      running = operator(l);
      await l.lab.settled(
        'md',
        await l.lab.edit('md', [{ op: 'add', path: '/spec/roles/0/ports', value: [{ port: 8000 }] }]),
      );
      assert.deepEqual(await l.until('md', 'still', () => true), before);
      assert.equal(l.lab.pods.length, 2);
    } finally {
      running.child.kill('SIGKILL');
      await running.exited;
    }
  });

  test('again and again, a moment after each change', async () => {
    const l = await open();
    let running = operator(l);
    try {
      await l.deploy('md', [{ name: 'a', replicas: 3 }]);
      await l.replicas('md', 1);
      for (let n = 1; n <= 6; n += 1) {
        const told = l.told.length;
        await l.lab.until('a change', () => l.told.length > told || l.lab.pods.length === 1);
        await killed(running);
        running = operator(l);
      }
      await l.lab.until('one replica', () => l.lab.pods.length === 1);
      await l.ended('md');
      assert.equal(l.lab.left.length, 2);
      assert.deepEqual(l.pods('a', 0).length, 1);
    } finally {
      running.child.kill('SIGKILL');
      await running.exited;
    }
  });
});

/** No state comes twice, and each only after those before it. */
function inOrder(states: string[]): boolean {
  const order = ['Admitted', 'Disqualified', 'Withdrawing', 'Draining', 'Deleting', 'Settling', 'none'];
  return states.every((state, index) => index === 0 || order.indexOf(state) > order.indexOf(states[index - 1] ?? ''));
}
