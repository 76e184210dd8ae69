import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { randomOf } from '../src/judge/testing/random.ts';
import { exitCodes } from './exit-codes.ts';
import { processesOf, quiesce, recorded, scratch, start, until } from './testing/cli.ts';

/** How often the runner is killed; 20 for the acceptance. */
const KILLS = Number(process.env['QUIESCE_KILLS'] ?? 3);
/** Where the moments of the kills come from: others each time, unless it is named. */
const SEED = Number(process.env['QUIESCE_KILL_SEED'] ?? Date.now() % 1_000_000);
/** Milliseconds within which it is killed, after its start or (every other time) after the first event of its bundle. */
const LATEST_MS = { start: 6000, 'first event': 4000 } as const;

const random = randomOf(SEED);

/** The ports of the clusters whose folders lie in `temp` at this moment. */
function portsOf(temp: string): number[] {
  return readdirSync(temp).flatMap((name) => {
    try {
      const server = /server: \S+:(\d+)/.exec(readFileSync(join(temp, name, 'kubeconfig'), 'utf8'));
      return server ? [Number(server[1])] : [];
    } catch {
      return []; // not a cluster, not yet, or no longer
    }
  });
}

/** Whether nobody listens on a port. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });

for (let kill = 1; kill <= KILLS; kill += 1) {
  const since = kill % 2 === 0 ? 'start' : 'first event';
  const moment = Math.round(random() * LATEST_MS[since]);
  test(`kill -9 of the runner ${moment} ms after its ${since} (seed ${SEED}, kill ${kill}): nothing stays, the bundle judges`, async (t) => {
    const temp = scratch(t);
    const out = join(temp, 'out');
    const run = start(['run', 'moved-port', '--out', out], { temp });
    const ports = new Set<number>();
    const watching = setInterval(() => portsOf(temp).forEach((port) => ports.add(port)), 100);
    if (since === 'first event') await until('the first event', () => recorded(out, '"deploy"'));
    await new Promise((resolve) => setTimeout(resolve, moment));
    run.child.kill('SIGKILL');
    await run.ended;
    clearInterval(watching);

    // What the run left ends by itself; a sweep right after the kill neither disturbs that nor is disturbed by it.
    const swept = await quiesce(['sweep'], { temp });
    assert.equal(swept.code, 0, swept.err);
    await until('the last process of the run to end', () => processesOf(temp).length === 0);
    assert.match((await quiesce(['sweep'], { temp })).out, /^removed 0 processes and 0 folders of dead clusters\n$/);
    const left = readdirSync(temp).filter((name) => name !== 'out');
    assert.deepEqual(left, []);
    for (const port of ports) assert.ok(await isFree(port), `port ${port} is still taken`);

    const bundle = join(out, 'bundles', 'moved-port');
    if (!existsSync(join(bundle, 'manifest.json'))) {
      t.diagnostic('killed before there was a bundle');
      return;
    }
    const { code, out: table, err } = await quiesce(['judge', bundle]);
    assert.ok(code !== null && code <= exitCodes.inconclusive, `${code}: ${err}`);
    const verdict = /GS-LM-08 +│ (\S+)/.exec(table)?.[1];
    assert.ok(verdict === 'pass' || verdict === 'inconclusive', table);
    t.diagnostic(`${ports.size} ports, ${verdict}, ${existsSync(join(out, 'junit.xml')) ? 'with' : 'without'} reports`);
  });
}
