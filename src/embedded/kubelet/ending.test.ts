import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TimeScale } from '../../time/scale.ts';
import { kubeletFaults } from '../faults.ts';
import { Ending, type EndingOptions } from './ending.ts';
import { HostProcess } from './host-process.ts';
import { pause } from './stamps.ts';
import { shell, until } from './testing/scratch.ts';

const scale = new TimeScale(10);
/** Milliseconds of the wall that a busy machine may add. */
const SLACK = 700;

const OBEYS = `trap 'echo TERM; exit 0' TERM; echo up; while :; do sleep 0.02; done`;
const IGNORES = `trap 'echo TERM' TERM; echo up; while :; do sleep 0.02; done`;

interface Seen {
  code: number;
  /** Documented seconds from the begin of the end. */
  hookStart?: number;
  hookEnd?: number;
  term?: number;
  end: number;
}

async function end(script: string, options: Partial<EndingOptions> & { hookSeconds?: number }): Promise<Seen> {
  let out = '';
  let begun = 0;
  const at = () => scale.toSeconds(performance.now() - begun);
  const seen: Partial<Seen> = {};
  const program = await HostProcess.launch({
    program: shell(script),
    args: [],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    output: (_, chunk) => {
      out += chunk.toString();
      if (out.includes('TERM')) seen.term ??= at();
      return 0;
    },
  });
  await until('the program is up', () => out.includes('up'));
  begun = performance.now();
  const { hookSeconds } = options;
  const hook = async () => {
    seen.hookStart = at();
    if (await pause(scale.toMs(hookSeconds ?? 0))) seen.hookEnd = at();
    return undefined;
  };
  const ending = new Ending({
    scale,
    grace: 30,
    process: program,
    announced: Promise.resolve(),
    hook: hookSeconds === undefined ? undefined : hook,
    faults: new Set(),
    log: () => {},
    hookFailed: () => {},
    ...options,
  });
  await ending.done;
  const { code } = await program.exited;
  return { ...seen, code, end: at() };
}

const near = (value: number | undefined, expected: number) => {
  const slack = scale.toSeconds(SLACK);
  assert.ok(
    value !== undefined && value >= expected - 0.1 && value <= expected + slack,
    `${value}, expected ${expected} to ${expected + slack}`,
  );
};

describe('the end of one container', { concurrency: 5 }, () => {
  test('no hook: SIGTERM at once', async () => {
    const seen = await end(OBEYS, {});
    near(seen.term, 0);
    assert.equal(seen.code, 0);
  });

  test('SIGTERM follows the hook', async () => {
    const seen = await end(OBEYS, { hookSeconds: 6 });
    near(seen.hookStart, 0);
    near(seen.term, 6);
    assert.ok((seen.term ?? 0) >= (seen.hookEnd ?? Infinity));
  });

  test('hook and process share the grace', async () => {
    const seen = await end(IGNORES, { hookSeconds: 6, grace: 12 });
    near(seen.term, 6);
    near(seen.end, 12);
    assert.equal(seen.code, 137);
  });

  test('a hook that outlasts the grace: SIGTERM at the grace, SIGKILL 2 s later', async () => {
    const seen = await end(IGNORES, { hookSeconds: 20, grace: 8 });
    near(seen.term, 8);
    near(seen.end, 10);
    assert.equal(seen.hookEnd, undefined);
  });

  test('a sidecar waits for its turn, at most for the grace', async () => {
    const seen = await end(IGNORES, { turn: new Promise(() => {}), grace: 4 });
    near(seen.term, 4);
    near(seen.end, 6);
  });

  test('faults of the kubelet', async () => {
    const fault = (name: string) => ({ faults: new Set([name]) });
    const [first, early, late, never, tardy] = await Promise.all([
      end(OBEYS, { hookSeconds: 6, ...fault(kubeletFaults.sigtermFirst) }),
      end(IGNORES, { hookSeconds: 20, grace: 15, ...fault(kubeletFaults.killsEarly) }),
      end(OBEYS, { hookSeconds: 2, ...fault(kubeletFaults.lateHook) }),
      end(IGNORES, { grace: 4, ...fault(kubeletFaults.neverKills) }),
      end(OBEYS, { hookSeconds: 2, ...fault(kubeletFaults.signalLate) }),
    ]);
    near(first.term, 0);
    near(early.end, 7);
    assert.equal(early.code, 137);
    near(late.hookStart, 4);
    near(never.end, 14);
    near(tardy.term, 6);
  });
});
