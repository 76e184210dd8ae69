import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { makeCertificate } from '../../../embedded/api/certificate.ts';
import type { RoleInput } from '../../../systems/gpustack/types.ts';
import type { RetirementFault } from '../faults.ts';
import { openBench, type Bench } from './bench.testing.ts';
import { pages, RetireLab, type Page } from './lab.testing.ts';

let bench: Bench;
let count = 0;
const labs: RetireLab[] = [];

before(async () => {
  bench = await openBench();
});
after(async () => {
  await Promise.all(labs.map((lab) => lab.close()));
  await bench.close();
});

async function open(): Promise<RetireLab> {
  const opened = await RetireLab.open(bench, `holds-${(count += 1)}`);
  labs.push(opened);
  return opened;
}

/** Deploys two replicas, prepares the second and scales down to one. */
async function shrunk(page: Page[], faults: RetirementFault[] = [], role: Partial<RoleInput> = {}): Promise<RetireLab> {
  const l = await open();
  l.start(faults);
  await l.deploy('md', [{ name: 'a', replicas: 2, ...role }]);
  await l.serve(l.pods('a', 1)[0]!, page);
  await l.replicas('md', 1);
  return l;
}

const running = 'vllm:num_requests_running';
const waiting = 'vllm:num_requests_waiting';
const big = `# ${'x'.repeat(1 << 20)}\n${pages.idle}`;

