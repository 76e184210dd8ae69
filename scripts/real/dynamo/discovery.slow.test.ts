import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { bundle, isBuilt } from '../../build.mjs';
import { doubleImages } from '../../../src/doubles/images.ts';
import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import type { KubeClient } from '../../../src/cluster/rest.ts';
import { distFolder } from '../../dist-folder.ts';
import type { Program } from '../../../src/embedded/programs.ts';
import { whatIsWrong } from './examine.ts';
import { dynamoPlaces, realDynamo } from './places.ts';
import { scratch } from '../../testing/cli.ts';
import { leaveWith, type Came } from './testing/lab.ts';
import { over, startRefusing } from './testing/refusing.ts';

const wrong = await whatIsWrong(dynamoPlaces());
const unavailable = wrong === undefined ? false : `real Dynamo is not set up: ${wrong}`;

before(async () => {
  if (!isBuilt()) await bundle();
});

const { apiVersion, plural } = dynamoFacts.record;

async function removeRecord(client: KubeClient, namespace: string): Promise<void> {
  const path = `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
  const records = await client.list(path);
  for (const { metadata } of records) await client.remove(`${path}/${metadata.name}`);
}

/** What a worker does to its record when it leaves, and what frontends do about it. */
const ofItsRecord = ['DY-SQ-01', 'DY-SQ-02', 'DY-SQ-03', 'DY-ED-01', 'DY-MG-04'];

/** The program of a worker. */
function workerOf(real: boolean): Program {
  const images = real ? realDynamo() : doubleImages(distFolder());
  const program = images['nvcr.io/nvidia/ai-dynamo/*-runtime:*']?.commands?.['python3'];
  assert.ok(program);
  return program;
}

for (const real of [false, true])
  describe(real ? 'the real program' : 'its double', { skip: real && unavailable, concurrency: true }, () => {
    test('somebody removes its record while it serves: what rests on it is open, and says so', async (t) => {
      const { outcomes, seen, problems } = await leaveWith(t, { real, disturb: removeRecord });
      for (const id of ofItsRecord) assert.equal(outcomes[id], 'inconclusive', seen);
      assert.match(seen, /the endpoint of chat-worker-\S+ left discovery \d+\.\d+ s before its signal/);
      // It is written again where a program does so, as 1.6.1 does with what its endpoint leaves in it.
      if (real) assert.match(seen, /\/backend\/generate\/\w+ was left in discovery$/);
      else assert.match(seen, /the record of chat-worker-\S+ was removed while it ran$/);
      assert.equal(outcomes['DY-CL-04'], real ? 'fail' : 'inconclusive', seen);
      assert.equal(outcomes['DY-SG-01'], 'pass', seen);
      assert.deepEqual(problems, []);
    });

    test('the API server refuses to let it leave: what rests on its record is open, and says so', async (t) => {
      const between = await startRefusing(t);
      between.on = false;
      const disturb = () => Promise.resolve(void (between.on = true));
      const images = over(between, workerOf(real));
      const { outcomes, seen, problems } = await leaveWith(t, { real, between, images, disturb });
      for (const id of [...ofItsRecord, 'DY-CL-04']) assert.equal(outcomes[id], 'inconclusive', seen);
      assert.match(seen, /^discovery refuses to let chat-worker-\S+ leave: .*is forbidden: User/m);
      assert.equal(outcomes['DY-SG-01'], 'pass', seen);
      assert.ok(between.refused > 0);
      assert.deepEqual(problems, []);
    });

    test('the API server refuses its record: all is open, and says who refused what', async (t) => {
      const between = await startRefusing(t);
      const readyMs = real ? 30_000 : 8000;
      const came = await leaveWith(t, { real, readyMs, between, images: over(between, workerOf(real)) });
      open(
        came,
        readyMs,
        /: .*dynamoworkermetadatas.* is forbidden: User "system:serviceaccount:q-trouble:chat" cannot/,
      );
      assert.ok(between.refused > 0);
    });
  });

describe('the real program, with discovery by file', { skip: unavailable, concurrency: true }, () => {
  const byFile = (folder: string) => ({ DYN_DISCOVERY_BACKEND: 'file', DYN_FILE_KV: folder });

  // Nobody can make a folder there, root either.
  test('a folder that cannot be written: all is open, and says why', async (t) => {
    const came = await leaveWith(t, { real: true, env: byFile('/proc/discovery'), readyMs: 20_000 });
    open(came, 20_000, /said at its end: Exception: Internal filesystem error: .*\(os error \d+\)/);
  });

  test('the folder is removed while it serves: what rests on it is open, and says so', async (t) => {
    const folder = join(scratch(t), 'discovery');
    const disturb = () => rm(folder, { recursive: true });
    const { outcomes, seen, problems } = await leaveWith(t, { real: true, env: byFile(folder), disturb });
    for (const id of [...ofItsRecord, 'DY-CL-04']) assert.equal(outcomes[id], 'inconclusive', seen);
    assert.match(seen, /^discovery refuses to let chat-worker-\S+ leave: .*No such file or directory \(os error 2\)/m);
    assert.notEqual(outcomes['DY-SG-01'], 'fail', seen);
    assert.deepEqual(problems, []);
  });
});

describe('the real program, with a model that is broken', { skip: unavailable, concurrency: true }, () => {
  const { python, model } = dynamoPlaces();
  for (const [file, reason] of [
    ['config.json', /said at its end: Exception: unable to extract config\.json from directory/],
    // The worker does not need it, and the frontend never has the model.
    ['tokenizer.json', /knows 1 of 1, 0 models, and complains: Model materialization failed/],
  ] as const)
    test(`without ${file}: all is open, and says why`, async (t) => {
      const broken = join(scratch(t), 'model');
      cpSync(model, broken, { recursive: true });
      rmSync(join(broken, file));
      open(
        await leaveWith(t, { real: true, readyMs: 30_000, images: realDynamo({ python, model: broken }) }),
        60_000,
        reason,
      );
    });
});

/** Nothing was done to what never became ready: no verdict, in bounded time, each with the reason. */
function open({ outcomes, seen, problems, took }: Came, withinMs: number, reason: RegExp): void {
  assert.deepEqual([...new Set(Object.values(outcomes))], ['inconclusive'], seen);
  for (const line of seen.split('\n')) assert.match(line, reason);
  assert.ok(took < withinMs + 30_000, `${took} ms`);
  assert.deepEqual(problems, []);
}
