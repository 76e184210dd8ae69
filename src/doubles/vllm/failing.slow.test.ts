import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENGINE_CONTROL_PATH, type EngineControl } from '../../engines/behaviour.ts';
import { parseEngineLine, type EngineLine } from '../../engines/log.ts';
import { bundleDoubles } from '../testing/bundled.ts';
import { type EngineUnderTest, startEngine } from '../openai/engine.testing.ts';

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
let engine: EngineUnderTest;
before(async () => {
  programs = await bundleDoubles('vllm');
  engine = await startEngine(programs.paths['vllm']!);
});
after(async () => {
  await engine.stop();
  programs.remove();
});

const told = async (control: EngineControl) => (await engine.send(ENGINE_CONTROL_PATH, control).over).status;

test('told to fail, it logs a request as received, answers 500 before any token, and lets open streams go on', async () => {
  const open = engine.complete(8, { id: 'open' });
  await engine.settled(1, 0);
  assert.equal(await told({ generate: 'fail' }), 204);
  const failed = await engine.complete(8, { id: 'failed' }).over;
  assert.equal(failed.status, 500);
  assert.match(failed.body, /"message":"EngineCore encountered an issue/);
  assert.equal((await engine.send('/health').over).status, 200);
  assert.equal((await open.over).end, 'complete');
  await engine.settled(0, 0);
  assert.equal(await told({ generate: 'normal' }), 204);
  assert.equal((await engine.complete(1, { id: 'served' }).over).status, 200);
  await engine.flushed();
  const marks = engine.lines.map(parseEngineLine).filter((mark): mark is EngineLine => mark !== undefined);
  assert.deepEqual(
    marks.flatMap((mark) => (mark.mark === 'received' ? [mark.request] : [])),
    ['open', 'failed', 'served'],
  );
  const generated = marks.flatMap((mark) =>
    mark.mark === 'access' && mark.path === '/v1/completions' ? [mark.status] : [],
  );
  assert.deepEqual(generated, [200, 500, 200]);
});

test('another word is refused with what was expected', async () => {
  assert.equal(await told({ generate: 'odd' as 'fail' }), 400);
});
