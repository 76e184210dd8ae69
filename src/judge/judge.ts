import type { Decision, Manifest } from '../history/manifest.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { inProfile, type InProfile } from '../requirements/in-profile.ts';
import { DEFAULT_PROFILE, profileNames } from '../requirements/profiles.ts';
import { casesOf, factsOf, profileOfManifest } from './facts/facts.ts';
import type { Facts, Judged } from './facts/facts.ts';
import { mergeOutcomes } from './outcomes.ts';
import { rules } from './rules.ts';
import type { Finding, Verdict } from './verdict.ts';

/** The command that judges a bundle again; run in its folder, so that the text is the same wherever it lies. */
export const JUDGE_AGAIN = 'quiesce judge .';

/**
 * Decides everything that the scenario of a bundle decides. Pure: the same bundle and catalogue give the same verdicts
 * on any machine, at any time, in whatever order the events stand.
 */
export function judge(bundle: Judged, catalogue: readonly Requirement[]): Verdict[] {
  const facts = factsOf(bundle);
  const unknown = unknownProfile(bundle);
  const problems = [...unmet(bundle), ...lost(bundle)];
  const unready = neverReady(bundle);
  const { unsupported } = bundle.manifest;
  return facts.manifest.scenario.decides.map((decision) => {
    const requirement = catalogue.find((r) => r.id === decision.requirement);
    const said = requirement && inProfile(requirement, facts.profile);
    const outside = unsupported ?? (said?.holds === false ? [said.reason] : undefined);
    const tried = () => (unready.length > 0 ? unready : findingsOf(facts, decision));
    const found = () => (unknown.length > 0 ? unknown : [...problems, ...tried()]);
    const findings = outside ? [refusal(outside)] : found();
    return {
      requirement: decision.requirement,
      ...(decision.part === undefined ? {} : { part: decision.part }),
      outcome: mergeOutcomes(findings.map((f) => f.outcome)),
      scenario: facts.manifest.scenario.id,
      source: sourceOf(requirement, said),
      findings: findings.map((finding) => unsure(finding, decision, facts)),
      again: JUDGE_AGAIN,
    };
  });
}

/** The bundle is of a release whose documents this version does not know. */
function unknownProfile({ manifest }: Judged): Finding[] {
  if (profileOfManifest(manifest)) return [];
  const seen = `the bundle was recorded under the profile ${manifest.profile ?? ''}, which is not known here (${profileNames.join(', ')})`;
  return [{ outcome: 'harness-error', formula: '-', seen, evidence: [] }];
}

/** Says so where nobody has established that the page of the profile's release has the requirement, too. */
const unsure = (finding: Finding, { requirement }: Decision, { profile }: Facts): Finding =>
  !profile.unsure.includes(requirement) || finding.outcome === 'unsupported'
    ? finding
    : {
        ...finding,
        note: [finding.note, `${DEFAULT_PROFILE} says so; whether ${profile.release} does, too, is not established`]
          .filter(Boolean)
          .join('; '),
      };

/** The target could not give what the scenario needs, so that nothing was tried. */
const refusal = (reasons: readonly string[]): Finding => ({
  outcome: 'unsupported',
  formula: '-',
  seen: reasons.join('; '),
  evidence: [],
});

function findingsOf(facts: Facts, decision: Decision): Finding[] {
  const rule = Object.hasOwn(rules, decision.requirement) ? rules[decision.requirement] : undefined;
  if (!rule) {
    return [{ outcome: 'harness-error', formula: '-', seen: `no rule decides ${decision.requirement}`, evidence: [] }];
  }
  return rule({ facts, decision, cases: casesOf(facts, decision), given: decision.given ?? {} });
}

/** Problems that the harness itself recorded: an action that could not be proved, a scenario that broke off. */
function unmet({ events }: Judged): Finding[] {
  const seen = new Set<number>();
  const problems = events.filter((event) => event.kind === 'problem').sort((a, b) => a.seq - b.seq);
  return problems.flatMap((event): Finding[] => {
    if (seen.has(event.seq)) return [];
    seen.add(event.seq);
    const evidence = [{ line: event.line, seq: event.seq, at: event.at, what: event.data.where }];
    return [
      {
        outcome: 'harness-error',
        formula: '-',
        seen: `${event.data.where}: ${event.data.message.split('\n')[0]}`,
        evidence,
      },
    ];
  });
}

/** What was deployed never became ready, so that nothing was done to it: all that it decides is open, for that reason. */
function neverReady({ events }: Judged): Finding[] {
  const event = events.find((one) => one.kind === 'precondition' && one.data.name === 'deployed' && !one.data.met);
  if (event?.kind !== 'precondition') return [];
  const { data, line, seq, at } = event;
  const evidence = [{ line, seq, at, what: 'what was deployed is not ready' }];
  const wouldDecide = 'a system that becomes ready';
  return [{ outcome: 'inconclusive', formula: '-', seen: data.detail, evidence, wouldDecide }];
}

/** A history of which a part is gone or changed proves nothing by what it does not tell: no pass rests on it. */
const lost = ({ losses = [] }: Judged): Finding[] =>
  losses.map((seen) => ({
    outcome: 'inconclusive',
    formula: '-',
    seen,
    evidence: [],
    wouldDecide: 'the bundle as its run left it',
  }));

function sourceOf(requirement: Requirement | undefined, said: InProfile | undefined): string {
  if (!requirement) return 'in no catalogue';
  if (said?.holds && said.later) return said.page;
  const { page, lines, table } = requirement.source;
  const where = [
    lines && (lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines[1]}`),
    table,
  ].filter(Boolean);
  return [page, ...where].join(', ');
}

/** Keys in one order at every depth, so that equal verdicts are equal bytes. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, v]) => [key, canonical(v)]),
  );
}

/** The bytes of verdicts.json: no clock, no path, keys in one order. */
export function renderVerdicts(manifest: Manifest, verdicts: readonly Verdict[]): string {
  const { scenario, target, timeScale, seed, faults, versions, profile, tool } = manifest;
  const of = { scenario: scenario.id, target, timeScale, seed, faults, versions, profile, tool: tool.version };
  return `${JSON.stringify(canonical({ format: manifest.format, of, verdicts }), undefined, 2)}\n`;
}
