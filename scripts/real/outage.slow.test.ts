import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Verdict } from '../../src/judge/verdict.ts';
import { exitCodes } from '../exit-codes.ts';
import { scratch, start } from '../testing/cli.ts';
import { labCluster, skip } from './testing/lab-cluster.ts';
import { outage } from './testing/outage.ts';

// A cluster that has lost its API server knows what an embedded one cannot: its components, our kubelet and a run go on without it.

/** How often it is killed in the run; 20 for a thorough look. */
const OUTAGES = Number(process.env['QUIESCE_OUTAGES'] ?? 3);

/** Milliseconds of the wall without an API server. */
const AWAY_MS = 5000;

/** Milliseconds from one outage's end to the next, at random up to twice this. */
const BETWEEN_MS = 10_000;

const selection = OUTAGES > 3 ? ['GS-*'] : ['delete-drains', 'rollout-drains', 'busy-flush', 'scale-down-busy'];

test(
  `an API server that is killed ${OUTAGES} times: no wrong verdict, and open only what a gap hides`,
  { skip },
  async (t) => {
    const places = labCluster();
    const out = join(scratch(t), 'out');
    const typed = ['run', ...selection, '--target', 'kubernetes', '--kubeconfig', places.kubeconfig, '--install-crds'];
    const run = start([...typed, '--workers', '4', '--out', out]);
    let over = false;
    void run.ended.finally(() => (over = true));
    let outages = 0;
    while (!over && outages < OUTAGES) {
      await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, 2 * BETWEEN_MS * Math.random()))]);
      if (over) break;
      await outage(places, AWAY_MS);
      outages += 1;
    }
    const { code, out: printed, err } = await run.ended;
    t.diagnostic(`${outages} outages of ${AWAY_MS} ms; the run ended with ${code}`);
    assert.ok(outages > 0, printed + err);
    assert.ok(code === exitCodes.pass || code === exitCodes.inconclusive, `${code}: ${printed}${err}`);
    const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as {
      bundle: string;
      verdicts: Verdict[];
    }[];
    for (const { bundle, verdicts } of results) {
      const open = verdicts.filter(({ outcome }) => outcome === 'inconclusive');
      if (open.length === 0) continue;
      const history = readFileSync(join(out, 'bundles', basename(bundle), 'history.jsonl'), 'utf8');
      // Not by `match`, which would print the whole history.
      assert.ok(
        /"kind":"watch\.gap"/.test(history),
        `${bundle} left ${open.map((v) => v.requirement).join(', ')} open without a gap`,
      );
    }
    t.diagnostic(`${results.flatMap((r) => r.verdicts).filter((v) => v.outcome === 'pass').length} passes`);
  },
);
