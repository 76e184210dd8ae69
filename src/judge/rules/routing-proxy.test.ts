import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings, Scribe } from '../testing/build.ts';
import type { Outcome, Verdict } from '../verdict.ts';

const is = (verdict: Verdict, outcome: Outcome) => assert.equal(verdict.outcome, outcome, findings(verdict));
const decoder = { uid: 'v', grace: 30, args: ['--port', '8000'] };
const proxy = { name: 'routing-proxy' };

/** A history in which every sight of the Pod shows its routing proxy, as a classic container or as a sidecar. */
class Decoder extends Scribe {
  readonly #classic: boolean;
  constructor(kubernetes: string | undefined, classic: boolean) {
    super();
    this.#classic = classic;
    if (kubernetes) this.versions = { kubernetes };
  }

  override pod(...[type, at, spec, more = {}]: Parameters<Scribe['pod']>): this {
    const command = ['vllm', 'serve', 'm', ...(spec.args ?? [])];
    const main = { name: 'main', command, lifecycle: { preStop: {} } };
    const containers = this.#classic
      ? { containers: [proxy, main] }
      : { containers: [main], initContainers: [{ ...proxy, restartPolicy: 'Always' }] };
    return super.pod(type, at, spec, { ...more, spec: { ...containers, ...more.spec } });
  }

  proxySignalled(at: number): this {
    const line = '{"level":"info","msg":"shutting down"}';
    return this.put('log.line', at, 'Pod/n/v', { uid: 'v', container: 'routing-proxy', line });
  }
}

/** Both streams are due at 12.75 s; `cut`: when the one through the proxy ends, `straight`: the other one. */
function left({ kubernetes = 'v1.28.15', classic = true, P = 0.03, cut = 0.05, straight = 12.75, S = 14.1 } = {}) {
  const end = (over: number) => (over < 12.75 ? ('eof' as const) : ('complete' as const));
  return new Decoder(kubernetes, classic)
    .ready(decoder)
    .bind('victim', 'v')
    .request('through', 'v', -4, cut, end(cut), { due: 12.75 })
    .request('straight', 'v', -4, straight, end(straight), { due: 12.75, via: 'pod' })
    .gauges('v', -3.9, Math.max(cut, straight), 1)
    .gauges('v', Math.max(cut, straight) + 0.05, S, 0)
    .proxySignalled(P)
    .leave(decoder, { S, E: S + 1 })
    .end(20);
}

test('LM-12 below 1.29: the proxy stops at the delete, and nothing but what passes it is cut', () => {
  const decision = { requirement: 'GS-LM-12' };
  is(left().judge(decision), 'pass');
  // More is lost: the engine is signalled with its proxy.
  is(left({ straight: 0.2, S: 0.1 }).judge(decision), 'fail');
  is(left({ straight: 5, S: 6.5 }).judge(decision), 'fail');
  // Less is lost.
  const later = left({ P: 9, cut: 12.75 }).judge(decision);
  is(later, 'pass');
  assert.match(later.findings[0]?.note ?? '', /less is lost/);
  // Not this Kubernetes, or nothing that tells which.
  is(left({ kubernetes: 'v1.34.4' }).judge(decision), 'inconclusive');
  is(left({ kubernetes: '' }).judge(decision), 'inconclusive');
  is(left({ classic: false }).judge(decision), 'inconclusive');
});

test('LM-12 from 1.29 on: what passes the proxy is whole', () => {
  const decision = { requirement: 'GS-LM-12', part: 'from 1.29 on' };
  const newer = { kubernetes: 'v1.34.4', classic: false, P: 15.2 };
  is(left({ ...newer, cut: 12.75 }).judge(decision), 'pass');
  is(left({ ...newer, P: 0.03, cut: 0.05 }).judge(decision), 'fail');
  is(left({ ...newer, classic: true, P: 0.03, cut: 0.05 }).judge(decision), 'fail');
  is(left({ ...newer, kubernetes: 'v1.28.15', cut: 12.75 }).judge(decision), 'inconclusive');
});

test('LM-13: no hook on the routing proxy', () => {
  const made = (proxy: object | undefined, { hook = true } = {}) => {
    const spec = proxy === undefined ? {} : { initContainers: [{ name: 'routing-proxy', ...proxy }] };
    return new Scribe()
      .pod('added', -20, { uid: 'v', hook }, { spec })
      .bind('victim', 'v')
      .judge({ requirement: 'GS-LM-13' });
  };
  is(made({ restartPolicy: 'Always' }), 'pass');
  is(made({ lifecycle: { preStop: { exec: {} } } }), 'fail');
  is(made(undefined), 'inconclusive');
  is(made({}, { hook: false }), 'inconclusive');
});
