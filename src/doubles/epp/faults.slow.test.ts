import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { observer, parseObserverView, recentDispatch } from '../../routers/observer.ts';
import { type Fleet, type FleetOptions, flowing, METRICS_PORT, withFleet as fleetOf } from '../router/fleet.testing.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { tokens } from '../testing/wire.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'envoy', 'epp')));
after(() => programs.remove());
const withFleet = (options: FleetOptions, body: (fleet: Fleet) => Promise<void>) =>
  fleetOf('llm-d-router', programs.paths, options, body);

const other = (name: 'a' | 'b') => (name === 'a' ? 'b' : 'a');

/** Sends one request, then takes the label off the Pod that answered it; answers the view's row of that Pod. */
async function withdrawnAfterDispatch(fleet: Fleet) {
  await fleet.complete(1, 'one').over;
  const target = await fleet.servedBy('one');
  fleet.api.relabel(target, { app: 'md' });
  await fleet.picker!.line(new RegExp(`endpoint removed: ${target} `));
  return { target, row: await rowOf(fleet, target) };
}

async function rowOf(fleet: Fleet, name: string) {
  const { body } = await fleet.get(observer.path, METRICS_PORT);
  return parseObserverView(body).workers.find(({ pod_hint }) => pod_hint === name);
}

describe('faults of llm-d-router', { concurrency: 3 }, () => {
  test('llm-d-forgets-dispatch: a target that was just sent something is not listed', () =>
    withFleet({ faults: ['llm-d-forgets-dispatch'] }, async (fleet) => {
      assert.equal((await withdrawnAfterDispatch(fleet)).row, undefined);
    }));

  test('llm-d-recent-in-selection: it is listed as if it could be chosen', () =>
    withFleet({ faults: ['llm-d-recent-in-selection'] }, async (fleet) => {
      const { target, row } = await withdrawnAfterDispatch(fleet);
      assert.equal(row?.selection.in_selection, true);
      await fleet.complete(1, 'two').over;
      assert.equal(await fleet.servedBy('two'), other(target));
    }));

  test('llm-d-survivor-holds: what is sent to a survivor counts for everybody', () =>
    withFleet({ faults: ['llm-d-survivor-holds'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      await fleet.workers('b');
      assert.equal(await rowOf(fleet, 'a'), undefined);
      await fleet.complete(1).over;
      const row = await rowOf(fleet, 'a');
      assert.ok(row && !row.selection.in_selection && recentDispatch(row));
    }));

  test('router-keeps-withdrawn and observer-lists-withdrawn: chosen, or listed, without the label', async () => {
    await withFleet({ faults: ['router-keeps-withdrawn', 'llm-d-forgets-dispatch'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      fleet.api.setReady('b', false);
      await fleet.workers();
      assert.equal((await fleet.complete(1, 'still').over).end, 'complete');
      assert.equal(await fleet.servedBy('still'), 'a');
    });
    await withFleet({ faults: ['observer-lists-withdrawn'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      await fleet.picker!.line(/endpoint removed: a /);
      await fleet.workers('a', 'b');
      for (const id of ['1', '2', '3']) await fleet.complete(1, id).over;
      assert.deepEqual(new Set(await Promise.all(['1', '2', '3'].map(fleet.servedBy))), new Set(['b']));
    });
  });

  test('router-ignores-labels and router-keeps-leaving: it stays', async () => {
    await withFleet({ faults: ['router-ignores-labels'] }, async (fleet) => {
      fleet.api.relabel('a', { app: 'md' });
      fleet.api.setReady('b', false);
      await fleet.workers('a');
    });
    await withFleet({ faults: ['router-keeps-leaving'] }, async (fleet) => {
      fleet.api.terminate('a');
      fleet.api.setReady('b', false);
      await fleet.workers('a');
    });
  });

  test('router-retries-before-start: a refused endpoint costs no request', () =>
    withFleet({ faults: ['router-retries-before-start'] }, async (fleet) => {
      await fleet.engines.a.stop();
      for (const id of ['1', '2', '3', '4']) assert.equal((await fleet.complete(1, id).over).end, 'complete');
    }));

  test('router-retries-midstream: the answer of another replica follows', () =>
    withFleet({ faults: ['router-retries-midstream'] }, async (fleet) => {
      const stream = fleet.complete(12, 'again');
      await flowing(stream);
      fleet.engines[await fleet.servedBy('again')].child.kill('SIGKILL');
      const done = await stream.over;
      assert.equal(done.end, 'complete');
      const seen = tokens(done.body);
      assert.equal(seen.filter((n) => n === 0).length, 2);
      assert.equal(seen.at(-1), 11);
    }));
});
