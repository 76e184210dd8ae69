import { tolerances } from '../../requirements/tolerances.ts';
import { beginningOf, secondsFrom } from '../compare.ts';
import type { RequestFacts } from '../facts/request.ts';
import { eachPod, evidenceOf, given, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import type { Finding } from '../verdict.ts';

/** Documented seconds within which a request that was routed just before the delete was known must have landed. */
const LANDING = 5;

/** DW-04: once the Pod has a deletion timestamp the router chooses it no more, while it is still Ready. */
function choosesNoMore(of: PodCase): Finding {
  const { pod, facts, scale } = of;
  const { D, G } = beginningOf(of);
  const formula = 'chosen <= D + w (w = 2 s; a note above 0.1 s, a fail from 5 s on)';
  const atLeast = given.number(of.given, 'atLeast') ?? 3;
  const ms = (seconds: number) => scale.toMs(seconds);
  const routed = facts.requests.filter((q) => !q.direct && q.planned !== undefined && q.sent !== undefined);
  const sentAt = (q: RequestFacts) => q.sent?.at[0] ?? 0;
  const onVictim = routed.filter((q) => q.received.some((x) => x.uid === pod.uid));
  const chosenBefore = onVictim.filter(
    (q) => sentAt(q) <= D.at[0] && sentAt(q) >= D.at[0] - ms(given.number(of.given, 'before') ?? 2),
  );
  const survivors = facts.pods.filter(
    (p) =>
      p.deployment === pod.deployment && p.uid !== pod.uid && p.D === undefined && p.ready && p.ready.at[1] <= D.at[0],
  );
  demand(
    survivors.length > 0,
    'no other replica is known to be Ready at the delete',
    'a survivor that could take the requests',
  );
  demand(
    chosenBefore.length >= atLeast,
    `the router chose ${pod.name} ${chosenBefore.length} times in the 2 s before the delete`,
    `${atLeast} choices at least: more load`,
    D.marks,
  );
  const last = onVictim.reduce<RequestFacts | undefined>((a, b) => (a && sentAt(a) >= sentAt(b) ? a : b), undefined);
  const late = last ? sentAt(last) - D.at[1] : 0;
  // What stalls after the router had time to learn of the delete keeps it from nothing.
  const stalls = facts.widener.stalledBetween(D.at[0], D.at[0] + ms(tolerances.routerLearns.value));
  const marks = (last?.received ?? []).map((mark) => ({
    mark,
    what: `${last?.id}, sent ${secondsFrom(facts, D.at, sentAt(last as RequestFacts))} after the delete, reaches ${pod.name}`,
  }));
  const seen = `last choice of ${pod.name} ${secondsFrom(facts, D.at, last ? sentAt(last) : D.at[0])} after the delete, ${chosenBefore.length} in the 2 s before`;
  const base = { formula, seen, evidence: evidenceOf(D, { marks }) };
  const undecided = (wouldDecide: string, why = ''): Finding => ({
    ...base,
    seen: why ? `${seen}; ${why}` : seen,
    outcome: 'inconclusive',
    wouldDecide,
  });
  if (last && late >= ms(LANDING) + stalls) return { ...base, outcome: 'fail' };
  // A line that is missing could hide a choice: every request of the decisive time must be somebody's.
  const w = ms(tolerances.routerLearns.value);
  const until = Math.min(D.at[0] + G, pod.S?.at[0] ?? Infinity);
  const decisive = routed.filter((q) => sentAt(q) >= D.at[0] + w && sentAt(q) <= until);
  const lost = decisive.filter((q) => q.received.length === 0);
  if (lost.length > 0)
    return undecided(
      'the log of every replica, without loss',
      `nobody is known to have served ${lost.length} later requests, such as ${lost[0]?.id}`,
    );
  const unknown =
    pod.sightings.length > 0 &&
    facts.requests.some(
      (q) =>
        (q.planned === undefined || q.sent === undefined) &&
        q.received.some((x) => x.uid === pod.uid && x.at[1] > D.at[0] + w),
    );
  if (unknown) return undecided('the plan of every request', 'a request without a plan reached it');
  const served = decisive.filter((q) => sentAt(q) <= D.at[0] + ms(LANDING));
  if (served.length < atLeast)
    return undecided('steady load up to D + 5', `${served.length} requests were routed between D + 2 and D + 5`);
  const unready = pod.unready;
  const chosenUntil = last && late > 0 ? sentAt(last) : D.at[1];
  if (unready && unready.at[0] <= chosenUntil && unready.at[1] < (pod.S?.at[0] ?? Infinity)) {
    return undecided('a victim that is Ready until after the last choice', 'its Ready condition was lost by then');
  }
  if (late > w) return undecided('a last choice within 2 s, or after 5 s');
  const slow = late > ms(tolerances.routerNote.value);
  return {
    ...base,
    outcome: 'pass',
    ...(slow
      ? {
          note: `the last choice comes ${scale.toSeconds(late).toFixed(2)} s after the delete; the document gives no number`,
        }
      : {}),
  };
}

export const routing: Record<string, Rule> = {
  'GS-DW-04': eachPod('chosen <= D + w', choosesNoMore),
};
