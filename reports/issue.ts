import type { Manifest } from '../src/history/manifest.ts';
import type { LinedEvent } from '../src/history/reader.ts';
import type { Evidence, Finding, Verdict } from '../src/judge/verdict.ts';
import type { Requirement } from '../src/requirements/requirement.ts';
import type { KnownDifference } from './known.ts';

/** What an issue is written from: one failed verdict of one bundle, and what is known of it. */
export interface Reported {
  manifest: Manifest;
  /** Each event with its line of the history. */
  events: readonly LinedEvent[];
  verdict: Verdict;
  requirement: Requirement | undefined;
  known: KnownDifference | undefined;
}

/** Pieces of evidence that are quoted of one finding at most: the first ones tell the order, the last ones the end. */
const QUOTED = 12;

/** Characters of a line that is quoted. */
const LINE_LENGTH = 300;

/** A failed verdict as an issue for the program's own project: Markdown that a person can file as it stands. */
export function issueText(of: Reported): string {
  const { manifest, verdict, requirement, known } = of;
  const part = verdict.part ? ` (${verdict.part})` : '';
  const failed = verdict.findings.filter(({ outcome }) => outcome === 'fail');
  return [
    `# ${titleOf(of)}`,
    '',
    '**What the document says**',
    '',
    known?.document ?? requirement?.statement ?? verdict.requirement,
    '',
    `(${verdict.source})`,
    '',
    '**What the program does**',
    '',
    ...(known ? [known.program, ''] : []),
    ...failed.flatMap((finding) => [`- promised: \`${finding.formula}\``, `- seen: ${finding.seen}`]),
    '',
    '**What was done**',
    '',
    `${manifest.scenario.title[0]?.toUpperCase() ?? ''}${manifest.scenario.title.slice(1)}:`,
    '',
    ...startedBy(of.events),
    ...doneBy(of.events),
    `- again: \`npx quiesce run ${manifest.scenario.id} --real ${manifest.real?.[0] ?? ''}\``,
    '',
    '**Evidence** (seconds from the action; log lines as the program wrote them)',
    '',
    '```',
    ...failed.flatMap((finding) => quoted(of, finding)),
    '```',
    '',
    '**Environment**',
    '',
    ...environmentOf(manifest),
    `- requirement ${verdict.requirement}${part} of quiesce ${manifest.tool.version}, scenario \`${manifest.scenario.id}\`${known?.issue ? `; reported before: ${known.issue}` : ''}`,
    '',
  ].join('\n');
}

const titleOf = ({ manifest, verdict, known, requirement }: Reported): string => {
  const said = (known?.program ?? requirement?.statement ?? verdict.requirement).split(/(?<=[.:]) /)[0] ?? '';
  const { section } = manifest.scenario;
  return `${section}: ${known ? said.replace(/[.:]$/, '') : `not as documented: ${said}`}`;
};

function environmentOf({ real = [], versions, target, timeScale }: Manifest): string[] {
  const named = real.map((part) => `${part} ${versions[part] ?? ''}, its own programs`.trim());
  return [
    `- ${named.join(', ')}, on a CPU; the engine of a worker is a counter of tokens on the release's own runtime`,
    `- ${target === 'embedded' ? 'processes under an embedded Kubernetes API server' : 'Kubernetes'} ${versions['kubernetes'] ?? ''}, discovery by Kubernetes, time scale ${timeScale}`,
  ];
}

interface Started {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: { command?: string[]; args?: string[] }[] };
}

/** The commands of the Pods that were there before anything was done, each once. */
function startedBy(events: Reported['events']): string[] {
  const acted = events.findIndex(({ kind }) => kind === 'action.sent');
  const commands = events.slice(0, acted < 0 ? events.length : acted).flatMap((event) => {
    if (event.kind !== 'object.added' || !event.subject.startsWith('Pod/')) return [];
    const [main] = (event.data.object as Started).spec?.containers ?? [];
    return main?.command ? [[...main.command, ...(main.args ?? [])].join(' ')] : [];
  });
  const times = (command: string) => commands.filter((other) => other === command).length;
  return [...new Set(commands)].map((command) => `- started: ${times(command)} × \`${command}\``);
}

const doneBy = (events: Reported['events']): string[] => {
  const done = events.flatMap((event) =>
    event.kind === 'action.sent' ? [`- done: ${event.data.verb} ${event.data.target.split('/').pop() ?? ''}`] : [],
  );
  return [...new Set(done)];
};

function quoted({ events, manifest }: Reported, { evidence }: Finding): string[] {
  const zero = events.find((event) => event.kind === 'zero')?.data.plannedAt ?? events[0]?.at[0] ?? 0;
  const kept = [...evidence].sort((a, b) => a.at[1] - b.at[1]);
  const few = kept.length <= QUOTED ? kept : [...kept.slice(0, QUOTED / 2), ...kept.slice(-QUOTED / 2)];
  const lines = few.map(({ line, at, what }: Evidence) => {
    const seconds = ((at[1] - zero) / 1000) * manifest.timeScale;
    const event = events.find((one) => one.line === line);
    const said =
      event?.kind === 'log.line' ? event.data.line : event?.kind === 'probe.http' ? (event.data.body ?? '') : '';
    return [
      `${seconds.toFixed(3).padStart(9)} s  ${what}`,
      ...(said ? [`             ${said.slice(0, LINE_LENGTH)}`] : []),
    ];
  });
  if (kept.length > QUOTED) lines.splice(QUOTED / 2, 0, [`             ... ${kept.length - QUOTED} more ...`]);
  return lines.flat();
}
