import type { Decision } from '../../history/manifest.ts';
import type { Outcome } from '../verdict.ts';
import { findings, type Scribe } from './build.ts';

/**
 * Judges it, and again with each single event missing: that may leave it open, and never turns it over.
 * @throws Error with the findings where another verdict comes out
 */
export function withEveryLoss(scribe: Scribe, decision: Omit<Decision, 'cases'>, outcome: Outcome): void {
  const judge = (which: string, allowed: readonly Outcome[]) => {
    const verdict = scribe.judge(decision);
    if (!allowed.includes(verdict.outcome))
      throw new Error(`${decision.requirement} ${which}: expected ${allowed.join(' or ')}\n${findings(verdict)}`);
  };
  judge('whole', [outcome]);
  if (outcome === 'inconclusive') return;
  const all = [...scribe.events];
  for (const [i, missing] of all.entries()) {
    scribe.events.splice(0, Infinity, ...all.toSpliced(i, 1));
    judge(`without ${missing.kind} of ${missing.subject} at ${missing.at[1]}`, [outcome, 'inconclusive']);
  }
  scribe.events.splice(0, Infinity, ...all);
}
