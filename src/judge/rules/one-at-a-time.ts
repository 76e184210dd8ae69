import { tolerances } from '../../requirements/tolerances.ts';
import { secondsFrom } from '../compare.ts';
import type { Facts } from '../facts/facts.ts';
import { versionOf } from '../facts/objects.ts';
import type { PodFacts } from '../facts/pod.ts';
import { evidenceOf } from '../rule.ts';
import type { Finding } from '../verdict.ts';

/**
 * Whether each of some Pods, in the order of their deletes, was gone before the next one was deleted. Time alone cannot
 * tell where one follows the other at once: there the versions of one store do, since every write raises them.
 */
export function oneAfterTheOther(facts: Facts, pods: readonly PodFacts[]): Finding[] {
  const order = [...pods].sort((a, b) => (a.D?.at[1] ?? 0) - (b.D?.at[1] ?? 0));
  return order.slice(1).map((next, i) => pair(facts, order[i] as PodFacts, next));
}

function pair(facts: Facts, former: PodFacts, next: PodFacts): Finding {
  const formula = 'delete(n + 1) >= gone(n)';
  const { gone, D: first } = former;
  const { D, leaving } = next;
  const evidence = evidenceOf(first, { marks: gone ? [{ mark: gone, what: `${former.name} is gone` }] : [] }, D);
  if (!gone || !D || !first) {
    const seen = `the end of ${former.name} or the delete of ${next.name} is not in the history`;
    return { outcome: 'inconclusive', formula, seen, evidence, wouldDecide: 'a watch of Pods without a gap' };
  }
  const seen = `${next.name} deleted ${secondsFrom(facts, first.at, D.at[1])}, ${former.name} gone ${secondsFrom(facts, first.at, gone.at[1])} after the delete of ${former.name}`;
  const removed = gone.type === 'deleted' ? versionOf(gone.object) : Number.NaN;
  const marked = leaving ? versionOf(leaving.object) : Number.NaN;
  // A removal that a new list brought to light carries the version of an older sight.
  const truly = former.sightings.every((s) => s === gone || versionOf(s.object) < removed);
  if (D.at[1] < gone.at[0] || (truly && marked < removed)) return { outcome: 'fail', formula, seen, evidence };
  const slack = tolerances.kubeletBegins.value * 1000;
  const dated = D.at[0] >= gone.at[0] - slack - facts.widener.stalledBetween(gone.at[0] - slack, gone.at[1]);
  if (D.at[0] >= gone.at[1] || (truly && marked > removed && dated))
    return { outcome: 'pass', formula, seen, evidence };
  return {
    outcome: 'inconclusive',
    formula,
    seen,
    evidence,
    wouldDecide: 'the Event with which the kubelet begins to stop the next Pod, and no gap in the watch',
  };
}
