import { drainWindow as c } from '../../requirements/drain-window.ts';
import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, compare, lower, overheadsOf, secondsFrom, upper } from '../compare.ts';
import { placeIn } from '../facts/objects.ts';
import type { Instant, PodFacts } from '../facts/pod.ts';
import { requestsOn } from '../facts/work.ts';
import { demand, eachPod, evidenceOf, need } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { marksOf, names } from './cut-requests.ts';
import { cutBefore } from './engine-exit.ts';
import { lastStaying } from './retirement/there.ts';

const seatOf = (pod: PodFacts): number => placeIn(pod.newest).seat;

/** The Pods that made up a Pod's replica when it was deleted: those that replace them come later. */
function membersOf({ pod, facts }: PodCase, D: Instant): PodFacts[] {
  const { group } = placeIn(pod.newest);
  return facts.pods.filter(
    (p) =>
      group !== undefined &&
      p.namespace === pod.namespace &&
      placeIn(p.newest).group === group &&
      p.created.at[0] <= D.at[1],
  );
}

/** LM-09: the replica drains through its leader, and every member is deleted. */
function throughLeader(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'S of the leader >= min(x, D + G - 5), and every member is deleted';
  demand(seatOf(pod) === 0, `${pod.name} is a follower`, 'a case that names the leader');
  const departure = departureOf(of);
  const { D, S, G, work } = departure;
  const members = membersOf(of, D);
  const { total } = placeIn(pod.newest);
  demand(
    total > 1 && members.length === total,
    `${members.length} of ${total} members of the replica are known`,
    'a replica of several Pods, and a watch without a gap',
  );
  const fail = (seen: string, marks: Instant['marks']): Finding => ({
    outcome: 'fail',
    formula,
    seen,
    evidence: evidenceOf({ marks }, D, S),
  });
  const own = requestsOn(pod, facts.requests);
  const cut = cutBefore(of, own, D.at[0] + G - scale.toMs(c.exitReserve), D.at[1]);
  if (cut.length > 0) return fail(`${names(cut)} cut before D + G - 5 on ${pod.name}`, marksOf(cut));
  const signal = judgeSignal(departure, 'work', formula);
  if (signal.outcome === 'fail') return signal;
  const kept = members.flatMap((member) => {
    const there = member.D === undefined ? lastStaying(facts, member) : undefined;
    const { gone } = pod;
    if (!there || !gone) return [];
    const most = scale.toMs(tolerances.requeue.value) + facts.widener.stalledBetween(gone.at[0], there.at[1]);
    return there.at[0] > gone.at[1] + most ? [{ mark: there, what: `${member.name} is there and not deleted` }] : [];
  });
  if (kept.length > 0) return fail(`${kept[0]?.what}, long after its leader ${pod.name} is gone`, kept);
  const open = members.filter((member) => member.D === undefined || member.gone === undefined);
  demand(
    open.length === 0,
    `the delete and the end of ${open.map((p) => p.name).join(', ')} are not in the history`,
    'a window that goes on until every member is gone',
  );
  const waited = work.kind === 'outlasts' || (work.kind === 'ends' && work.x[0] > D.at[1] + scale.toMs(c.settle + 2));
  demand(
    waited,
    `the work on ${pod.name} ends before D + 7: a hook that waits for nothing would pass`,
    'a stream on the leader that ends later',
    work.marks,
  );
  const gone = members.map((p) => `${p.name} ${secondsFrom(facts, D.at, p.D?.at[1] ?? 0)}`);
  return {
    ...signal,
    seen: `${signal.seen}; deleted: ${gone.join(', ')}`,
    evidence: evidenceOf(S, work, ...members.map((p) => p.D)),
  };
}

/**
 * How long a leader must have drained for a follower that waits for its end to be told from one that was deleted a little
 * later: the follower's own 5 s, and a requeue of the controller that deletes it.
 */
const LONG_DRAIN = c.settle + tolerances.requeue.value + 1;

/** LM-16: a follower's SIGTERM comes about 5 s after its own delete, while its leader drains. */
function followerSignalled(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const formula = 'S of the follower in [D + 5, K + 5 + r + p], before that of its leader';
  const { D, K } = beginningOf(of);
  demand(seatOf(pod) > 0, `${pod.name} is no follower`, 'a case that names a follower');
  const leader = need(
    membersOf(of, D).find((p) => seatOf(p) === 0),
    `the leader of ${pod.name} is not in the history`,
    'a watch of Pods without a gap',
  );
  // A follower has no listener, and not every engine's says a word about its signal.
  const S = need(
    pod.S ?? pod.hookLog?.signal,
    `nothing tells when ${pod.name} got SIGTERM`,
    "the follower's own line about the signal, or the kubelet's",
  );
  const { r, rMost, p } = overheadsOf(of);
  const finding = compare(of, {
    formula,
    name: 'S',
    instant: S,
    low: lower(of, D.at, c.settle),
    high: upper(of, K.at, c.settle, r + p, S.at, rMost + p),
    also: [leader.D, leader.S],
  });
  if (finding.outcome === 'fail') return finding;
  const begun = need(leader.D, `no delete of ${leader.name} is in the history`, 'a watch of Pods without a gap');
  const L = need(
    leader.S,
    `the log of ${leader.name} has no mark of SIGTERM`,
    "the leader's own line about the signal",
  );
  const seen = `${finding.seen}; its leader ${leader.name} ${secondsFrom(facts, D.at, L.at[0])} after it`;
  if (S.at[0] > L.at[1] && L.at[0] - begun.at[1] > scale.toMs(LONG_DRAIN))
    return { ...finding, outcome: 'fail', seen: `${seen}: not while the leader drains` };
  demand(
    L.at[0] > S.at[1],
    `${leader.name} is not known to drain still when ${pod.name} gets SIGTERM`,
    'work on the leader that ends later',
    [...S.marks, ...L.marks],
  );
  return { ...finding, seen };
}

/** A replica of several Pods, of which the leader alone listens. */
export const severalPods: Record<string, Rule> = {
  'GS-LM-09': eachPod('S of the leader >= min(x, D + G - 5), and every member is deleted', throughLeader),
  'GS-LM-16': eachPod('S of the follower in [D + 5, K + 5 + r + p]', followerSignalled),
};
