import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

function run(t: TestContext, ...args: string[]) {
  const main = `${import.meta.dirname}/cluster-main.ts`;
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  const line = once(createInterface({ input: child.stdout }), 'line').then(
    ([text]) => JSON.parse(text as string) as { id: string; kubeconfig: string; url: string },
  );
  return { child, ended, line };
}

for (const [how, code] of [
  ['the end of its standard input', 0],
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`the cluster says where it is, and ends in order at ${how}`, async (t) => {
    const { child, ended, line } = run(t, '--tied', '--time-scale', '10');
    const { kubeconfig, url, id } = await line;
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.ok(kubeconfig.includes(`quiesce-${id}-`) && existsSync(kubeconfig));
    if (code === 0) child.stdin.end();
    else child.kill(how);
    assert.deepEqual(await ended, { code, errors: '' });
    assert.ok(!existsSync(dirname(kubeconfig)));
  });
}

test('options that cannot be used end it with 64 and the usage', async (t) => {
  for (const args of [
    ['--time-scale', '0'],
    ['--time-scale', 'abc'],
    ['--port', '70000'],
    ['--prot', '1'],
  ]) {
    const { code, errors } = await run(t, ...args).ended;
    assert.equal(code, 64, errors);
    assert.match(errors, /usage: cluster/);
  }
});

test('a port that is taken ends it with 3 and one line', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { code, errors } = await run(t, '--port', String(port)).ended;
  assert.equal(code, 3);
  assert.match(errors, /^quiesce cluster: API server: port \d+ .* is taken by another program.*\n$/);
});
