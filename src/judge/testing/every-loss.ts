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

/**
 * Judges it with the client of each single request gone in mid-stream: what then became of the request is its own doing.
 * @throws Error with the findings where that makes a requirement fail which passes
 */
export function withEveryClientGone(scribe: Scribe, decision: Omit<Decision, 'cases'>): void {
  if (scribe.judge(decision).outcome !== 'pass') throw new Error(`${decision.requirement} does not pass to begin with`);
  for (const event of scribe.events) {
    if (event.kind !== 'request.end') continue;
    const whole = { ...event.data };
    Object.assign(event.data, { end: 'client-left', tokens: Math.min(1, whole.tokens) });
    const verdict = scribe.judge(decision);
    if (!['pass', 'inconclusive'].includes(verdict.outcome))
      throw new Error(`${decision.requirement} without the client of ${whole.id}:\n${findings(verdict)}`);
    Object.assign(event.data, whole);
  }
}
