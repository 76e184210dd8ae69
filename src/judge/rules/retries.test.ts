import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const failing: PodSpec = { uid: 'v', ip: '127.16.0.1' };
const serving: PodSpec = { uid: 's', ip: '127.16.0.2' };
const received = (id: string) => `INFO [logger.py:40] Received request cmpl-${id}-0: x`;

interface Routed {
  router?: string;
  /** Where each request of `v` is received after it, and how it ends for the client. */
  then?: 'nowhere' | 'elsewhere' | 'itself';
  /** What becomes of the stream that is cut. */
  cut?: 'cut' | 'again' | 'repeated' | 'none';
  failed?: number;
  served?: boolean;
}

/** Requests in turn to a replica that fails and one that serves, and a stream that is cut at 10 s. */
function routed({
  router = 'vllm-router',
  then = 'nowhere',
  cut = 'cut',
  failed = 4,
  served = true,
}: Routed = {}): Scribe {
  const scribe = new Scribe()
    .ready(failing)
    .ready(serving)
    .bind('victim', 'v')
    .object('added', -20, 'ModelDeployment/n/chat', {
      metadata: { uid: 'md' },
      spec: { roles: [], router: { name: router } },
    });
  for (let i = 0; i < failed; i++) {
    const at = -4 + i * 0.5;
    const id = `tried-${i}`;
    scribe.request(id, 'v', at, at + 0.3, then === 'nowhere' ? 'http-error' : 'complete');
    if (then === 'nowhere') status(scribe, 500);
    if (then !== 'nowhere') scribe.line(at + 0.1, then === 'itself' ? 'v' : 's', received(id));
    scribe.put('request.headers', at + 0.2, `request/${id}`, { id, status: then === 'nowhere' ? 500 : 200 });
    if (served) scribe.request(`served-${i}`, 's', at + 0.1, at + 0.4);
  }
  if (cut === 'none') return scribe;
  scribe.request('long', 'v', -6, 10, cut === 'repeated' ? 'damaged' : 'abort', {
    due: 20,
    repeated: cut === 'repeated' ? 5 : 0,
  });
  scribe.put('request.headers', -5.9, 'request/long', { id: 'long', status: 200 });
  if (cut === 'again') scribe.line(9.9, 's', received('long'));
  return scribe;
}

/** Gives the end that was written last its HTTP status. */
function status({ events }: Scribe, code: number): void {
  const { data } = events.at(-1) as unknown as { data: { status?: number } };
  data.status = code;
}

const judged = (id: string, of: Routed) => routed(of).judge({ requirement: id });

test('LM-05: no retry before the response, and none after it', () => {
  const lm05 = (of: Routed) => judged('GS-LM-05', of);
  is(lm05({}), 'pass');
  is(lm05({ router: 'llm-d-router' }), 'pass');
  is(lm05({ then: 'elsewhere' }), 'fail');
  is(lm05({ then: 'itself' }), 'fail');
  is(lm05({ cut: 'again' }), 'fail');
  is(lm05({ cut: 'repeated' }), 'fail');
  is(lm05({ router: 'sglang-gateway' }), 'inconclusive');
  is(lm05({ failed: 2 }), 'inconclusive');
  is(lm05({ cut: 'none' }), 'inconclusive');
  is(lm05({ served: false }), 'inconclusive');
});

test('LM-04: retried before the response has started, and never after', () => {
  const lm04 = (of: Routed) => judged('GS-LM-04', { router: 'sglang-gateway', then: 'elsewhere', ...of });
  is(lm04({}), 'pass');
  is(lm04({ then: 'nowhere' }), 'fail');
  is(lm04({ cut: 'again' }), 'fail');
  is(lm04({ cut: 'repeated' }), 'fail');
  is(lm04({ router: 'vllm-router' }), 'inconclusive');
  is(lm04({ failed: 2 }), 'inconclusive');
  is(lm04({ then: 'nowhere', failed: 2 }), 'inconclusive');
  is(lm04({ then: 'nowhere', served: false }), 'inconclusive');
  is(lm04({ cut: 'none' }), 'inconclusive');
});

test('one missing event leaves it open, and never turns it over', () => {
  const of: [string, Routed][] = [
    ['GS-LM-05', {}],
    ['GS-LM-05', { then: 'elsewhere' }],
    ['GS-LM-04', { router: 'sglang-gateway', then: 'elsewhere' }],
    ['GS-LM-04', { router: 'sglang-gateway', then: 'nowhere' }],
    ['GS-LM-04', { router: 'sglang-gateway', then: 'elsewhere', cut: 'repeated' }],
  ];
  for (const [requirement, how] of of) {
    const whole = judged(requirement, how).outcome;
    const { length } = routed(how).events;
    for (let i = 0; i < length; i++) {
      const torn = routed(how);
      const [missing] = torn.events.splice(i, 1);
      const verdict = torn.judge({ requirement });
      const message = `without ${missing?.kind} of ${missing?.subject}: ${findings(verdict)}`;
      assert.ok([whole, 'inconclusive'].includes(verdict.outcome), message);
    }
  }
});
