import { retirement as p } from '../../../requirements/retirement.ts';
import { holdsIn } from '../../../requirements/holds.ts';
import { tolerances } from '../../../requirements/tolerances.ts';
import { secondsFrom } from '../../compare.ts';
import { labels } from '../../facts/objects.ts';
import { survivorsOf } from '../../facts/operation.ts';
import type { PodFacts } from '../../facts/pod.ts';
import { demand, evidenceOf, given, need } from '../../rule.ts';
import type { Rule } from '../../rule.ts';
import type { Finding } from '../../verdict.ts';
import { eachOperation } from './each.ts';
import type { OperationCase } from './each.ts';
import { heldFor, sightMarks } from './held.ts';
import { busy, drainingOf, idle, readMarks, readsBetween, undeletedUntil } from './reads.ts';

/** RP-18: the leader answers for a replica of several Pods, whatever its followers do. */
function leaderAnswers(of: OperationCase): Finding {
  const formula = 'deleted though the followers do not answer';
  const { operation, targets } = of;
  const draining = drainingOf(of);
  const leader = targets.find((t) => memberIndex(t) === '0');
  const followers = targets.filter((t) => memberIndex(t) !== '0');
  demand(
    leader !== undefined && followers.length > 0,
    `${targets.length} members are known`,
    'a replica of several Pods',
  );
  const silent = followers.filter((f) => !f.samples.some((s) => s.data.status === 200));
  demand(
    silent.length === followers.length,
    'a follower answered a read of its gauges',
    'followers without a listener',
  );
  const blamed = operation.sights
    .filter((s) => s.state === 'Draining' || s.state === 'Aborted')
    .find((s) => followers.some((f) => s.reason.includes(f.name)));
  const evidence = evidenceOf(draining, leader.D, ...followers.map((f) => f.D));
  if (blamed && !leader.D) {
    return {
      outcome: 'fail',
      formula,
      seen: `held for a follower: ${blamed.reason}`,
      evidence: evidenceOf(draining, { marks: sightMarks([blamed]) }),
    };
  }
  demand(
    leader.D !== undefined,
    `${leader.name} was not deleted: ${operation.sights.at(-1)?.reason}`,
    'an operation that ends with the delete',
  );
  const reads = readsBetween(leader, draining.at[0], undeletedUntil(of, leader) ?? leader.D.at[0]);
  demand(reads.length >= 2, `${reads.length} reads of the leader are known`, 'the log of the leader');
  const seen = `deleted after ${reads.length} reads of ${leader.name}; ${silent.length} followers never answered`;
  return {
    outcome: 'pass',
    formula,
    seen,
    evidence: [...evidence, ...evidenceOf({ marks: readMarks(reads) })].slice(0, 8),
  };
}

const memberIndex = (pod: PodFacts) => pod.newest.metadata.labels?.[labels.memberIndex];

/** RP-33: a read that passes a bound ends within 5 s, and the member is held. */
function bounded(of: OperationCase): Finding {
  const formula = `reason of the bound in [draining, draining + ${p.readSeconds} + q]`;
  const draining = drainingOf(of);
  const hold = given.text(of.given, 'reason') === 'tooBig' ? 'tooBig' : 'incomplete';
  const named = of.operation.sights.find(
    (s) =>
      s.state === 'Draining' && holdsIn(s.reason).some((h) => h === hold || (hold === 'incomplete' && h === 'unread')),
  );
  const late = draining.at[1] + of.scale.toMs(p.readSeconds + 2 * tolerances.requeue.value);
  const reading = of.operation.sights.filter((s) => s.state === 'Draining').at(-1);
  const stalls = of.facts.widener.stalledBetween(draining.at[1], late);
  const end = of.facts.all.windowEnded?.at[0] ?? 0;
  if (!named && reading && reading.reason.startsWith('reading') && end > late + stalls + of.scale.toMs(5)) {
    return {
      outcome: 'fail',
      formula,
      seen: `no answer of the read ${secondsFrom(of.facts, draining.at, end)} after Draining: ${reading.reason}`,
      evidence: evidenceOf(draining, { marks: sightMarks([reading]) }),
    };
  }
  const sight = need(named, `no reason speaks of the bound: ${reading?.reason}`, 'a reason that names the bound');
  const seen = `the reason names it ${secondsFrom(of.facts, draining.at, sight.at[1])} after Draining: ${sight.reason}`;
  const evidence = evidenceOf(draining, { marks: sightMarks([sight]) });
  if (sight.at[0] > late + stalls) return { outcome: 'fail', formula, seen, evidence };
  if (sight.at[1] > draining.at[0] + of.scale.toMs(p.readSeconds + tolerances.requeue.value)) {
    return { outcome: 'inconclusive', formula, seen, evidence, wouldDecide: 'a quieter machine' };
  }
  return heldFor(of, holdsIn(sight.reason)[0] ?? hold);
}

