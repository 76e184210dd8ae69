import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SseParser } from './sse.ts';
import type { ServerSentEvent } from './sse.ts';

function parse(pieces: Buffer[]): { events: ServerSentEvent[]; insideEvent: boolean } {
  const events: ServerSentEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  return { events, insideEvent: parser.insideEvent };
}

const line = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, 'ü'));
const event = fc.record({
  event: fc.constantFrom('', 'error', 'message'),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
});

test('events come out whole however the bytes are split, with any line end', () => {
  const wire = fc.tuple(
    fc.array(event, { maxLength: 6 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.array(fc.nat()),
    fc.boolean(),
  );
  fc.assert(
    fc.property(wire, ([sent, newline, cuts, bom]) => {
      const blocks = sent.map(({ event, lines }) =>
        [': a comment', ...(event ? [`event: ${event}`] : []), ...lines.map((l) => `data: ${l}`), '', ''].join(newline),
      );
      const bytes = Buffer.from((bom ? '\uFEFF' : '') + blocks.join(''));
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
      const { events, insideEvent } = parse(pieces);
      const wanted = sent.map(({ event, lines }) => ({ event, data: lines.join('\n') }));
      assert.deepEqual(events, wanted);
      assert.equal(insideEvent, false);
    }),
    { numRuns: 2000 },
  );
});

test('a cut event is not handed over, and is told', () => {
  for (const half of ['data: {"a"', 'data: x\n', 'event: error\n']) {
    assert.deepEqual(parse([Buffer.from(`data: 1\n\n${half}`)]), {
      events: [{ event: '', data: '1' }],
      insideEvent: true,
    });
  }
});

test('a field without colon, without space, and an unknown one', () => {
  assert.deepEqual(parse([Buffer.from('data\ndata:x\nid: 7\nretry: 5\nfoo: bar\n\n')]).events, [
    { event: '', data: '\nx' },
  ]);
});
