import { tolerances } from '../../requirements/tolerances.ts';
import { hull } from '../../time/interval.ts';
import type { Interval } from '../../time/interval.ts';
import type { TimeScale } from '../../time/scale.ts';
import type { Collected, CollectedAction, CollectedPod } from './collected.ts';
import { earliest, NEVER } from './mark.ts';
import type { Mark } from './mark.ts';
import { endOfMain } from './objects.ts';
import type { End, Instant, PodFacts } from './pod.ts';
import type { Widener } from './widen.ts';

type Described = Omit<PodFacts, 'D' | 'K' | 'S' | 'E' | 'hookLog'>;

const wallMs = (t: { value: number }) => t.value * 1000;

/** Our own deletes and evictions of a Pod that were not refused. */
export function actionsOn(all: Collected, pod: Pick<PodFacts, 'name' | 'created' | 'gone'>): CollectedAction[] {
  return [...all.actions.values()].filter(
    ({ sent, answered }) =>
      sent !== undefined &&
      (sent.verb === 'delete' || sent.verb === 'evict') &&
      sent.target.split('/').pop() === pod.name &&
      sent.at[1] >= pod.created.at[0] &&
      sent.at[0] <= (pod.gone?.at[1] ?? NEVER) &&
      (answered === undefined || answered.data.status < 400),
  );
}

/** How long the kubelet may take to begin, in milliseconds: a Pod that is Ready since a moment ago takes longer. */
export function kubeletBegins(pod: Described, from: number, scale: TimeScale): number {
  const rested = pod.ready && from - pod.ready.at[1] >= scale.toMs(tolerances.rested.value);
  return rested ? wallMs(tolerances.kubeletBegins) : scale.toMs(tolerances.kubeletBeginsYoung.value);
}

/**
 * D: when the delete was sent, exactly where we sent it. Else between the last sight of the Pod without a
 * deletionTimestamp and the first with one, narrowed by the kubelet's own start, which follows within a known time.
 */
export function deleteOf(
  pod: Described,
  history: Collected,
  collected: CollectedPod,
  widener: Widener,
  scale: TimeScale,
): Instant | undefined {
  const ours = actionsOn(history, pod).sort((a, b) => (a.sent?.at[0] ?? 0) - (b.sent?.at[0] ?? 0));
  const [first] = ours;
  if (first?.sent && !(pod.leaving && pod.leaving.at[1] < first.sent.at[0])) {
    const sure = first.answered !== undefined || ours.length === 1;
    const all: Interval[] = ours.flatMap((a) => (a.sent ? [a.sent.at] : []));
    const at = sure ? first.sent.at : all.reduce(hull, first.sent.at);
    const seen = pod.leaving !== undefined || pod.gone !== undefined || first.answered !== undefined;
    return seen ? { at, marks: [{ mark: first.sent, what: `${first.sent.verb} of ${pod.name} sent` }] } : undefined;
  }
  const seen = pod.leaving ?? pod.gone;
  if (!seen) return undefined;
  const killing = earliest(collected.killing);
  let lo = pod.lastStaying?.at[0] ?? -NEVER;
  let hi = seen.at[1];
  if (killing) {
    const slack = kubeletBegins(pod, killing.at[0], scale);
    lo = Math.max(lo, killing.at[0] - slack - widener.stalledBetween(killing.at[0] - slack - 1000, killing.at[0]));
    hi = Math.min(hi, killing.at[1]);
  }
  return { at: [Math.min(lo, hi), hi], marks: [{ mark: seen, what: `${pod.name} seen with a deletionTimestamp` }] };
}

/** K: the kubelet's own Event; without it, some time after the delete. */
export function killOf(
  pod: Described,
  D: Instant | undefined,
  collected: CollectedPod,
  scale: TimeScale,
): Instant | undefined {
  if (!D) return undefined;
  const killing = earliest(collected.killing);
  if (killing) {
    const at: Interval = [Math.min(Math.max(killing.at[0], D.at[0]), killing.at[1]), killing.at[1]];
    return { at, marks: [{ mark: killing, what: `kubelet begins to stop main of ${pod.name}` }] };
  }
  const latest = Math.max(D.at[1], pod.leaving?.at[1] ?? D.at[1]) + kubeletBegins(pod, D.at[0], scale);
  return { at: [D.at[0], latest], marks: D.marks };
}

/** S: the engine's own record of the signal. */
export function signalOf(pod: Described, collected: CollectedPod): Instant | undefined {
  const signal = earliest(collected.signals);
  return signal && { at: signal.at, marks: [{ mark: signal, what: `engine of ${pod.name} logs the signal` }] };
}

/**
 * E: the end of `main` is seen in the Pod's status, up to {@link tolerances.statusDelay} later; the process was alive
 * at every answer and every line that came from it. `alive`: the last instant at which it is known to have lived.
 */
export function endOf(pod: Described, alive: Mark | undefined, widener: Widener): End | undefined {
  const ended = pod.sightings.filter((s) => endOfMain(s.object) !== undefined);
  const first = earliest(ended) ?? pod.gone;
  if (!first) return undefined;
  const exitCode = ended.map((s) => endOfMain(s.object)?.exitCode).find((code) => code !== undefined);
  const hi = first.at[1];
  // The kubelet's last delete, and the removal itself, show the end again: too late to date it by.
  const itself = first.type === 'modified' && first.object.metadata.deletionGracePeriodSeconds !== 0;
  const single = pod.newest.spec.containers.length === 1;
  let lo = alive?.at[0] ?? pod.lastStaying?.at[0] ?? -NEVER;
  if (itself && single) {
    const delay = wallMs(tolerances.statusDelay);
    lo = Math.max(lo, first.at[0] - delay - widener.stalledBetween(first.at[0] - delay, first.at[0]));
  }
  const marks = [
    {
      mark: first as Mark,
      what: `main of ${pod.name} seen ended${exitCode === undefined ? '' : `, code ${exitCode}`}`,
    },
  ];
  if (alive) marks.unshift({ mark: alive, what: `last sign of life of ${pod.name}` });
  return { at: [Math.min(lo, hi), hi], marks, exitCode };
}
