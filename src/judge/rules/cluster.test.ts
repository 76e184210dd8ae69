import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { PodSpec } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const victim: PodSpec = { uid: 'v', ip: '127.16.0.1' };

test('DW-01: every cause by its own mark', () => {
  const base = (ours: boolean, S = 10.5) =>
    new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .request('last', 'v', -3, Math.min(9, S + 0.03), S > 9 ? 'complete' : 'abort', { due: 9 })
      .gauges('v', -2, Math.min(9, S), 1)
      .gauges('v', 9.05, S, 0)
      .leave(victim, { S, E: S + 1, ours });
  const disrupted = (reason: string) => ({
    status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason }] },
  });
  const cause = (part: string) => ({ requirement: 'GS-DW-01', part });
  is(base(true).judge(cause('delete')), 'pass');
  is(base(true, 0.1).judge(cause('delete')), 'fail');
  is(base(false).judge(cause('delete')), 'inconclusive');
  is(base(false).pod('modified', 0.001, victim, disrupted('PreemptionByScheduler')).judge(cause('preemption')), 'pass');
  is(
    base(true).pod('modified', 0.001, victim, disrupted('PreemptionByScheduler')).judge(cause('preemption')),
    'inconclusive',
  );
  const evicted = base(false)
    .action('evict-1', 0, 'evict', 'Pod/n/v', 201)
    .pod('modified', 0.003, victim, disrupted('EvictionByEvictionAPI'));
  is(evicted.judge(cause('eviction')), 'pass');
  is(base(false).action('evict-1', 0, 'evict', 'Pod/n/v', 201).judge(cause('eviction')), 'inconclusive');
  const edited = (generation: number) =>
    base(false)
      .object('added', -20, 'ModelDeployment/n/chat', { metadata: { generation: 1 } })
      .action('edit-1', -0.2, 'patch', 'ModelDeployment/n/chat', 200)
      .object('modified', -0.15, 'ModelDeployment/n/chat', { metadata: { generation } });
  is(edited(2).judge(cause('rollout')), 'pass');
  is(edited(1).judge(cause('rollout')), 'inconclusive');
});

test('DW-02, LM-07, LM-14, LM-15: what stands on the Pod', () => {
  const pods = new Scribe().ready({ uid: 'a', role: 'g45', grace: 45 }).ready({ uid: 'b', role: 'unset', hook: false });
  const cases = { a: { deployment: 'chat', role: 'g45' }, b: { deployment: 'chat', role: 'unset' } };
  const asked = (g45: number) => ({
    requirement: 'GS-DW-02',
    cases: ['a', 'b'],
    given: { asked: { g45, unset: null } },
  });
  is(pods.judge(asked(45), cases), 'pass');
  is(pods.judge(asked(44), cases), 'fail');
  is(pods.judge({ requirement: 'GS-LM-07', cases: ['b'] }, cases), 'pass');
  is(pods.judge({ requirement: 'GS-LM-07', cases: ['a'] }, cases), 'fail');
  is(pods.judge({ requirement: 'GS-LM-14', cases: ['a'], given: { grace: 45 } }, cases), 'pass');
  is(pods.judge({ requirement: 'GS-LM-14', cases: ['a'], given: { grace: 77 } }, cases), 'fail');
  is(pods.judge({ requirement: 'GS-LM-15', cases: ['b'] }, cases), 'pass');
  is(pods.judge({ requirement: 'GS-LM-15', cases: ['a'] }, cases), 'fail');
});

test('DW-03: both ends of the range, and a refused write changes nothing', () => {
  const patch = (value: unknown) => [{ op: 'add', path: '/spec/roles/0/terminationGracePeriodSeconds', value }];
  const message = 'spec.roles[0].terminationGracePeriodSeconds: Invalid value';
  const object = (resourceVersion: string, spec = {}) => ({
    object: { metadata: { name: 'chat', resourceVersion }, spec },
  });
  const target = 'ModelDeployment/n/chat';
  const history = (statuses: Record<string, number>, after = '7') => {
    const scribe = new Scribe();
    for (const [value, status] of Object.entries(statuses)) {
      scribe.action(`e${value}-before`, 0, 'get', target, 200, object('7'));
      scribe.action(`e${value}`, 0.1, 'patch', target, status, status > 300 ? { message } : {}, patch(Number(value)));
      scribe.action(`e${value}-after`, 0.2, 'get', target, 200, object(after, after === '7' ? {} : { changed: true }));
    }
    return scribe;
  };
  const attempts = [14, 15, 3600, 3601].map((v) => ({
    action: `e${v}`,
    expect: v === 15 || v === 3600 ? 'accepted' : 'refused',
  }));
  const decision = { requirement: 'GS-DW-03', cases: [], given: { attempts } };
  is(history({ 14: 422, 15: 200, 3600: 200, 3601: 422 }).judge(decision), 'pass');
  is(history({ 14: 200, 15: 200, 3600: 200, 3601: 422 }).judge(decision), 'fail');
  is(history({ 14: 422, 15: 422, 3600: 200, 3601: 422 }).judge(decision), 'fail');
  const changed = history({ 14: 422 }, '8');
  const refusal = { ...decision, given: { attempts: attempts.slice(0, 1) } };
  assert.match(findings(changed.judge(refusal)), /^fail: .*the spec has changed/m);
  assert.match(
    findings(changed.action('mine', 0.05, 'patch', target, 200).judge(refusal)),
    /^inconclusive: .*mine wrote to it between/m,
  );
  is(history({ 14: 422, 15: 200, 3600: 200, 3601: 409 }).judge(decision), 'inconclusive');
  is(history({ 15: 200, 3600: 200, 3601: 422 }).judge(decision), 'inconclusive');
  is(history({ 14: 422, 15: 200 }).judge({ ...decision, given: { attempts: attempts.slice(0, 2) } }), 'inconclusive');
  const created = (status: number) =>
    new Scribe()
      .action(
        'c14',
        0,
        'create',
        target,
        422,
        { message },
        { spec: { roles: [{ terminationGracePeriodSeconds: 14 }] } },
      )
      .action('c14-after', 0.1, 'get', target, status);
  const one = { ...decision, given: { attempts: [{ action: 'c14', expect: 'refused' }] } };
  assert.match(findings(created(404).judge(one)), /^pass: 14 is refused/);
  is(created(200).judge(one), 'fail');
});

