import assert from 'node:assert/strict';
import type { Decision } from '../../history/manifest.ts';
import type { Outcome } from '../verdict.ts';
import { findings, type Scribe } from './build.ts';

/** Judges it, and again with each single event missing: that may leave it open, and never turns it over. */
export function withEveryLoss(scribe: Scribe, decision: Omit<Decision, 'cases'>, outcome: Outcome): void {
  const judged = () => scribe.judge(decision);
  const whole = judged();
  assert.equal(whole.outcome, outcome, `${decision.requirement}: ${findings(whole)}`);
  const all = [...scribe.events];
  for (const [i, missing] of all.entries()) {
    scribe.events.splice(0, Infinity, ...all.toSpliced(i, 1));
    const verdict = judged();
    const message = `${decision.requirement} without ${missing.kind} of ${missing.subject} at ${missing.at[1]}: ${findings(verdict)}`;
    assert.ok(outcome === 'inconclusive' || [outcome, 'inconclusive'].includes(verdict.outcome), message);
  }
  scribe.events.splice(0, Infinity, ...all);
}
