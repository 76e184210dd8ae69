import { drainWindow as c, gauges } from '../../requirements/drain-window.ts';
import { compare, lower, upper } from '../compare.ts';
import type { Sample } from '../facts/collected.ts';
import { eachPod, given, need, demand } from '../rule.ts';
import type { PodCase, Rule } from '../rule.ts';
import { departureOf, judgeSignal } from '../signal.ts';
import type { Departure } from '../signal.ts';
import type { Finding } from '../verdict.ts';
import { requireBusy } from './hook-timing.ts';

const timedOut = (sample: Sample) => sample.data.status === 0 && /time/i.test(sample.data.error ?? '');

/** Samples of the gauges that were certainly taken between two documented seconds after the delete. */
function samplesBetween({ of, D }: Departure, from: number, to: number): Sample[] {
  const { scale, pod } = of;
  return pod.samples.filter((s) => s.at[0] >= D.at[1] + scale.toMs(from) && s.at[1] <= D.at[0] + scale.toMs(to));
}

/** Work that waits or runs keeps the replica: the whole bound where it ends in time, the lower one in any case. */
function judgeKept(departure: Departure): Finding {
  const { work, of, D, K, G } = departure;
  const { scale } = of;
  const early = judgeSignal(departure, 'work');
  if (early.outcome === 'fail') return early;
  const until = D.at[1] + scale.toMs(c.settle + 3);
  demand(
    work.kind === 'outlasts' || work.kind === 'ends',
    `no work on ${of.pod.name} is known (${work.kind})`,
    'a request on the victim',
    work.marks,
  );
  demand(
    work.kind === 'outlasts' || work.x[0] >= until,
    `the last work on ${of.pod.name} ends before D + 8: an idle hook may not have returned by then`,
    'work that goes on longer',
    work.marks,
  );
  const whole =
    work.kind === 'outlasts' ||
    (work.x[0] >= K.at[1] + scale.toMs(c.settle) && work.x[1] <= D.at[0] + G - scale.toMs(7));
  return judgeSignal(departure, whole ? 'both' : 'work');
}

/** DW-18: the hook reads the listener of the annotations, while a decoy on another port answers "idle". */
function annotatedListener(of: PodCase): Finding {
  const decoy = need(given.number(of.given, 'decoy'), 'the decision names no decoy port', 'given.decoy');
  const port = Number(of.pod.newest.metadata.annotations?.['prometheus.io/port'] ?? Number.NaN);
  demand(
    Number.isFinite(port) && port !== decoy,
    `the scrape annotation of ${of.pod.name} names port ${port}, the decoy is at ${decoy}`,
    'an annotated port that is not the decoy',
  );
  return judgeKept(departureOf(of));
}

/** DW-19: one gauge alone above 0 keeps the replica. */
function oneGauge(of: PodCase): Finding {
  const gauge = need(
    given.text(given.record(of.given, 'alone'), of.case.name),
    'the decision names no gauge for this case',
    'given.alone',
  );
  const departure = departureOf(of);
  const samples = samplesBetween(departure, c.settle - 1, c.settle + 3);
  const others = Object.values(gauges)
    .find((list: readonly string[]) => list.includes(gauge))
    ?.filter((name) => name !== gauge);
  demand(others !== undefined, `no hook sums a gauge ${gauge}`, 'one of the documented gauges');
  const alone =
    samples.length > 0 &&
    samples.every(({ data: { values } }) => (values[gauge] ?? 0) > 0 && others.every((name) => values[name] === 0));
  const { S, D, G, work } = departure;
  if (alone || samples.length === 0) {
    demand(alone, `the gauges of ${of.pod.name} were not read between D + 4 and D + 8`, 'probes of the gauges');
    return judgeKept(departure);
  }
  // A signal in this very time ends the work: then the samples before it must show the gauge alone.
  const before = of.pod.samples.filter((s) => s.at[0] >= D.at[0] && s.at[1] < S.at[0]);
  const held =
    before.length > 0 &&
    before.every(({ data: { values } }) => (values[gauge] ?? 0) > 0 && others.every((name) => values[name] === 0));
  demand(
    held && S.at[1] < D.at[0] + G - of.scale.toMs(c.exitReserve),
    `${gauge} was not the only gauge above 0 on ${of.pod.name} from D + 4 to D + 8`,
    'a request that holds this gauge alone',
    work.marks,
  );
  return judgeSignal(departure, 'work');
}

/** DW-30: one busy series among idle ones keeps the replica. */
function manySeries(of: PodCase): Finding {
  const ranks = need(given.number(of.given, 'ranks'), 'the decision names no number of ranks', 'given.ranks');
  demand(ranks >= 2, `${ranks} series of each gauge`, 'an engine with two ranks at least');
  const departure = departureOf(of);
  const sums = of.pod.samples
    .filter((s) => s.at[0] >= departure.D.at[0] && s.at[1] < departure.S.at[0] && s.data.status === 200)
    .map(({ data }) => Object.values(data.values).reduce<number>((a, b) => a + (b ?? 0), 0));
  demand(
    Math.max(0, ...sums) === 1,
    `the gauges of ${of.pod.name} sum up to ${Math.max(0, ...sums)}, not 1: more than one series may be busy`,
    'one request on one rank',
  );
  return judgeKept(departure);
}

