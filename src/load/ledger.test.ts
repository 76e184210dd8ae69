import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endKinds } from '../history/event.ts';
import type { EndKind } from '../history/event.ts';
import { ledgerOf, MAX_START_DELAY_MS } from './ledger.ts';
import { MemoryRecorder } from './memory-recorder.ts';

interface Life {
  group: string;
  delayMs: number;
  /** Absent: still open. */
  end: EndKind | undefined;
}
const life = fc.record({
  group: fc.constantFrom('a', 'b'),
  delayMs: fc.double({ min: 0, max: 2 * MAX_START_DELAY_MS, noNaN: true }),
  end: fc.option(fc.constantFrom(...endKinds), { nil: undefined }),
});

/** The events of these lives; each one's own in order, lives interleaved as `order` says. */
function history(lives: Life[], order: number[], recorder = new MemoryRecorder()): MemoryRecorder {
  const steps = lives.map(({ group, delayMs, end }, i) => {
    const id = `${group}-${i}`;
    const planned = { id, group, via: 'router', plannedAt: i, tokens: 1, tokenSeconds: 1 } as const;
    return [
      () => recorder.record('request.planned', [0, 0], id, planned),
      ...(end === 'never-sent'
        ? []
        : [() => recorder.record('request.sent', [i, i], id, { id, address: 'x', delayMs })]),
      ...(end
        ? [() => recorder.record('request.end', [i, i], id, { id, end, tokens: 0, missing: 0, repeated: 0 })]
        : []),
    ];
  });
  for (const pick of order) steps[pick % Math.max(1, steps.length)]?.shift()?.();
  for (const rest of steps) for (const step of rest) step();
  return recorder;
}

test('planned = every kind of end + open, in any order, by group too', () => {
  fc.assert(
    fc.property(fc.array(life), fc.array(fc.nat()), (lives, order) => {
      const ledger = ledgerOf(history(lives, order).events);
      const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
      assert.deepEqual(ledger.problems, []);
      assert.equal(ledger.planned, lives.length);
      assert.equal(sum(ledger.ends) + ledger.open.length, lives.length);
      assert.equal(ledger.open.length, lives.filter(({ end }) => !end).length);
      for (const kind of endKinds) {
        assert.equal(ledger.ends[kind], lives.filter(({ end }) => end === kind).length);
        assert.equal(
          Object.values(ledger.groups).reduce((n, group) => n + group[kind], 0),
          ledger.ends[kind],
        );
      }
      assert.equal(ledger.sent, lives.length - ledger.ends['never-sent']);
      assert.ok(ledger.startDelay.p50 <= ledger.startDelay.p99 && ledger.startDelay.p99 <= ledger.startDelay.max);
      assert.equal(ledger.late, ledger.startDelay.p99 > MAX_START_DELAY_MS);
    }),
    { numRuns: 1000 },
  );
});

test('whatever does not add up is told', () => {
  const whole: Life = { group: 'a', delayMs: 1, end: 'complete' };
  const problemsAfter = (spoil: (recorder: MemoryRecorder) => void) => {
    const recorder = history([whole], []);
    spoil(recorder);
    return ledgerOf(recorder.events).problems.join();
  };
  const end = (id: string, kind: EndKind) => ({ id, end: kind, tokens: 0, missing: 0, repeated: 0 });
  const sent = (id: string) => ({ id, address: 'x', delayMs: 0 });
  assert.equal(
    problemsAfter(() => undefined),
    '',
  );
  assert.match(
    problemsAfter((r) => r.record('request.end', [9, 9], '', end('a-0', 'eof'))),
    /ended twice, complete and eof/,
  );
  assert.match(
    problemsAfter((r) => r.record('request.end', [9, 9], '', end('b-0', 'eof'))),
    /b-0: ended, but never planned/,
  );
  assert.match(
    problemsAfter((r) => r.record('request.sent', [9, 9], '', sent('a-0'))),
    /sent twice.*sent after its end/,
  );
  assert.match(
    problemsAfter((r) => history([whole], [], r)),
    /planned twice/,
  );
  const neverSent = history([{ ...whole, end: undefined }], []);
  neverSent.record('request.end', [9, 9], '', end('a-0', 'never-sent'));
  assert.match(ledgerOf(neverSent.events).problems.join(), /ended as never-sent, but was sent/);
});
