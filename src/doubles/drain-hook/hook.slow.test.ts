import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { EngineControl } from '../../engines/behaviour.ts';
import { parseEngineLine } from '../../engines/log.ts';
import { bundleDoubles, type Started, start } from '../testing/bundled.ts';
import { freshAddress, tokens } from '../testing/wire.ts';
import { type EngineOptions, startEngine } from '../openai/engine.testing.ts';

const SCALE = 10;
/** Milliseconds of the wall by which a loaded machine may be late: starts of processes, reads, timers. */
const LATE_MS = 3000;

interface Row {
  engine?: EngineOptions;
  control?: NonNullable<EngineControl['metrics']>;
  /** Documented seconds for which a request runs (or waits for its KV), from just before the hook's start. */
  runs?: number;
  waits?: number;
  faults?: string[];
  secure?: boolean;
  port?: number;
  grace?: number;
  /** Documented seconds between which the hook ends. */
  ends: [earliest: number, latest: number];
  /** How many reads the engine answers. */
  reads?: [least: number, most: number];
}

/** Long enough that the work is there at the first read on a loaded machine too. */
const ENDS_BETWEEN = 12;
const busy = { runs: 600 };
const G = 15;
/** A grace so long that an end by it cannot be taken for an early one. */
const LONG = 90;
const rows: Record<string, Row> = {
  'idle: two reads': { grace: LONG, ends: [6, 6], reads: [2, 2] },
  'idle with a large grace: the same': { grace: 600, ends: [6, 6], reads: [2, 2] },
  'busy to the end: no read from G - 5 on': { ...busy, ends: [G - 5, G - 3], reads: [2, 5] },
  'a request that ends in between': { runs: ENDS_BETWEEN, grace: LONG, ends: [6, 15] },
  'a request that waits for its KV': { waits: 600, ends: [G - 5, G - 3], reads: [2, 5] },
  'busy on the second of two series': { ...busy, engine: { behaviour: { ranks: 2 } }, ends: [G - 5, G - 3] },
  'refused: over at once': { ...busy, grace: LONG, control: 'refuse', ends: [5, 5], reads: [0, 0] },
  'HTTP error: over at once': { ...busy, grace: LONG, control: 'fail-http', ends: [5, 5], reads: [1, 1] },
  'failed handshake: over at once': {
    ...busy,
    grace: LONG,
    secure: true,
    control: 'break-tls',
    ends: [5, 5],
    reads: [0, 0],
  },
  'HTTPS with a certificate nobody signed: read': { grace: LONG, secure: true, ends: [6, 6], reads: [2, 2] },
  'timeout: busy': { control: 'hang', ends: [G - 5, G - 3], reads: [0, 0] },
  'unparsable: busy': { control: 'garbage', ends: [G - 5, G - 3], reads: [2, 5] },
  'absent gauges: busy': { control: 'absent', ends: [G - 5, G - 3], reads: [2, 5] },
  'one gauge of two absent: busy': { control: 'partial', ends: [G - 5, G - 3], reads: [2, 5] },

  'fault hook-absent-gauge-is-idle': {
    ...busy,
    grace: LONG,
    control: 'absent',
    faults: ['hook-absent-gauge-is-idle'],
    ends: [6, 6],
    reads: [2, 2],
  },
  'fault hook-returns-early': { ...busy, grace: LONG, faults: ['hook-returns-early'], ends: [2, 2], reads: [0, 0] },
  'fault hook-waits-for-grace': { faults: ['hook-waits-for-grace'], ends: [G - 5, G - 5], reads: [0, 0] },
  'fault hook-one-idle-read': { grace: LONG, faults: ['hook-one-idle-read'], ends: [5, 5], reads: [1, 1] },
  'fault hook-settle-short': { grace: LONG, faults: ['hook-settle-short'], ends: [1, 1], reads: [2, 2] },
  'fault hook-settle-long': { faults: ['hook-settle-long'], grace: LONG, ends: [11, 11], reads: [2, 2] },
  'fault hook-slow-poll': { faults: ['hook-slow-poll'], grace: LONG, ends: [10, 10], reads: [2, 2] },
  'fault hook-late-bound': { ...busy, faults: ['hook-late-bound'], ends: [G - 1, G + 2], reads: [3, 12] },
  'fault hook-long-timeout': { control: 'hang', faults: ['hook-long-timeout'], ends: [11, 11], reads: [0, 0] },
  'fault hook-reserve-proportional': { ...busy, faults: ['hook-reserve-proportional'], grace: 24, ends: [16, 18] },
  'fault hook-reads-default-port': {
    ...busy,
    port: 8002,
    grace: LONG,
    faults: ['hook-reads-default-port'],
    ends: [5, 5],
    reads: [0, 0],
  },
  'fault hook-ignores-running': { ...busy, grace: LONG, faults: ['hook-ignores-running'], ends: [6, 6], reads: [2, 2] },
  'fault hook-ignores-waiting': {
    grace: LONG,
    waits: 600,
    faults: ['hook-ignores-waiting'],
    ends: [6, 6],
    reads: [2, 2],
  },
  'fault hook-first-series-only': {
    ...busy,
    grace: LONG,
    engine: { behaviour: { ranks: 2 } },
    faults: ['hook-first-series-only'],
    ends: [6, 6],
    reads: [2, 2],
  },
  'fault hook-timeout-is-idle': {
    grace: LONG,
    control: 'hang',
    faults: ['hook-timeout-is-idle'],
    ends: [8, 9],
    reads: [0, 0],
  },
  'fault hook-garbage-is-idle': {
    grace: LONG,
    control: 'garbage',
    faults: ['hook-garbage-is-idle'],
    ends: [6, 6],
    reads: [2, 2],
  },
  'fault hook-refused-is-busy': { control: 'refuse', faults: ['hook-refused-is-busy'], ends: [G - 5, G - 3] },
  'fault hook-error-is-busy': { control: 'fail-http', faults: ['hook-error-is-busy'], ends: [G - 5, G - 3] },
  'fault hook-tls-is-busy': { secure: true, control: 'break-tls', faults: ['hook-tls-is-busy'], ends: [G - 5, G - 3] },
};

