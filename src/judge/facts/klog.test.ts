import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKubeletLine } from './klog.ts';

const started = Date.UTC(2026, 11, 31, 23, 59, 50);
const at = (line: string) => parseKubeletLine(`${line} pod="n/v" containerName="main"`, started);

test('klog lines about a hook and its signal, with the year taken from the run', () => {
  assert.deepEqual(at('I1231 23:59:55.250500 kubelet] "Running preStop hook"'), {
    what: 'hook-start',
    pod: 'n/v',
    wall: started + 5250.5,
  });
  assert.equal(at('I0101 00:00:01.000000 kubelet] "PreStop hook process alive" afterMs=87')?.wall, started + 11_000);
  assert.equal(at('I0101 00:00:01.000000 kubelet] "PreStop hook failed" err="x"')?.what, 'hook-end');
  assert.equal(at('I0101 00:00:01.000000 kubelet] "Sending signal" signal="SIGTERM"')?.what, 'signal');
  assert.equal(at('I0101 00:00:01.000000 kubelet] "Sending signal" signal="SIGKILL"'), undefined);
  assert.equal(at('I0101 00:00:01.000000 kubelet] "Container process started"'), undefined);
  assert.equal(parseKubeletLine('"Running preStop hook" pod="n/v" containerName="main"', started), undefined);
  assert.equal(
    parseKubeletLine('I0101 00:00:01.000000 x] "Running preStop hook" pod="n/v" containerName="side"', started),
    undefined,
  );
});
