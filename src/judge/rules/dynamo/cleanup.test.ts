import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import { withEveryLoss } from '../../testing/every-loss.ts';
import type { Outcome } from '../../verdict.ts';

const is = (scribe: DynamoScribe, id: string, outcome: Outcome, given: Record<string, unknown> = {}) =>
  withEveryLoss(scribe, { requirement: `DY-${id}`, given }, outcome);

interface Left {
  before?: string;
  after?: string;
  E?: number;
  code?: number;
  said?: string | undefined;
}

/** A worker that gets a signal in its container, and whose files are listed before it and after it. */
function cleans({ before = 'lora-1\npsm_1\n', after = 'lora-2\npsm_2\n', E = 5.3, code = 0, said }: Left = {}) {
  const scribe = new DynamoScribe()
    .ask('pending', -2, -1.9, 'http-error', { status: 503 })
    .dies('signal')
    .action('list-1', -1, 'list-files', 'Pod/n/v', 200, { message: before })
    .say(5.1, 'v', lines.runtime)
    .say(5.1, 'v', lines.teardown);
  if (said) scribe.say(5.2, 'v', said);
  return scribe.ends(E, code, true).action('list-2', E + 1, 'list-files', 'Pod/n/v', 200, { message: after });
}

test('CL-01: what was there before is gone, and the line was written', () => {
  const said = lines.cleanup;
  is(cleans({ said }), 'CL-01', 'pass');
  is(cleans({ said, after: 'lora-1\nlora-2\n' }), 'CL-01', 'fail');
  is(cleans({ said, before: '' }), 'CL-01', 'inconclusive');
  is(cleans(), 'CL-01', 'inconclusive');
});

test('CL-02: a pending task keeps nobody', () => {
  const given = { pending: 'pending', pendingFor: 24 };
  const said = lines.prefillEngineShutdown;
  is(cleans({ said }), 'CL-02', 'pass', given);
  is(cleans({ said, E: 22 }), 'CL-02', 'fail', given);
  is(cleans({ said, after: 'psm_1\n' }), 'CL-02', 'fail', given);
  is(cleans({ said }), 'CL-02', 'inconclusive', { ...given, pendingFor: 6 });
  is(cleans(), 'CL-02', 'inconclusive', given);
});

test('CL-03: an error is told, and the exit goes on', () => {
  const said = `${lines.cleanupError}: it does not answer`;
  is(cleans({ said }), 'CL-03', 'pass');
  is(cleans({ said: 'Error during shutdown: boom' }), 'CL-03', 'pass');
  is(cleans({ code: 1 }), 'CL-03', 'fail');
  is(cleans(), 'CL-03', 'inconclusive');
});

test('CL-03: the code of a signal may be the kubelet’s, whether its event is in the history or lost', () => {
  const stopped = (code: number, at: number) =>
    cleans({ code }).object('added', at, 'Event/n/v', {
      reason: 'Killing',
      message: 'Container main failed liveness probe, will be restarted',
      involvedObject: { uid: 'v', fieldPath: 'spec.containers{main}' },
    });
  for (const code of [143, 137]) for (const at of [3, 30]) is(stopped(code, at), 'CL-03', 'inconclusive');
  is(cleans({ code: 143 }), 'CL-03', 'inconclusive');
  is(stopped(1, 3), 'CL-03', 'fail');
});
