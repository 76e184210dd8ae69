import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { scale, sh, startLab, stateOf, STAYS, type Lab } from './testing/lab.ts';

const NS = 'restarts';

describe('restarts', { concurrency: 4 }, () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
    await lab.namespace(NS);
  });
  after(() => lab.stop());

  test('a crash loop has the delays and states of a real kubelet', async () => {
    await lab.create(NS, 'crash', { containers: [sh('main', 'echo run; exit 1')] });
    await lab.see('crash', ({ pod }) => stateOf(pod)?.restartCount === 3, 'was restarted three times');
    const seen = lab.pods
      .filter((s) => s.pod.metadata.name === 'crash')
      .map((s) => ({ at: s.at, status: stateOf(s.pod) }));
    const ended = (restarts: number) =>
      seen.find(({ status }) => status?.restartCount === restarts && 'terminated' in status.state)?.at ?? 0;
    const begun = (restarts: number) => seen.find(({ status }) => status?.restartCount === restarts)?.at ?? 0;
    const looping = seen.find(
      ({ status }) => status && 'waiting' in status.state && status.state.waiting.reason === 'CrashLoopBackOff',
    );
    assert.ok(scale.toSeconds(begun(1) - ended(0)) >= 0.9);
    // The first loop shows it for half a second only, which a busy kubelet may leave out; the second for eleven.
    const loop = looping?.status?.restartCount ?? 0;
    assert.ok(loop === 1 || loop === 2, `seen in loop ${loop}`);
    assert.ok(scale.toSeconds((looping?.at ?? 0) - ended(loop)) >= 14.4);
    assert.ok(scale.toSeconds(begun(2) - ended(1)) >= 14.9);
    assert.ok(scale.toSeconds(begun(2) - ended(1)) < 15 + scale.toSeconds(3000));
    assert.ok(scale.toSeconds(begun(3) - ended(2)) >= 25.9);
    assert.ok('terminated' in (looping?.status?.lastState ?? {}));
    assert.match(await lab.log(NS, 'crash', 'main', true), /run/);
  });

  test('OnFailure restarts a failure only', async () => {
    const script = 'test -e $QUIESCE_ROOT/tmp/x && exit 0; touch $QUIESCE_ROOT/tmp/x; exit 1';
    await lab.create(NS, 'once', { containers: [sh('main', script)], restartPolicy: 'OnFailure' });
    const { pod } = await lab.see('once', (s) => s.pod.status.phase === 'Succeeded', 'has succeeded');
    assert.equal(stateOf(pod)?.restartCount, 1);
  });

  test('a failing liveness probe ends the container with its hook, and restarts it', async () => {
    await lab.create(NS, 'sick', {
      terminationGracePeriodSeconds: 5,
      containers: [
        sh('main', `trap 'exit 0' TERM; ${STAYS}`, {
          livenessProbe: { exec: { command: ['sh', '-c', 'exit 1'] }, periodSeconds: 1, failureThreshold: 2 },
          lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo hook >> $QUIESCE_ROOT/tmp/hooks'] } } },
        }),
      ],
    });
    const { pod } = await lab.see('sick', (s) => stateOf(s.pod)?.restartCount === 1, 'was restarted');
    assert.ok('terminated' in (stateOf(pod)?.lastState ?? {}) || 'terminated' in (stateOf(pod)?.state ?? {}));
    assert.ok(
      lab.events.some(({ event }) => event.message === 'Container main failed liveness probe, will be restarted'),
    );
    assert.ok(
      lab.events.some(({ event }) => event.reason === 'Unhealthy' && event.message.startsWith('Liveness probe failed')),
    );
  });
});