const answers: Record<string, { page: Page; reason: RegExp; freed?: RetirementFault }> = {
  'work in flight': { page: pages.busy, reason: /still holds 3 in flight$/, freed: 'retire-busy-is-idle' },
  'one gauge absent': {
    page: `${running} 0\n`,
    reason: /is missing vllm:num_requests_waiting$/,
    freed: 'retire-absent-is-zero',
  },
  'a sibling alone': {
    page: `${running} 0\n${waiting}_by_reason 0\n`,
    reason: /is missing vllm:num_requests_waiting$/,
  },
  'no metrics': {
    page: '<html></html>',
    reason: /no in-flight measurement: the engine served no .*running, .*waiting$/,
    freed: 'retire-failed-read-is-idle',
  },
  'an HTTP error': {
    page: (_, response) => void response.writeHead(500).end(pages.idle),
    reason: /the engine served no vllm:num_requests_running, vllm:num_requests_waiting$/,
  },
  'another kind of content': {
    page: (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"running":0,"waiting":0}'),
    reason: /the engine served no vllm:num_requests_running, vllm:num_requests_waiting$/,
  },
  'no answer in time': { page: () => undefined, reason: /the engine served no vllm:num_requests_running/ },
  'half an answer': {
    page: (_, response) => {
      response.writeHead(200, { 'content-length': '9999' });
      response.write(pages.idle, () => response.destroy());
    },
    reason: /the engine served no vllm:num_requests_running/,
  },
  NaN: {
    page: `${running} NaN\n${waiting} 0\n`,
    reason: /unusable activity in vllm:num_requests_running: .*unreadable values/,
  },
  'below 0': { page: `${running} -1\n${waiting} 0\n`, reason: /unreadable values for vllm:num_requests_running$/ },
  'beyond any number': {
    page: `${running} 0\n${waiting} 1e999\n`,
    reason: /unreadable values for vllm:num_requests_waiting$/,
  },
  'more than 1 MiB': { page: big, reason: /served more than the 1048576 byte bound$/, freed: 'retire-read-unbounded' },
};
describe('what holds a replica, and the reason that names it', { concurrency: 3 }, () => {
  for (const [name, { page, reason, freed }] of Object.entries(answers)) {
    test(name, async () => {
      const l = await shrunk([page]);
      const held = await l.until('md', 'held', (r) => reason.test(r.reason));
      assert.equal(held.state, 'Draining');
      assert.equal(l.lab.left.length, 0);
      l.engineOf(l.pods('a', 1)[0]!).pages = [pages.idle];
      await l.ended('md');
      assert.equal(l.lab.left.length, 1);
    });
    if (freed)
      test(`${name}: not with the fault ${freed}`, async () => {
        const l = await shrunk([page], [freed]);
        await l.ended('md');
        assert.equal(l.lab.left.length, 1);
      });
  }

  test('a certificate that nobody trusts', async () => {
    const l = await open();
    l.start();
    await l.lab.create('md', [{ name: 'a', replicas: 2, extraArgs: ['--ssl-certfile', '/x'] }], { router: {} });
    await l.lab.settled('md');
    const { cert, key } = await makeCertificate();
    for (const pod of l.lab.pods) await l.serve(pod, [pages.idle], { cert, key });
    await l.route('md', 'vllm-router');
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => /the engine served no/.test(r.reason));
    assert.equal(l.lab.left.length, 0);
  });

  test('a listener that refuses', async () => {
    const l = await open();
    l.start();
    await l.deploy('md', [{ name: 'a', replicas: 2 }]);
    l.engineOf(l.pods('a', 1)[0]!).server?.close();
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) => /the engine served no/.test(r.reason));
    assert.equal(l.lab.left.length, 0);
  });

  test('an exec that fails, and one that does not end', async () => {
    const l = await open();
    l.start();
    await l.deploy('md', [{ name: 'a', replicas: 2 }]);
    const pod = l.pods('a', 1)[0]!;
    const key = `${l.lab.ns}/${pod.metadata.name}`;
    bench.overrides.set(key, () => Promise.resolve({ exit: Promise.resolve(126), kill: () => undefined }));
    await l.replicas('md', 1);
    await l.until('md', 'failed', (r) => r.reason.includes(`exec into ${key}: command terminated with exit code 126`));
    bench.overrides.set(key, () => Promise.resolve({ exit: new Promise(() => undefined), kill: () => undefined }));
    await l.until('md', 'late', (r) => r.reason.endsWith(`exec into ${key}: no end within 5 s`));
    bench.overrides.delete(key);
    await l.ended('md');
  });

  test('a restarted container stays held though it is idle', async () => {
    const l = await open();
    l.start();
    await l.deploy('md', [{ name: 'a', replicas: 2 }]);
    const pod = l.pods('a', 1)[0]!;
    await l.lab.setContainer(pod, { restartCount: 2 });
    await l.replicas('md', 1);
    await l.until('md', 'held', (r) =>
      r.reason.endsWith('container "main" has restarted 2 time(s) since it was created'),
    );
    await l.lab.stop();
    l.start(['retire-forgives-restart']);
    await l.ended('md');
  });

  test('work found once, and the fault that then never lets go', async () => {
    const l = await shrunk([pages.busy, pages.idle], ['retire-held-for-good']);
    await l.until('md', 'held', (r) => / in flight$/.test(r.reason));
    let reads = 0;
    await new Promise<void>((resolve) => {
      l.engineOf(l.pods('a', 1)[0]!).pages = [
        (_request, response) => {
          response.end(pages.idle);
          if ((reads += 1) >= 5) resolve();
        },
      ];
    });
    assert.equal(l.lab.left.length, 0);
  });
});

test('read as deployed: the role changes with the removal, the replica is what it was', async () => {
  for (const faults of [[], ['retire-reads-spec']] as RetirementFault[][]) {
    const l = await open();
    l.start(faults);
    await l.deploy('md', [{ name: 'a', replicas: 2, command: ['vllm', 'serve', 'x'] }]);
    await l.lab.edit('md', [
      { op: 'replace', path: '/spec/roles/0/replicas', value: 1 },
      { op: 'remove', path: '/spec/roles/0/command' },
    ]);
    if (faults.length > 0) await l.ended('md');
    else await l.until('md', 'held', (r) => r.reason.endsWith('carries no usable metrics endpoint annotation'));
  }
});
