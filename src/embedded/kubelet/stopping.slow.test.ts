import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markedProcesses } from '../reaper/proc.ts';
import { startLab } from './testing/lab.ts';
import { until } from './testing/scratch.ts';

const NS = 'stopping';

test('a flood of output is bounded, and stop leaves no process', async () => {
  const lab = await startLab();
  try {
    await lab.namespace(NS);
    const pod = (name: string, script: string) =>
      lab.create(NS, name, { containers: [{ name: 'main', image: 'test', command: ['sh', '-c', script] }] });
    await pod('flood', 'exec yes');
    await pod('stubborn', `trap '' TERM; while :; do sleep 0.05; done`);
    await pod('looping', 'exit 1');
    await lab.ready('flood');
    await lab.ready('stubborn');
    await until('the oldest lines are dropped', async () => {
      const lines = (await lab.log(NS, 'flood')).length / 33;
      return lines > 50_000;
    });
    assert.ok((await lab.log(NS, 'flood')).length < 40 * 120_000);
    // A Pod can be made and end while another floods.
    await lab.client.remove(`/api/v1/namespaces/${NS}/pods/flood`);
    await lab.gone('flood');
  } finally {
    const begun = performance.now();
    await lab.stop();
    assert.ok(performance.now() - begun < 5000);
  }
  await until('no process is left', async () => (await markedProcesses(`lab${process.pid}`)).length === 0);
});

test('a Pod that cannot be made does not disturb the others', async () => {
  const lab = await startLab();
  try {
    await lab.namespace(NS);
    const odd = [{ name: 'main', image: 'test', command: ['sh', '-c', 'echo \0'] }];
    await lab.create(NS, 'odd', { restartPolicy: 'Never', containers: odd });
    await lab.create(NS, 'good', {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'test', command: ['sh', '-c', 'true'] }],
    });
    await lab.see('good', ({ pod }) => pod.status.phase === 'Succeeded', 'has succeeded');
    await lab.see('odd', ({ pod }) => pod.status.phase === 'Failed', 'has failed');
  } finally {
    await lab.stop();
  }
});
