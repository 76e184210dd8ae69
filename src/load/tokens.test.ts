import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TokenAccount } from './tokens.ts';

const account = (...texts: string[]) => {
  const tokens = new TokenAccount();
  texts.forEach((text) => tokens.add(text));
  return tokens;
};

test('dropped and repeated tokens are counted exactly, however they are bundled', () => {
  const stream = fc.record({
    length: fc.integer({ min: 2, max: 60 }),
    base: fc.constantFrom(0, 1),
    drop: fc.uniqueArray(fc.nat()),
    repeat: fc.array(fc.nat()),
    bundle: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(stream, ({ length, base, drop, repeat, bundle }) => {
      const all = Array.from({ length }, (_, i) => i + base);
      // The first number stays, since it is what tells the base.
      const dropped = new Set(drop.map((d) => 1 + base + (d % (length - 1))));
      const kept = all.filter((n) => !dropped.has(n));
      const repeated = repeat.map((r) => kept[r % kept.length] ?? base);
      const sent = [...kept, ...repeated];
      const tokens = new TokenAccount();
      for (let i = 0; i < sent.length; i += bundle)
        tokens.add(
          sent
            .slice(i, i + bundle)
            .map((n) => ` t${n}`)
            .join(''),
        );
      assert.equal(tokens.received, kept.length);
      assert.equal(tokens.repeated, repeated.length);
      assert.equal(tokens.missing(length), dropped.size);
      const last = kept.at(-1) ?? base;
      assert.equal(tokens.missing(undefined), [...dropped].filter((n) => n < last).length);
    }),
  );
});

test("a real engine's chunks count as they come, even where some text looks numbered", () => {
  const tokens = account('', 'Once', ' t5', ' upon', ' t5');
  assert.deepEqual([tokens.received, tokens.missing(9), tokens.repeated], [4, 0, 0]);
});

test('a stream that claims its length without any token misses all of them', () => {
  assert.equal(account().missing(3), 3);
  assert.equal(account().missing(undefined), 0);
});
