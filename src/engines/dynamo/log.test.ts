import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamoLines, parseDynamoLine } from './log.ts';

const line = (message: string, more: object = {}) =>
  JSON.stringify({ time: '2026-11-30T08:00:00.000001Z', level: 'INFO', target: 'log', message, ...more });

test("a line of the real program's log is known by its message", () => {
  const mark = (message: string) => parseDynamoLine(line(message))?.mark;
  assert.equal(mark(dynamoLines.signal), 'signal');
  assert.equal(mark('Received signal 15, starting graceful shutdown'), 'signal');
  assert.equal(mark('SIGINT received'), 'signal');
  assert.equal(mark(dynamoLines.unregistered), 'unregistered');
  assert.equal(mark(dynamoLines.notUnregistered), 'not-unregistered');
  assert.equal(mark(dynamoLines.grace(5)), 'grace');
  assert.equal(mark('Grace period 5.00s before drain'), 'grace');
  assert.equal(mark(dynamoLines.teardown), 'teardown');
  assert.equal(mark('finally: Cleaning up worker'), 'cleanup');
  assert.equal(mark(dynamoLines.stopping), 'stopping');
  assert.equal(mark(dynamoLines.phase1), undefined);
});

test('fields are kept; what is no such line says nothing', () => {
  const fields = { remaining_endpoints: 1, timeout_secs: 2 };
  const said = parseDynamoLine(line(dynamoLines.timedOut, fields));
  assert.equal(said?.mark, 'timed-out');
  assert.equal(said.fields['remaining_endpoints'], 1);
  for (const text of ['', 'Traceback (most recent call last):', '{"message":', '{"message":1}', '[1]'])
    assert.equal(parseDynamoLine(text), undefined);
});
