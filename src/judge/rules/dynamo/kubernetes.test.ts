import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import type { EndKind } from '../../../history/event.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import { withEveryLoss } from '../../testing/every-loss.ts';
import type { Outcome } from '../../verdict.ts';

const is = (scribe: DynamoScribe, id: string, outcome: Outcome, given: Record<string, unknown> = { open: 'open' }) =>
  withEveryLoss(scribe, { requirement: `DY-${id}`, given }, outcome);

/** A worker of a graph that asks for a grace, or for none. */
const rendered = (grace: number, asked?: number) =>
  new DynamoScribe()
    .object('added', -30, 'DynamoGraphDeployment/n/chat', {
      metadata: { uid: 'graph' },
      spec: {
        components: [
          { name: 'serve', podTemplate: { spec: asked === undefined ? {} : { terminationGracePeriodSeconds: asked } } },
        ],
      },
    })
    .ready({ uid: 'v', grace, hook: false })
    .bind('victim', 'v')
    .end(1);

test('K8-01: 60 where the graph says nothing', () => {
  is(rendered(60), 'K8-01', 'pass');
  is(rendered(30), 'K8-01', 'fail');
  is(rendered(60, 60), 'K8-01', 'inconclusive');
});

test('K8-02, readiness: 200 before, never after runtime.shutdown()', () => {
  const worker = (status: number) =>
    new DynamoScribe().path('/health', -1, 0, 200).path('/health', 5.2, 5.6, status).workerLeaves();
  is(worker(503), 'K8-02', 'pass', { part: 'readiness' });
  is(worker(0), 'K8-02', 'pass', { part: 'readiness' });
  is(worker(200), 'K8-02', 'fail', { part: 'readiness' });
});

/** A frontend that drains in place for 44 s, with a probe that is patient for 30. */
const drains = ({
  killed = false,
  over = 44,
  end = 'complete',
}: { killed?: boolean; over?: number; end?: EndKind } = {}) => {
  const scribe = new DynamoScribe().ask('open', -2, over, end, { due: 44 }).dies('signal', {
    livenessProbe: { periodSeconds: 10, failureThreshold: 3 },
  });
  if (killed)
    scribe.object('added', 30, 'Event/n/v', {
      reason: 'Killing',
      message: 'Container main failed liveness probe, will be restarted',
      involvedObject: { uid: 'v', fieldPath: 'spec.containers{main}' },
    });
  return scribe.say(over, 'v', lines.stopping).ends(over + 0.3, 0, true);
};

test('K8-03: a long drain in place ends by itself', () => {
  is(drains(), 'K8-03', 'pass');
  is(drains({ over: 28 }), 'K8-03', 'inconclusive');
  is(drains({ end: 'eof' }), 'K8-03', 'inconclusive');
});

test('K8-03: nobody but the liveness probe has a Pod killed that was not deleted', () => {
  const verdict = drains({ killed: true }).judge({ requirement: 'DY-K8-03', given: { open: 'open' } });
  if (verdict.outcome !== 'fail') throw new Error(`${verdict.outcome}: a kill by the probe is a failure`);
});

test('K8-04: killed at the end of the grace, and not by itself', () => {
  const leaves = (E: number, code: number) => new DynamoScribe().workerLeaves({ E, code, cleanup: 200, teardown: 200 });
  is(leaves(60.1, 137), 'K8-04', 'pass', {});
  is(leaves(52, 137), 'K8-04', 'fail', {});
  is(leaves(70, 137), 'K8-04', 'fail', {});
  is(leaves(30, 0), 'K8-04', 'inconclusive', {});
});
