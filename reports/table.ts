import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { colours as pc } from './colours.ts';
import { legend } from './legend.ts';
import { plainTable, wrapped } from './plain-table.ts';
import type { Finding, Outcome, Verdict } from '../src/judge/verdict.ts';
import type { Requirement } from '../src/requirements/requirement.ts';

const colours: Record<Outcome, (text: string) => string> = {
  pass: pc.green,
  fail: pc.red,
  inconclusive: pc.yellow,
  unsupported: pc.dim,
  skipped: pc.dim,
  'harness-error': pc.magenta,
};

/** An outcome in its colour. */
export const coloured = (outcome: Outcome): string => colours[outcome](outcome);

const order: Outcome[] = ['fail', 'harness-error', 'inconclusive', 'pass', 'unsupported', 'skipped'];

/** The finding that decided a verdict: the first of its worst. */
export const decisive = (verdict: Verdict): Finding | undefined =>
  verdict.findings.find((f) => f.outcome === verdict.outcome) ?? verdict.findings[0];

/**
 * One row for each requirement and bundle: verdict, what was seen against what was promised, bundle. Below it what the
 * symbols mean and how to see a bundle. `remark`: what is to stand below a verdict.
 */
export function verdictTable(
  results: { bundle: string; verdicts: Verdict[] }[],
  remark: (verdict: Verdict) => string | undefined = () => undefined,
): string {
  const rows = results.flatMap(({ bundle, verdicts }) => verdicts.map((verdict) => ({ bundle, verdict })));
  const byOutcome = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    order.indexOf(a.verdict.outcome) - order.indexOf(b.verdict.outcome);
  rows.sort(
    (a, b) =>
      a.verdict.requirement.localeCompare(b.verdict.requirement) ||
      byOutcome(a, b) ||
      a.verdict.scenario.localeCompare(b.verdict.scenario),
  );
  const cells = rows.map(({ bundle, verdict }) => {
    const finding = decisive(verdict);
    const would = finding?.wouldDecide && `would decide: ${finding.wouldDecide}`;
    return [
      verdict.part ? `${verdict.requirement} ${verdict.part}` : verdict.requirement,
      [coloured(verdict.outcome), remark(verdict)].filter(Boolean).join('\n'),
      [finding?.seen, would].filter(Boolean).join('; '),
      finding?.formula ?? '',
      // A line for each part, so that a long name is never cut.
      basename(bundle).replaceAll('+', '\n+'),
    ];
  });
  const longest = Math.max(10, ...cells.flatMap((cell) => cell[4]?.split('\n') ?? []).map((part) => part.length));
  const widths = [14, 15, 'rest', 'rest', longest + 2] as const;
  const table = plainTable(['requirement', 'verdict', 'seen', 'promised', 'bundle'], [...widths], cells);
  return [table, legend(rows.map((r) => r.verdict)), whereToLook([...rows].sort(byOutcome).map((r) => r.bundle))]
    .filter(Boolean)
    .join('\n');
}

/** The folders of the bundles, and the command that shows the first of them: the one with the worst verdict. */
function whereToLook([first, ...more]: string[]): string {
  if (first === undefined) return '';
  const short = (path: string) => {
    const near = relative(process.cwd(), path) || '.';
    return near.startsWith('..') ? path : near;
  };
  const folders = [...new Set([first, ...more].map((bundle) => short(dirname(resolve(bundle)))))];
  return `bundles in ${folders.join(', ')}\nnext: npx quiesce show ${short(first)}`;
}

/** `decided 30 of 119: 30 pass; uncovered: GS-RP-01 ...`. An id is decided by a pass or a fail. */
export function coverageLine(verdicts: readonly Verdict[], catalogue: readonly Requirement[]): string {
  const decided = new Set(
    verdicts.filter((v) => v.outcome === 'pass' || v.outcome === 'fail').map((v) => v.requirement),
  );
  const tried = new Set(verdicts.map((v) => v.requirement));
  const uncovered = catalogue.filter((r) => !tried.has(r.id)).map((r) => r.id);
  const counts = order
    .map((outcome) => [verdicts.filter((v) => v.outcome === outcome).length, outcome] as const)
    .filter(([n]) => n > 0)
    .map(([n, outcome]) => `${n} ${outcome}`);
  return [
    `decided ${decided.size} of ${catalogue.length} requirements (verdicts: ${counts.join(', ') || 'none'})`,
    uncovered.length ? wrapped(`uncovered in this run: ${grouped(uncovered)}`) : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Ids by prefix: `GS-RP 01 to 36; DY-SQ 01 02`. */
function grouped(ids: string[]): string {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const prefix = id.slice(0, id.lastIndexOf('-'));
    groups.set(prefix, [...(groups.get(prefix) ?? []), id.slice(id.lastIndexOf('-') + 1)]);
  }
  return [...groups].map(([prefix, numbers]) => `${prefix} ${runs(numbers).join(' ')}`).join('; ');
}

/** Three neighbours or more as one: `01 to 04`. */
function runs(numbers: string[]): string[] {
  const found: string[][] = [];
  for (const number of numbers) {
    const run = found.at(-1);
    if (run && Number(run.at(-1)) + 1 === Number(number)) run.push(number);
    else found.push([number]);
  }
  return found.flatMap((run) => (run.length > 2 ? `${run[0]} to ${run.at(-1)}` : run));
}

interface Cost {
  data: Record<string, number>;
}

/** Own cost of the whole run: wall, CPU, the longest stall of a harness loop, API calls. */
export function costLine(out: string, wallSeconds: number): string {
  const costs = bundleFiles(out, 'history.jsonl').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"kind":"cost"'))
      .map((line) => (JSON.parse(line) as Cost).data),
  );
  const sum = (key: string) => costs.reduce((total, cost) => total + (cost[key] ?? 0), 0);
  const max = (key: string) => costs.reduce((most, cost) => Math.max(most, cost[key] ?? 0), 0);
  return (
    `own cost: ${wallSeconds.toFixed(1)} s wall, ${(sum('cpuMs') / 1000).toFixed(1)} s CPU in scenarios, ` +
    `loop delay max ${max('loopDelayMaxMs').toFixed(0)} ms, load start delay p99 max ${max('startDelayP99Ms').toFixed(1)} ms, ` +
    `${sum('apiCalls')} API calls`
  );
}

function bundleFiles(out: string, name: string): string[] {
  const bundles = join(out, 'bundles');
  if (!existsSync(bundles)) return [];
  return readdirSync(bundles)
    .map((folder) => join(bundles, folder, name))
    .filter((file) => existsSync(file));
}
