import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { colours as pc } from './colours.ts';
import { plainTable } from './plain-table.ts';
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

/** One row for each requirement and bundle: verdict, what was seen against what was promised, scenario, bundle. */
export function verdictTable(results: { bundle: string; verdicts: Verdict[] }[]): string {
  const rows = results.flatMap(({ bundle, verdicts }) => verdicts.map((verdict) => ({ bundle, verdict })));
  rows.sort(
    (a, b) =>
      a.verdict.requirement.localeCompare(b.verdict.requirement) ||
      order.indexOf(a.verdict.outcome) - order.indexOf(b.verdict.outcome) ||
      a.verdict.scenario.localeCompare(b.verdict.scenario),
  );
  const cells = rows.map(({ bundle, verdict }) => {
    const finding = decisive(verdict);
    const would = finding?.wouldDecide && `would decide: ${finding.wouldDecide}`;
    return [
      verdict.part ? `${verdict.requirement} ${verdict.part}` : verdict.requirement,
      coloured(verdict.outcome),
      [finding?.seen, would].filter(Boolean).join('; '),
      finding?.formula ?? '',
      relative(process.cwd(), bundle) || '.',
    ];
  });
  return plainTable(['requirement', 'verdict', 'seen', 'promised', 'bundle'], [16, 15, 48, 48, 30], cells);
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
    uncovered.length ? `uncovered in this run: ${grouped(uncovered)}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Ids by prefix: `GS-RP 01-36, DY-SQ 01 02`. */
function grouped(ids: string[]): string {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const prefix = id.slice(0, id.lastIndexOf('-'));
    groups.set(prefix, [...(groups.get(prefix) ?? []), id.slice(id.lastIndexOf('-') + 1)]);
  }
  return [...groups].map(([prefix, numbers]) => `${prefix} ${numbers.join(' ')}`).join('; ');
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