test('DW-14 and DW-31: the accelerator is taken until the engine ends', () => {
  const waiting = { uid: 'w', role: 'other' };
  const unbound = { spec: { nodeName: undefined }, status: { phase: 'Pending', startTime: undefined } };
  const history = (bound: number, E: number, S = 25.3) => {
    const scribe = new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .request('r', 'v', -3, S + 0.05, 'abort', { due: 40 })
      .gauges('v', -2, S, 1);
    const early = bound < E;
    scribe.pod('added', -2, waiting, unbound);
    if (early) scribe.pod('modified', bound, waiting, { status: { startTime: undefined } });
    scribe.leave(victim, { S, E });
    if (!early) scribe.pod('modified', bound, waiting, { status: { startTime: undefined } });
    return scribe.end(bound + 5);
  };
  const decision = { requirement: 'GS-DW-14', given: { waiting: 'w' } };
  is(history(26.4 + 0.105, 26.4).judge(decision), 'pass');
  is(history(1, 26.4).judge(decision), 'fail');
  is(history(30, 26.4).judge(decision), 'fail');
  is(history(40.2, 40).judge(decision), 'fail');
  is(history(26.5, 26.4).judge({ ...decision, given: { waiting: 'nobody' } }), 'inconclusive');
  is(history(35.1, 25.3 + 9.7, 6.2).judge({ requirement: 'GS-DW-31', given: { waiting: 'w' } }), 'fail');
  is(history(18.3, 18.2, 6.2).judge({ requirement: 'GS-DW-31', given: { waiting: 'w' } }), 'pass');
  is(history(7.3, 7.2, 6.2).judge({ requirement: 'GS-DW-31', given: { waiting: 'w' } }), 'inconclusive');
});

test('DW-14: the quota is held until the engine ends', () => {
  const workload = (status: string) => ({
    metadata: { ownerReferences: [{ uid: 'v' }] },
    status: { conditions: [{ type: 'QuotaReserved', status }] },
  });
  const history = (released: number) => {
    const scribe = new Scribe()
      .ready(victim)
      .bind('victim', 'v')
      .object('added', -20, 'Workload/n/v', workload('True'))
      .request('r', 'v', -3, 25.35, 'abort', { due: 40 })
      .gauges('v', -2, 25.3, 1);
    scribe.pod(
      'added',
      -2,
      { uid: 'w', role: 'other' },
      { spec: { nodeName: undefined }, status: { startTime: undefined } },
    );
    if (released < 26) scribe.object('modified', released, 'Workload/n/v', workload('False'));
    scribe.leave(victim, { S: 25.3, E: 26.4 });
    if (released > 26) scribe.object('deleted', released, 'Workload/n/v', workload('True'));
    return scribe.pod('modified', 26.51, { uid: 'w', role: 'other' }, { status: { startTime: undefined } }).end(30);
  };
  is(history(26.55).judge({ requirement: 'GS-DW-14', given: { waiting: 'w' } }), 'pass');
  is(history(0.1).judge({ requirement: 'GS-DW-14', given: { waiting: 'w' } }), 'fail');
});

test('an id without a rule, and a problem of the harness, are harness errors', () => {
  is(new Scribe().judge({ requirement: 'GS-DW-00' }), 'harness-error');
  const broken = new Scribe()
    .ready({ uid: 'a', hook: false })
    .put('problem', 1, 'harness', { where: 'action delete-1', message: 'not proved' });
  is(
    broken.judge({ requirement: 'GS-LM-07', cases: ['a'] }, { a: { deployment: 'chat', role: 'serve' } }),
    'harness-error',
  );
});
