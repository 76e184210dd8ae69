import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { whyNotNow } from './possible.ts';
import { placesOf } from './places.ts';
import { findInit, isGone } from './sandbox.ts';
import { machine, namespaceOf, processesBeside } from './testing/machine.ts';
import { script } from './testing/script.ts';

const name = `test-${process.pid}`;
const { cgroup } = placesOf(name);
const run = (file: string, ...args: string[]) => script(`real/${file}`, ['--name', name, ...args]).ended;

for (const kubelet of [false, true]) {
  const flags = kubelet ? [] : ['--without-kubelet'];
  describe(
    `a real cluster ${kubelet ? 'with' : 'without'} a kubelet`,
    { skip: (await whyNotNow(kubelet)) ?? false },
    () => {
      after(() => run('kubernetes-down'));

      test('comes up, is found by a second call, and down leaves the machine as it was', async () => {
        const before = machine(cgroup);
        const up = await run('kubernetes-up', ...flags);
        assert.equal(up.code, 0, up.output);
        const init = findInit(name);
        assert.ok(init !== undefined);
        assert.notEqual(namespaceOf(init, 'net'), namespaceOf('self', 'net'));
        const processes = processesBeside(init);
        assert.ok(processes.length > 4, `${processes.length} processes`);
        assert.deepEqual(machine(cgroup).sysctls, before.sysctls, 'while it runs, too');

        const again = await run('kubernetes-up', ...flags);
        assert.equal(again.code, 0, again.output);
        assert.match(again.output, /is up already/);
        assert.equal(findInit(name), init);
        const other = await run('kubernetes-up', ...(kubelet ? ['--without-kubelet'] : []));
        assert.equal(other.code, 3, other.output);

        const asked = await run('in-cluster-net', 'kubectl', 'get', '--raw=/readyz');
        assert.equal(asked.output, 'ok');

        const down = await run('kubernetes-down');
        assert.equal(down.code, 0, down.output);
        assert.deepEqual(
          processes.filter((pid) => !isGone(pid)),
          [],
        );
        assert.deepEqual(machine(cgroup), before);
        assert.ok(!existsSync(placesOf(name).state));
      });

      test('one kill of its init ends all of it', async () => {
        const before = machine(cgroup);
        const up = await run('kubernetes-up', ...flags);
        assert.equal(up.code, 0, up.output);
        const init = findInit(name);
        assert.ok(init !== undefined);
        const processes = processesBeside(init);
        process.kill(init, 'SIGKILL');
        const end = performance.now() + 20_000;
        while (!processes.every(isGone) && performance.now() < end)
          await new Promise((resolve) => setTimeout(resolve, 20));
        assert.deepEqual(
          processes.filter((pid) => !isGone(pid)),
          [],
        );
        const { mounts, interfaces } = machine(cgroup);
        assert.deepEqual({ mounts, interfaces }, { mounts: before.mounts, interfaces: before.interfaces });
        assert.equal((await run('kubernetes-down')).code, 0);
        assert.deepEqual(machine(cgroup), before);
      });

      test('an interrupt half-way undoes what was done', async () => {
        const before = machine(cgroup);
        const up = script('real/kubernetes-up', ['--name', name, ...flags]);
        await up.said(/start kube-apiserver/);
        assert.ok(findInit(name) !== undefined);
        up.interrupt('SIGTERM');
        const { code, output } = await up.ended;
        assert.equal(code, 143, output);
        assert.match(output, /undo: make namespaces/);
        assert.equal(findInit(name), undefined);
        assert.equal((await run('kubernetes-down')).code, 0); // the logs of what failed
        assert.deepEqual(machine(cgroup), before);
      });
    },
  );
}
