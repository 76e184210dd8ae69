import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Addresses } from './addresses.ts';
import { CrashLoop } from './crash-loop.ts';
import { expand } from './expand.ts';
import { KubeletLog } from './klog.ts';
import { apiTime, stampAt } from './stamps.ts';

test('addresses differ, stay in their range and come again only after all others', () => {
  const addresses = new Addresses(undefined, 2 ** 20 - 3);
  const taken = Array.from({ length: 1000 }, () => addresses.take());
  assert.equal(new Set(taken).size, 1000);
  for (const address of taken) assert.match(address, /^127\.(1[6-9]|2\d|3[01])\.\d+\.(?!0$|255$)\d+$/);
  addresses.release(taken[0] ?? '');
  assert.notEqual(addresses.take(), taken[0]);
});

test('a range of its own, and one that is none', () => {
  const addresses = new Addresses('10.250.3.4/24', 253);
  assert.deepEqual(
    [addresses.take(), addresses.take(), addresses.take()],
    ['10.250.3.253', '10.250.3.254', '10.250.3.1'],
  );
  for (let left = 251; left > 0; left -= 1) addresses.take();
  assert.throws(() => addresses.take(), /no free address in 10\.250\.3\.4\/24/);
  addresses.release('10.250.3.7');
  assert.equal(addresses.take(), '10.250.3.7');
  for (const range of ['', '10.250.0.0', '10.250.0.0/30', '10.256.0.0/16', 'fd00::/64']) {
    assert.throws(() => new Addresses(range), /expected an IPv4 range of 8 to 24 bits, such as 10\.250\.0\.0\/16/);
  }
});

test('$(NAME) is replaced, $$(NAME) is literal, an unknown name stays', () => {
  const values = { A: '1', B: 'x y' };
  assert.equal(expand('$(A)-$(B)', values), '1-x y');
  assert.equal(expand('$$(A) $(C) $A $$$$', values), '$(A) $(C) $A $$');
  assert.equal(expand('$(toString)', values), '$(toString)');
});

test('the back-off has the delays and states of a real kubelet', () => {
  const loop = new CrashLoop();
  assert.deepEqual(loop.next(0), { after: 1 });
  assert.deepEqual(loop.next(0), { after: 15, waiting: { after: 14.5, backOff: 10 } });
  assert.deepEqual(loop.next(0), { after: 26, waiting: { after: 14.5, backOff: 20 } });
  for (let i = 0; i < 10; i += 1) loop.next(0);
  assert.equal(loop.next(0).waiting?.backOff, 300);
  assert.deepEqual(loop.next(600), { after: 1 });
});

test('the log has klog lines with microseconds', () => {
  const log = new KubeletLog();
  log.info('n1', 'PreStop hook process alive', { pod: 'ns/name', containerName: 'main', afterMs: 87, none: undefined });
  assert.match(
    log.lines('n1')?.[0] ?? '',
    /^I\d{4} \d\d:\d\d:\d\d\.\d{6} kubelet\] "PreStop hook process alive" pod="ns\/name" containerName="main" afterMs=87$/,
  );
  assert.equal(log.lines('n2'), undefined);
});

test('stamps are cut, not rounded', () => {
  assert.equal(apiTime(Date.UTC(2026, 10, 30, 4, 53, 0, 999)), '2026-11-30T04:53:00Z');
  assert.match(stampAt(performance.now(), 9), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}000Z$/);
});
