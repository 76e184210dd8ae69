import { test } from 'node:test';
import { dynamoLines as lines } from '../../../engines/dynamo/log.ts';
import { DynamoScribe } from '../../testing/dynamo.ts';
import { withEveryLoss } from '../../testing/every-loss.ts';
import type { Outcome } from '../../verdict.ts';

const is = (scribe: DynamoScribe, id: string, outcome: Outcome) =>
  withEveryLoss(scribe, { requirement: `DY-${id}` }, outcome);

/** A vLLM worker whose engine is killed, and does not answer to its shutdown. */
const vllm = ({
  seen = 1.4,
  gaveUp = 31.4,
  runtime = gaveUp + 0.1,
  E = gaveUp + 0.2,
  code = 1,
  again = true,
}: Partial<Record<'seen' | 'gaveUp' | 'runtime' | 'E' | 'code', number>> & { again?: boolean } = {}) =>
  new DynamoScribe()
    .dies('kill-engine')
    .say(seen, 'v', `${lines.healthFailed}: EngineCore died`)
    .say(gaveUp, 'v', lines.engineTimedOut)
    .say(runtime, 'v', lines.runtime)
    .ends(E, code, again);

test('ER-01: seen within the pause of the monitor and one check, exit code 1', () => {
  is(vllm(), 'ER-01', 'pass');
  is(vllm({ seen: 12 }), 'ER-01', 'fail');
  is(vllm({ code: 0 }), 'ER-01', 'fail');
});

test('ER-04: the error, the engine, the runtime, 1', () => {
  is(vllm(), 'ER-04', 'pass');
  is(vllm({ runtime: 1.6 }), 'ER-04', 'fail');
  is(vllm({ gaveUp: 1, runtime: 31.5, E: 32 }), 'ER-04', 'fail');
  is(vllm({ code: 0 }), 'ER-04', 'fail');
});

test('ER-05: a shutdown that hangs is given up', () => {
  is(vllm(), 'ER-05', 'pass');
  is(vllm({ gaveUp: 43, E: 43.2 }), 'ER-05', 'fail');
});

test('ER-03: a code that tells, and a container that runs again', () => {
  is(vllm(), 'ER-03', 'pass');
  is(vllm({ code: 0 }), 'ER-03', 'fail');
  is(vllm({ again: false }), 'ER-03', 'inconclusive');
});

/** A TensorRT-LLM worker whose engine is killed, and whose clean-up fails. */
const trtllm = ({
  cause = 'the executor died',
  warned = 0.1,
  runtime = 0.3,
  failed = 0.5,
  last = 0.7,
  code = 1,
} = {}) =>
  new DynamoScribe()
    .dies('kill-engine')
    .say(warned, 'v', `${lines.fatal}: ${cause}`)
    .say(runtime, 'v', lines.runtime)
    .say(failed, 'v', `${lines.fatalCleanupError}: it does not answer`)
    .say(last, 'v', lines.forcedExit)
    .ends(1, code, true);

test('ER-02: the runtime, the clean-up, 1', () => {
  is(trtllm(), 'ER-02', 'pass');
  is(trtllm({ runtime: 0.65 }), 'ER-02', 'fail');
  is(trtllm({ code: 0 }), 'ER-02', 'fail');
  // Of one millisecond: the place in the log tells.
  const atOnce = (first: string, second: string) => {
    const scribe = new DynamoScribe().dies('kill-engine').say(0.2, 'v', `${lines.fatal}: it ended`);
    const time = { time: '2026-01-01T00:00:00.500Z' };
    return scribe
      .say(0.5, 'v', first, time)
      .say(0.5, 'v', second, time)
      .say(0.7, 'v', lines.forcedExit)
      .ends(1, 1, true);
  };
  const failed = `${lines.fatalCleanupError}: it does not answer`;
  is(atOnce(lines.runtime, failed), 'ER-02', 'pass');
  is(atOnce(failed, lines.runtime), 'ER-02', 'fail');
});

test('ER-06: the warning with its cause first, the critical line last', () => {
  is(trtllm(), 'ER-06', 'pass');
  is(trtllm({ cause: '' }), 'ER-06', 'fail');
  is(trtllm({ warned: 0.9 }), 'ER-06', 'fail');
  is(trtllm({ last: 0.4 }), 'ER-06', 'fail');
});
