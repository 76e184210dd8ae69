import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubeletFaults } from '../faults.ts';
import type { ContainerSpec, Handler } from './pod.ts';
import { scale, startLab, type Lab } from './testing/lab.ts';
import { leave, type Leaving } from './testing/leave.ts';
import { until } from './testing/scratch.ts';

/** Documented seconds that a busy machine may add to any instant: 0.8 s of the wall. */
const SLACK = scale.toSeconds(800);

const ms = (seconds: number) => Math.round(scale.toMs(seconds));
const acts = (name: string, words: string[], more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  name,
  image: 'test',
  command: ['actor'],
  args: words,
  ...more,
});
const preStop = (handler: Handler) => ({ lifecycle: { preStop: handler } });
const hook = (seconds: number, code = 0) =>
  preStop({ exec: { command: ['sh', '-c', `sleep ${seconds / scale.factor}; exit ${code}`] } });
const sidecar = { restartPolicy: 'Always' } as const;

function from(what: string, value: number | undefined, lowest: number, more = 0): void {
  const highest = lowest + more + SLACK;
  assert.ok(
    value !== undefined && value >= lowest - 0.15 && value <= highest,
    `${what}: ${value}, expected ${lowest} to ${highest}`,
  );
}

/** The table of endings that was measured on a real kubelet: same scenarios, bounds by formula. */
describe('endings as measured on a real kubelet', { concurrency: 4 }, () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
    await lab.namespace('leaving');
  });
  after(() => lab.stop());

  const run = async (
    name: string,
    grace: number,
    containers: ContainerSpec[],
    initContainers: ContainerSpec[] = [],
  ): Promise<Leaving> => {
    await lab.create('leaving', name, { terminationGracePeriodSeconds: grace, containers, initContainers });
    return leave(lab, 'leaving', name);
  };
  const phase = (seen: Leaving) => seen.last.pod.status.phase;

  test('A: SIGTERM follows the hook, which follows the Killing event', async () => {
    const seen = await run('a', 30, [acts('main', [`term=${ms(1)}`], hook(6))]);
    from('hook start', seen.hookStart(), 0);
    from('hook end', seen.hookEnd(), 6);
    from('SIGTERM', seen.term(), 6);
    from('last status', seen.last.at, 7);
    assert.equal(phase(seen), 'Succeeded');
    assert.ok(seen.gone > seen.last.at);
    const killing = lab.events.find(({ event }) => event.reason === 'Killing' && event.involvedObject.name === 'a');
    assert.equal(killing?.event.message, 'Stopping container main');
  });

  test('B: a hook that outlasts the grace is cut at it; SIGKILL comes 2 s after SIGTERM', async () => {
    const seen = await run('b', 8, [acts('main', ['term=never'], hook(20))]);
    from('SIGTERM', seen.term(), 8);
    from('last status', seen.last.at, 10);
    assert.equal(seen.exitCode(), 137);
    assert.equal(phase(seen), 'Failed');
  });

  test('C: SIGTERM at once, SIGKILL at the grace', async () => {
    const seen = await run('c', 5, [acts('main', ['term=never'])]);
    from('SIGTERM', seen.term(), 0);
    from('last status', seen.last.at, 5);
    assert.equal(seen.exitCode(), 137);
  });

  test('D: hooks of sidecars start with the main one, their SIGTERM comes later in reverse order', async () => {
    const seen = await run(
      'd',
      30,
      [acts('main', [`term=${ms(3)}`], hook(2))],
      [acts('side1', [`term=${ms(0.5)}`], sidecar), acts('side2', [`term=${ms(0.5)}`], { ...sidecar, ...hook(1) })],
    );
    from('hook of side2', seen.hookStart('side2'), 0);
    from('SIGTERM of main', seen.term(), 2);
    from('SIGTERM of side2', seen.term('side2'), 5);
    from('SIGTERM of side1', seen.term('side1'), 5.5);
    assert.ok((seen.term('side1') ?? 0) > (seen.term('side2') ?? Infinity));
    assert.equal(phase(seen), 'Succeeded');
  });

  test('E: Ready stays true until the probe fails', async () => {
    const probe = { httpGet: { path: '/ready', port: 8000 }, periodSeconds: 1, failureThreshold: 1 };
    const seen = await run('e', 30, [acts('main', ['port=8000', `term=${ms(20)}`], { readinessProbe: probe })]);
    from('unready', seen.unready, 0, 1);
    assert.ok((seen.unready ?? 0) > (seen.term() ?? Infinity));
    from('last status', seen.last.at, 20);
  });

  test('F: with the grace used up a sidecar has 2 s more', async () => {
    const seen = await run('f', 4, [acts('main', ['term=never'])], [acts('side', ['term=never'], sidecar)]);
    from('SIGTERM of main', seen.term(), 0);
    from('SIGTERM of the sidecar', seen.term('side'), 4);
    from('last status', seen.last.at, 6);
    assert.deepEqual([seen.exitCode(), seen.exitCode('side')], [137, 137]);
  });

  test('G: containers end side by side, each after its own hook', async () => {
    const seen = await run('g', 30, [acts('main', [`term=${ms(0.5)}`], hook(10)), acts('other', [`term=${ms(0.2)}`])]);
    from('SIGTERM of other', seen.term('other'), 0);
    from('SIGTERM of main', seen.term(), 10);
    from('last status', seen.last.at, 10.5);
    assert.equal(phase(seen), 'Succeeded');
  });

  test('H: preStop sleep', async () => {
    const seen = await run('h', 30, [acts('main', [], preStop({ sleep: { seconds: 3 } }))]);
    from('SIGTERM', seen.term(), 3);
  });

  test('I: a hook that fails makes SIGTERM come at once, and is told', async () => {
    const seen = await run('i', 30, [acts('main', [], hook(0, 3))]);
    from('SIGTERM', seen.term(), 0);
    const failed = lab.events.find(
      ({ event }) => event.reason === 'FailedPreStopHook' && event.involvedObject.name === 'i',
    );
    assert.equal(failed?.event.type, 'Warning');
  });

  test('a second delete can shorten the grace', async () => {
    await lab.create('leaving', 'j', {
      containers: [acts('main', ['term=never'])],
      terminationGracePeriodSeconds: 3000,
    });
    const left = leave(lab, 'leaving', 'j');
    await lab.see('j', ({ pod }) => pod.metadata.deletionTimestamp !== undefined, 'is deleted');
    await lab.client.remove('/api/v1/namespaces/leaving/pods/j', { gracePeriodSeconds: 3 });
    assert.equal((await left).exitCode(), 137);
  });

  test('a Pod without an object is killed at once, without its hook', async () => {
    await lab.create('leaving', 'k', { containers: [acts('main', ['term=never'], hook(600))] });
    await lab.ready('k');
    await until('the program is up', async () => (await lab.log('leaving', 'k')).includes('up'));
    const ref = { nodeName: 'n1', namespace: 'leaving', pod: 'k', container: 'main' };
    const log = await lab.kubelet.logs(ref, { follow: true, timestamps: false, previous: false });
    await lab.client.remove('/api/v1/namespaces/leaving/pods/k', { gracePeriodSeconds: 0 });
    let text = '';
    for await (const part of log) text += String(part);
    assert.equal(text, 'up\n');
  });

  test('faults of the kubelet are switched on by the namespace', async () => {
    await lab.namespace('first', kubeletFaults.sigtermFirst);
    await lab.create('first', 'l', { containers: [acts('main', [`term=${ms(8)}`], hook(6))] });
    const seen = await leave(lab, 'first', 'l');
    from('SIGTERM', seen.term(), 0);
    assert.ok((seen.hookEnd() ?? 0) > (seen.term() ?? Infinity));
  });
});
