import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { killOf } from '../reports/kills.ts';
import { readBundle } from '../src/history/reader.ts';
import { kills } from '../suites/gpustack/retirement/index.ts';
import { quiesce, scratch } from './testing/cli.ts';

/** How often the operator is killed in each state of a retirement; 3 for twenty-one kills. */
const ROUNDS = Number(process.env['QUIESCE_OPERATOR_KILLS'] ?? 0);
const skip = ROUNDS > 0 ? false : 'QUIESCE_OPERATOR_KILLS names no number of rounds';
/** States that last for seconds: a kill that is aimed at one falls into it on any machine. */
const lasting = ['Disqualified', 'Draining', 'Deleting', 'Aborted'];
/** Where the instants come from: others each time, unless it is named. */
const SEED = Number(process.env['QUIESCE_KILL_SEED'] ?? Date.now() % 1_000_000);

test(
  `kill -9 of the operator in a retirement, ${ROUNDS * kills.length} times (seed ${SEED}): no promise is broken`,
  { skip },
  async (t) => {
    const temp = scratch(t);
    const out = join(temp, 'out');
    const more = ['--repeat', String(ROUNDS), '--seed', String(SEED), '--until-decided', String(ROUNDS + 4)];
    const {
      code,
      out: table,
      err,
    } = await quiesce(['run', '--tag', 'kills', '--workers', '2', ...more, '--out', out], { temp });
    assert.equal(code, 0, `${table}\n${err}`);
    const fell = readdirSync(join(out, 'bundles')).flatMap((name) => {
      const kill = killOf(readBundle(join(out, 'bundles', name)));
      if (!kill) return [];
      const { state, after, fellIn = 'no state', ms } = kill;
      t.diagnostic(`${name}: aimed at ${state} + ${after} s, fell in ${fellIn}, ${ms} ms after its beginning`);
      return [fellIn];
    });
    assert.ok(fell.length >= ROUNDS * kills.length, `${fell.length} kills`);
    for (const state of lasting) assert.ok(fell.includes(state), state);
  },
);
