import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import { Retiring } from '../testing/retire.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));

const member = (uid: string, seat: number): PodSpec => ({
  uid,
  ip: `127.16.0.${seat + 1}`,
  labels: { 'kueue.x-k8s.io/pod-group-name': 'g', 'modeldeployment.gpustack.ai/member-index': String(seat) },
  annotations: { 'kueue.x-k8s.io/pod-group-total-count': '2' },
});
const leader = member('v', 0);
const follower = member('f', 1);
const cases = { victim: { deployment: 'chat', role: 'serve', ordinal: 0 } };

interface Group {
  /** The leader's signal, the follower's delete and signal; `null`: no delete, or no signal that anybody tells of. */
  S?: number;
  D?: number | null;
  F?: number | null;
  x?: number;
  /** Whether the follower says it itself, or the kubelet does. */
  by?: 'follower' | 'kubelet';
}

/** A leader whose work ends at 13 s, and its follower. */
function group({ S = 14.4, D = 0.1, F = 5.3, x = 13, by = 'kubelet' }: Group = {}): Retiring {
  const scribe = new Retiring()
    .ready(leader)
    .ready(follower)
    .bind('victim', 'v')
    .bind('follower', 'f')
    .request('long', 'v', -3, x)
    .gauges('v', -2, x, 1)
    .gauges('v', x + 0.05, S, 0)
    .leave(leader, { S, E: S + 1 });
  if (D === null) return scribe.look(30, follower);
  const told = F === null ? {} : { S: F };
  scribe.leave(follower, { D, E: (F ?? 5.3) + 0.2, ours: false, ...(by === 'follower' ? told : {}) });
  if (by === 'kubelet' && F !== null) {
    const time = (40 + F).toFixed(6).padStart(9, '0');
    const line = `I1130 08:01:${time}    7 kubelet.go:1] "Sending signal" pod="n/f" containerName="main" signal="SIGTERM"`;
    scribe.put('log.line', 40, 'Node/node', { uid: 'node', container: 'kubelet', line });
  }
  return scribe;
}

test('LM-09: the leader drains, and every member is deleted', () => {
  const judged = (of: Group) => group(of).judge({ requirement: 'GS-LM-09' }, cases);
  is(judged({}), 'pass');
  is(judged({ S: 6.2 }), 'fail');
  is(judged({ D: null }), 'fail');
  is(judged({ x: 4, S: 6.2 }), 'inconclusive');
  // A replica of one Pod proves nothing.
  const alone = group().judge({ requirement: 'GS-LM-09', cases: ['follower'] }, { ...cases, follower: cases.victim });
  is(alone, 'inconclusive');
});

test('LM-09: a request of the leader that is cut in the window breaks it', () => {
  const scribe = group().request('cut', 'v', -3, 9, 'eof', { due: 13 });
  is(scribe.judge({ requirement: 'GS-LM-09' }, cases), 'fail');
});

test('LM-16: a follower is signalled 5 s after its own delete, while the leader drains', () => {
  const both = { ...cases, follower: { deployment: 'chat', role: 'serve', ordinal: 0, member: 1 } };
  const judged = (of: Group) => group(of).judge({ requirement: 'GS-LM-16', cases: ['follower'] }, both);
  is(judged({}), 'pass');
  is(judged({ by: 'follower' }), 'pass');
  is(judged({ F: 4 }), 'fail');
  is(judged({ F: 9 }), 'fail');
  // It waits for its leader to be gone, and then keeps its own 5 s.
  is(judged({ D: 16, F: 21.3 }), 'fail');
  // The leader was idle, or nobody tells of the follower's signal.
  is(judged({ x: 3, S: 5 }), 'inconclusive');
  is(judged({ F: null }), 'inconclusive');
  is(judged({ D: null }), 'inconclusive');
});

test('one missing event leaves it open, and never turns it over', () => {
  const both = { ...cases, follower: { deployment: 'chat', role: 'serve', ordinal: 0, member: 1 } };
  const torn: [string, string, Group][] = [
    ['GS-LM-09', 'victim', {}],
    ['GS-LM-09', 'victim', { S: 6.2 }],
    ['GS-LM-09', 'victim', { D: null }],
    ['GS-LM-16', 'follower', {}],
    ['GS-LM-16', 'follower', { F: 9 }],
    ['GS-LM-16', 'follower', { D: 16, F: 21.3 }],
  ];
  for (const [requirement, name, of] of torn) {
    const decision = { requirement, cases: [name] };
    const whole = group(of).judge(decision, both).outcome;
    const { length } = group(of).events;
    for (let i = 0; i < length; i++) {
      const scribe = group(of);
      const [missing] = scribe.events.splice(i, 1);
      if (missing?.kind === 'gauges' && i % 7 !== 0) continue; // one of many
      const verdict = scribe.judge(decision, both);
      const message = `${JSON.stringify(of)} without ${missing?.kind} of ${missing?.subject}: ${findings(verdict)}`;
      assert.ok([whole, 'inconclusive'].includes(verdict.outcome), message);
    }
  }
});
