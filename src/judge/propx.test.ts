import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LinedEvent } from '../history/reader.ts';
import { judge, renderVerdicts } from './judge.ts';
import { disturb, disturbances } from './testing/disturb.ts';
import { historyOf } from './testing/history.ts';
import { simManifest } from './testing/manifest.ts';
import { oracle } from './testing/oracle.ts';
import { ENGINE_FAULTS, simFaults } from './testing/draw.ts';
import { simulate } from './testing/truth.ts';
import type { Draw, Truth } from './testing/draw.ts';
import type { Outcome, Verdict } from './verdict.ts';

/** One seed, so that a check is the same on every machine; another one for a longer hunt. */
const seed = Number(process.env['QUIESCE_PROPERTY_SEED'] ?? 20261130);
const RUNS = Number(process.env['QUIESCE_PROPERTY_RUNS'] ?? 10_000);

// Even over its range: fc.double is even over the bits of a double, which is nearly always next to 0.
const number = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 10_000 })).map((n) => min + (n / 10_000) * (max - min));
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.constant('none' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...simFaults) },
);
const drawn: fc.Arbitrary<Draw> = fc.record({
  scale: fc.constantFrom(1, 5, 5, 5, 10),
  grace: fc.constantFrom(15, 20, 30, 45),
  work: fc.constantFrom('idle', 'ends', 'outlasts'),
  phase: number(0, 1),
  engine: fc.oneof(
    { weight: 5, arbitrary: fc.constant('vLLM' as const) },
    { weight: 2, arbitrary: fc.constant('SGLang' as const) },
    { weight: 4, arbitrary: fc.constantFrom('prefill' as const, 'decode' as const) },
  ),
  watchdog: number(0, 1),
  abort: fc.constantFrom('abort', 'error-frame', 'silence'),
  ignoresSigterm: fc.integer({ min: 0, max: 6 }).map((n) => n === 0),
  beginMs: number(3, 60),
  startMs: fc.oneof({ weight: 4, arbitrary: number(30, 130) }, { weight: 1, arbitrary: number(30, 330) }),
  readMs: number(1, 40),
  lagMs: number(0, 80),
  signalMs: number(5, 20),
  kubeletLog: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  killingEvent: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  fault,
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
});

/** SGLang has faults of its own, and what it promises stands and falls with a grace that is large enough. */
const draw: fc.Arbitrary<Draw> = fc
  .tuple(drawn, fc.nat({ max: 9 }), fc.constantFrom(...ENGINE_FAULTS))
  .map(([d, n, own]) =>
    d.engine === 'vLLM' ? d : { ...d, fault: n < 3 ? own : d.fault, grace: n % 2 === 0 ? 45 : d.grace },
  );

const judged = (truth: Truth, events: LinedEvent[]): Verdict[] =>
  judge({ manifest: simManifest(truth.draw.scale), events }, []);

const wrong = (truly: string | undefined, outcome: Outcome) =>
  (outcome === 'fail' && (truly === 'holds' || truly === 'untried')) ||
  (outcome === 'pass' && (truly === 'broken' || truly === 'untried')) ||
  outcome === 'harness-error';

const tell = (verdict: Verdict, truly: string | undefined) =>
  `${verdict.requirement} truly ${truly}, judged ${verdict.outcome}: ${verdict.findings.map((f) => `${f.formula} | ${f.seen}`).join('; ')}`;

test(`no wrong verdict on ${RUNS} histories whose truth is known, disturbed in every way`, () => {
  fc.assert(
    fc.property(draw, fc.constantFrom(...disturbances), fc.nat(), (d, how, s) => {
      const truth = simulate(d);
      const truly = oracle(truth);
      const events = disturb(historyOf(truth), truth, how, s);
      for (const verdict of judged(truth, events)) {
        if (wrong(truly[verdict.requirement], verdict.outcome)) assert.fail(tell(verdict, truly[verdict.requirement]));
      }
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
});

test('undisturbed histories are decided: what holds passes, what is broken fails', () => {
  const count = new Map<string, number>();
  const add = (key: string) => count.set(key, (count.get(key) ?? 0) + 1);
  for (const d of fc.sample(draw, { numRuns: 2500, seed })) {
    // With everything that the embedded target tells, an unloaded machine, the default scale: what `npm start` sees.
    const truth = simulate({
      ...d,
      scale: 5,
      kubeletLog: true,
      killingEvent: true,
      startMs: Math.min(d.startMs, 110),
      readMs: d.readMs / 4,
      lagMs: d.lagMs / 8,
    });
    const truly = oracle(truth);
    for (const { requirement, outcome } of judged(truth, historyOf(truth)))
      add(`${requirement} ${truly[requirement]} ${outcome}`);
  }
  const share = (requirement: string, truly: string, outcome: Outcome) => {
    const of = (o: string) => count.get(`${requirement} ${truly} ${o}`) ?? 0;
    const all = of('pass') + of('fail') + of('inconclusive');
    return { all, share: all === 0 ? 1 : of(outcome) / all };
  };
  const requirements = new Set(simManifest(5).scenario.decides.map((decision) => decision.requirement));
  for (const requirement of requirements) {
    const held = share(requirement, 'holds', 'pass');
    const broken = share(requirement, 'broken', 'fail');
    assert.ok(held.all >= 60, `${requirement} is tried ${held.all} times only`);
    assert.ok(broken.all >= 5, `${requirement} is broken ${broken.all} times only`);
    // These ask for work that ends late enough, or for reads in the log: some histories have none.
    const least = ['GS-DW-01', 'GS-DW-12', 'GS-DW-28'].includes(requirement) ? 0.4 : 0.75;
    assert.ok(held.share >= least, `${requirement}: ${(held.share * 100).toFixed(0)} % of what holds passes`);
    assert.ok(broken.share >= 0.8, `${requirement}: ${(broken.share * 100).toFixed(0)} % of what is broken fails`);
  }
});

test('the order of the events, and lines that come twice, change no byte of the verdicts', () => {
  fc.assert(
    fc.property(draw, fc.nat(), (d, s) => {
      const truth = simulate(d);
      const events = historyOf(truth);
      const render = (list: LinedEvent[]) => renderVerdicts(simManifest(d.scale), judged(truth, list));
      const shuffled = disturb(events, truth, 'shuffled', s);
      // The lines differ, and with them the evidence's: put them back.
      const lines = new Map(events.map((e) => [e.seq, e.line]));
      const restored = shuffled.map((e) => ({ ...e, line: lines.get(e.seq) ?? 0 }));
      assert.equal(render(restored), render(events));
      assert.equal(render([...restored, ...restored.slice(0, 40)]), render(events));
    }),
    { numRuns: 150, seed },
  );
});

test('requests are conserved: planned = completed + cut + refused + never sent', () => {
  fc.assert(
    fc.property(draw, (d) => {
      const truth = simulate(d);
      const events = historyOf(truth);
      const of = (kind: string) => events.filter((e) => e.kind === kind);
      const ends = events.flatMap((e) => (e.kind === 'request.end' ? [e.data.end] : []));
      assert.equal(of('request.planned').length, ends.length);
      assert.equal(new Set(of('request.end').map((e) => e.subject)).size, ends.length);
    }),
    { numRuns: 200, seed },
  );
});