/** RP-32: the answer is the member's own. */
function ownAnswer(of: OperationCase): Finding {
  const formula = 'a busy survivor holds not, an idle one frees not';
  const pod = need(of.targets[0], 'the target is not in the history', 'a watch of Pods');
  const draining = drainingOf(of);
  const others = survivorsOf(of.facts, of.operation);
  const until = pod.D?.at[0] ?? of.facts.all.windowEnded?.at[0] ?? 0;
  const during = (o: PodFacts) =>
    o.samples.filter((s) => s.at[0] > draining.at[1] - of.scale.toMs(2) && s.at[1] < until);
  const part = of.decision.part;
  const seenOf = (what: string) =>
    `${pod.name} ${pod.D ? `deleted ${secondsFrom(of.facts, draining.at, pod.D.at[1])} after Draining` : 'held'}, ${what}`;
  const evidence = evidenceOf(draining, pod.D, {
    marks: during(others[0] ?? pod)
      .slice(-1)
      .map((mark) => ({ mark, what: 'gauges of a survivor' })),
  });
  if (part === 'busy survivor') {
    const blamed = of.operation.sights.find(
      (s) =>
        s.state === 'Draining' &&
        holdsIn(s.reason).includes('working') &&
        pod.samples.some((g) => idle(g) && g.at[0] > draining.at[1] && g.at[1] < s.at[0]) &&
        pod.samples.every((g) => !busy(g)) &&
        others.some((o) => o.samples.some((g) => busy(g) && g.at[0] > draining.at[1])),
    );
    if (blamed) {
      return {
        outcome: 'fail',
        formula,
        seen: `held for work that is another's: ${blamed.reason}`,
        evidence: evidenceOf(draining, { marks: sightMarks([blamed]) }),
      };
    }
    const work = others.length > 0 && others.every((o) => during(o).length > 0 && during(o).every(busy));
    demand(
      work && during(pod).every((s) => !busy(s)),
      'the survivor was not busy all the time, or the target was',
      'a stream on the survivor only',
    );
    if (pod.D) return { outcome: 'pass', formula, seen: seenOf('the survivor busy'), evidence };
    return {
      outcome: 'inconclusive',
      formula,
      seen: seenOf('the survivor busy'),
      evidence,
      wouldDecide: 'a window that goes on until the delete',
    };
  }
  const last = pod.samples.filter((s) => busy(s)).at(-1);
  demand(
    last !== undefined && others.some((o) => during(o).some(idle)),
    'the target was not busy, or the survivor not idle',
    'a stream on the target only',
  );
  if (pod.D && pod.D.at[1] < last.at[0])
    return { outcome: 'fail', formula, seen: seenOf('busy itself, the survivor idle'), evidence };
  demand(
    last.at[0] > draining.at[1] + of.scale.toMs(5),
    'the work did not last',
    'a stream that goes on for 5 s while Draining',
  );
  return { outcome: 'pass', formula, seen: seenOf('busy itself, the survivor idle'), evidence };
}

/** Whose answer counts, and what a read may take. */
export const retirementMembers: Readonly<Record<string, Rule>> = {
  'GS-RP-18': eachOperation('deleted though the followers do not answer', leaderAnswers),
  'GS-RP-32': eachOperation('a busy survivor holds not, an idle one frees not', ownAnswer),
  'GS-RP-33': eachOperation('reason of the bound in [draining, draining + 5 + q]', bounded),
};
