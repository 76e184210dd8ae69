// `npm run bench`: what the harness itself costs, as one table. It states ratios and rates of this one run on this
// machine and asserts nothing: the exit code is 0 once everything was measured.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { plainTable } from '../../reports/plain-table.ts';
import { benchJudge } from './judge.ts';
import { benchLoad } from './load.ts';
import { benchRun } from './run.ts';

const usage = `usage: npm run bench -- [--only load|judge|run]... [SCENARIO...]
  --only    measures that alone (repeatable)
  SCENARIO  what \`quiesce run\` runs: ids, requirements, globs; all where none is given`;

type Row = [what: string, measured: string, aim: string];

const ms = (value: number) => `${value.toFixed(1)} ms`;
const thousands = (value: number) => `${Math.round(value / 1000)} 000`;

async function loadRows(): Promise<Row[]> {
  const { streams, startDelay, tokensPerSecond, cpuShare, ledger } = await benchLoad();
  const { p50, p99, max } = startDelay;
  return [
    ['load: open streams', `${streams}`, '512'],
    ['load: start delay', `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)}`, 'p99 under 10 ms'],
    ['load: start delay p99 / limit', (p99 / 10).toFixed(2), 'under 1'],
    ['load: CPU of one core', `${Math.round(cpuShare * 100)} % at ${Math.round(tokensPerSecond)} tokens/s`, ''],
    ['load: complete', `${ledger.ends.complete} of ${ledger.planned}`, 'all'],
  ];
}

function judgeRows(): Row[] {
  const judged = benchJudge();
  const { events, bytes, parsedPerSecond, judgedPerSecond, smallPerSecond, smallEvents } = judged;
  const both = 1 / (1 / parsedPerSecond + 1 / judgedPerSecond);
  return [
    [`judge: ${events} events in one history`, `${thousands(judgedPerSecond)} events/s`, 'over 200 000'],
    [`judge: histories of ${smallEvents} events`, `${thousands(smallPerSecond)} events/s`, ''],
    [`parse: ${(bytes / 2 ** 20).toFixed(1)} MiB`, `${thousands(parsedPerSecond)} events/s`, ''],
    ['parse and judge', `${thousands(both)} events/s`, ''],
  ];
}

async function runRows(selection: string[]): Promise<Row[]> {
  const { scenarios, code, wall, longest, sum } = await benchRun(selection);
  const s = (value: number) => `${value.toFixed(1)} s`;
  return [
    [`run: wall, ${scenarios} scenarios`, `${s(wall)}, exit code ${code}`, ''],
    ['run: longest chain of waits', `${s(longest.seconds)}, ${longest.scenario}`, ''],
    ['run: wall / longest chain', (wall / longest.seconds).toFixed(2), '1.3'],
    ['run: all chains together / wall', `${s(sum)}, ${(sum / wall).toFixed(1)} side by side`, ''],
  ];
}

const parts = { load: loadRows, judge: judgeRows, run: runRows };
const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: Object.keys(parts) } },
    allowPositionals: true,
  });
  const rows: Row[] = [];
  for (const name of values.only) {
    if (!isPart(name)) throw new RangeError(`--only ${name}: expected one of ${Object.keys(parts).join(', ')}`);
    console.error(`measuring: ${name}`);
    rows.push(...(await parts[name](positionals)));
  }
  console.log(plainTable(['what', 'measured', 'aim'], [40, 52, 18], rows));
  const [cpu] = cpus();
  console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpu?.model.trim() ?? 'unknown CPU'}`);
}

await main().catch((error: unknown) => {
  console.error(error instanceof RangeError || error instanceof TypeError ? `${error.message}\n${usage}` : error);
  process.exitCode = error instanceof RangeError || error instanceof TypeError ? 64 : 3;
});