/** DW-20: a read that is refused, answered with an error, or fails in the handshake ends the hook at that read. */
function failedRead(of: PodCase): Finding {
  const departure = departureOf(of);
  requireBusy(departure);
  const cause = of.decision.part ?? 'failed';
  const { pod, scale } = of;
  const { D, K, S, r, rMost, p } = departure;
  const isFailure = ({ data }: Sample) =>
    cause.startsWith('http')
      ? data.status >= 400
      : data.status === 0 && data.error !== undefined && !/time/i.test(data.error);
  // A read in flight when SIGTERM comes fails for its own reason: only what failed before counts.
  const failed = pod.samples.filter((s) => s.at[1] < S.at[0] && isFailure(s));
  const first = failed[0];
  demand(
    first !== undefined,
    `no read of ${pod.name}'s gauges by the harness failed (${cause}) before the signal`,
    'a probe that fails in the way that the decision names',
  );
  const good = pod.samples.filter((s) => s.data.status === 200 && s.at[1] <= first.at[1]).at(-1);
  const since = [good?.at[0] ?? -Infinity, first.at[1]] as const;
  const fromStart = since[1] <= D.at[0] + scale.toMs(c.settle);
  // The hook's next read: at once after 5 s where the listener failed from the start, else within one pause and a read.
  const high = fromStart
    ? upper(of, K.at, c.settle, r + p, S.at, rMost + p)
    : upper(
        of,
        [Math.max(since[0], K.at[0] + scale.toMs(c.settle)), Math.max(since[1], K.at[1] + scale.toMs(c.settle))],
        c.poll,
        2 * r + p,
        S.at,
        2 * rMost + p,
      );
  // Its last good read tells better than any probe: the next one is the failing one. A line that is missing makes the
  // pass narrower only.
  const read = pod.reads.filter((line) => line.status === 200 && line.at[0] <= S.at[1] && line.at[1] >= D.at[0]).at(-1);
  if (read && !fromStart) high.pass = upper(of, read.at, c.poll, 2 * r + p, S.at).pass;
  const settled = lower(of, D.at, c.settle);
  return compare(of, {
    formula: 'S in [failing, failing + r + p], failing >= D + 5, failing the first read after the listener fails',
    name: 'S',
    instant: S,
    // Between the last good probe and the first bad one the listener may have failed at any instant.
    low: { pass: Math.max(settled.pass, since[0]), fail: Math.max(settled.fail, since[0]) },
    high,
    also: [{ marks: [{ mark: first, what: `probe fails: ${first.data.error ?? first.data.status}` }] }, departure.work],
  });
}

/** DW-21 and DW-22: the replica is idle, but its gauges cannot be told: that counts as busy to the end. */
const untold =
  (what: string, isUntold: (sample: Sample) => boolean) =>
  (of: PodCase): Finding => {
    const departure = departureOf(of);
    const { pod, scale, facts } = of;
    const { D, K, S, G, p } = departure;
    const own = facts.requests.filter((q) => q.servers.includes(pod.uid) && (q.over?.[1] ?? Infinity) > D.at[0]);
    demand(own.length === 0, `${own.length} requests ran on ${pod.name} after its delete`, 'an idle replica');
    const seen = pod.samples.filter(
      (s) => s.at[1] <= Math.min(S.at[0], D.at[0] + scale.toMs(c.settle + 1)) && s.at[1] >= D.at[0] && isUntold(s),
    );
    const [first] = seen;
    demand(first !== undefined, `no read of ${pod.name}'s gauges ${what} between D and D + 6`, `a probe that ${what}`);
    const others = pod.samples.some((s) => s.at[0] > first.at[1] && s.at[1] < S.at[0] && !isUntold(s));
    demand(
      !others,
      `a later read of ${pod.name}'s gauges did not ${what.replace(/s\b/, '')}`,
      'a listener that stays as it is',
      [{ mark: first, what: `a read ${what}` }],
    );
    const seconds = scale.toSeconds(G);
    return compare(of, {
      formula: 'S in [D + G - 5, K + G - 3 + p]',
      name: 'S',
      instant: S,
      low: lower(of, D.at, seconds - c.exitReserve),
      high: upper(of, K.at, seconds - c.signalReserve, p, S.at),
      also: [{ marks: [{ mark: first, what: `a read ${what}` }] }],
    });
  };

export const hookReads: Record<string, Rule> = {
  'GS-DW-18': eachPod('S as the annotated listener tells', annotatedListener),
  'GS-DW-19': eachPod('a gauge alone above 0: S >= min(x, D + G - 5)', oneGauge),
  'GS-DW-20': eachPod('S in [failing, failing + r + p], failing >= D + 5', failedRead),
  'GS-DW-21': eachPod('S in [D + G - 5, K + G - 3 + p]', untold('times out', timedOut)),
  'GS-DW-22': eachPod(
    'S in [D + G - 5, K + G - 3 + p]',
    untold('is garbage', ({ data }) => data.status === 200 && Object.values(data.values).some((v) => v === null)),
  ),
  'GS-DW-30': eachPod('one busy series: S >= min(x, D + G - 5)', manySeries),
};