let programs: Awaited<ReturnType<typeof bundleDoubles>>;
before(async () => (programs = await bundleDoubles('vllm', 'drain-hook')));
after(() => programs.remove());

describe('the hook', { concurrency: 4 }, () => {
  for (const [name, row] of Object.entries(rows)) test(name, () => tryRow(row));
});

test('the two idle reads come in a row, without the fault', async () => {
  for (const [faults, total] of [
    [[], 4],
    [['hook-idle-not-in-a-row'], 3],
  ] as const) {
    const podIP = freshAddress();
    let reads = 0;
    const server = http.createServer((_request, response) => {
      reads += 1;
      const running = `vllm:num_requests_running{engine="0"} ${reads === 2 ? 1 : 0}\n`;
      response.end(`${running}vllm:num_requests_waiting{engine="0"} 0\n`);
    });
    await new Promise<void>((resolve) => server.listen(8000, podIP, resolve));
    const argv = ['--port', '8000', '--grace', '60'];
    const hook = start(programs.paths['drain-hook']!, argv, { podIP, scale: SCALE, faults: [...faults] });
    await hook.exited;
    server.close();
    if (timeouts(hook) === 0) assert.equal(reads, total);
  }
});

/** Reads that the hook gave up. */
const timeouts = (hook: Started): number => hook.lines.filter((line) => line.includes('timed out')).length;

async function tryRow(row: Row): Promise<void> {
  const { secure = false, port = 8000, grace = G, ends, reads } = row;
  const podIP = freshAddress();
  const args = ['--port', String(port), ...(secure ? ['--ssl-keyfile', '/none'] : [])];
  const engine = await startEngine(programs.paths['vllm']!, { ...row.engine, podIP, scale: SCALE, args, secure, port });
  let workEnds = Infinity;
  try {
    if (row.runs !== undefined) {
      const stream = engine.complete(Math.round(row.runs * 2), { tokenSeconds: 0.5 });
      await stream.until((e) => tokens(e.body).length > 0);
      workEnds = stream.sentAt + (row.runs * 1000) / SCALE;
    }
    if (row.waits !== undefined) {
      engine.complete(1, { kv: row.waits });
      await engine.settled(0, 1);
    }
    if (row.control) await engine.control(row.control);
    const at = performance.now();
    const argv = ['--scheme', secure ? 'https' : 'http', '--port', String(port), '--grace', String(grace)];
    const hook = start(programs.paths['drain-hook']!, argv, { podIP, scale: SCALE, faults: row.faults ?? [] });
    const end = await hook.exited;
    await engine.flushed();
    const took = ((end.at - at) * SCALE) / 1000;
    const seen = engine.lines
      .map(parseEngineLine)
      .filter((line) => line?.mark === 'access' && line.path === '/metrics' && line.client === podIP).length;
    assert.equal(end.code, 0);
    // A timer may fire up to a millisecond early.
    assert.ok(took >= ends[0] - 0.02, `ended after ${took} s`);
    assert.ok(took <= ends[1] + (LATE_MS * SCALE) / 1000, `ended after ${took} s`);
    if (row.runs === ENDS_BETWEEN) {
      // Two idle reads a second apart come after the end of the work.
      assert.ok(end.at >= workEnds + 1000 / SCALE - 2, `ended ${end.at - workEnds} ms after the work`);
    }
    // On a starved machine healthy reads time out too, and each asks for more of them.
    const starved = row.control !== 'hang' && timeouts(hook) > 0;
    if (reads && !starved) assert.ok(seen >= reads[0] && seen <= reads[1], `${seen} reads`);
  } finally {
    await engine.stop();
  }
}
