import type { LinedEvent } from '../../history/reader.ts';
import { DELETED_AT } from './history.ts';
import { STARTED_AT } from './manifest.ts';
import { randomOf } from './random.ts';
import type { Truth } from './draw.ts';

/** What can happen to a history between the truth and the judge. */
export const disturbances = ['none', 'shuffled', 'duplicated', 'missing', 'stall', 'gap', 'log-gap', 'all'] as const;
export type Disturbance = (typeof disturbances)[number];

const STAMP_ZERO = Date.parse(STARTED_AT);

type Loose = {
  seq: number;
  at: [number, number];
  source: string;
  kind: string;
  subject: string;
  data: Record<string, unknown>;
};

/** Instants at which a stall or a gap hurts most. */
const decisive = (truth: Truth): number[] =>
  [0, truth.K, truth.S ?? 0, truth.E, truth.x, truth.hookEnd ?? 0].filter((t) => Number.isFinite(t));

/** The history as it would have been recorded under a disturbance; the truth is the same. */
export function disturb(events: readonly LinedEvent[], truth: Truth, how: Disturbance, seed: number): LinedEvent[] {
  const random = randomOf(seed);
  let list = [...events] as unknown as Loose[];
  const instants = decisive(truth);
  const around = () => DELETED_AT + (instants[Math.floor(random() * instants.length)] ?? 0);
  if (how === 'stall' || how === 'all') list = stall(list, around(), random);
  if (how === 'gap' || how === 'all') list = gap(list, around(), random);
  if (how === 'log-gap' || how === 'all') list = logGap(list, around(), random);
  if (how === 'missing' || how === 'all') {
    const share = 0.02 + random() * 0.15;
    const kubelet = random() < 0.5;
    // The kubelet's log is fetched whole: it is there or it is not. Gaps and stalls are known to who records them.
    const lost = (e: Loose) => {
      if (['stall', 'watch.gap', 'log.opened', 'log.closed'].includes(e.kind)) return false;
      return e.data['container'] === 'kubelet' ? kubelet : random() < share;
    };
    list = list.filter((e) => !lost(e));
  }
  if (how === 'duplicated' || how === 'all')
    list = list.flatMap((e) => (random() < 0.2 ? [e, ...again(e, random)] : [e]));
  if (how === 'shuffled' || how === 'all') {
    list = list
      .map((e) => ({ e, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ e }) => e);
  }
  return list.map((e, i) => ({ ...e, line: i + 1 })) as unknown as LinedEvent[];
}

/** The same line twice, or the same object once more, later. */
function again(e: Loose, random: () => number): Loose[] {
  if (e.source !== 'watch' || random() < 0.5) return [e];
  const later = e.at[1] + random() * 300;
  return [{ ...e, seq: e.seq + 1_000_000, at: [later - 20, later] }];
}

const isArrival = (e: Loose) =>
  e.source === 'watch' ||
  e.kind === 'log.line' ||
  e.kind === 'gauges' ||
  e.kind === 'request.end' ||
  e.kind === 'request.chunk';

/** Nothing is seen for some time; what arrived in it is seen at its end. */
function stall(list: Loose[], centre: number, random: () => number): Loose[] {
  const from = centre - random() * 800;
  const to = from + 30 + random() * 1500;
  const scope = ['harness', 'cluster', 'machine'][Math.floor(random() * 3)] ?? 'machine';
  const moved = list.map((e): Loose => {
    if (!isArrival(e) || e.at[1] < from || e.at[1] > to) return e;
    const arrival = to + random() * 5;
    const at: [number, number] = [e.kind === 'request.end' ? arrival : arrival - 20, arrival];
    const last = e.data['lastByteAt'];
    let data = typeof last === 'number' && last >= from ? { ...e.data, lastByteAt: Math.max(last, to) } : e.data;
    const stamped = typeof e.data['stamp'] === 'string' && scope !== 'harness';
    if (stamped) data = { ...data, stamp: new Date(STAMP_ZERO + arrival).toISOString() };
    const late =
      e.kind === 'gauges' ? { ...data, durationMs: (data['durationMs'] as number) + arrival - e.at[1] } : data;
    return { ...e, at, data: late };
  });
  // A read of the socket that came before the stall is stamped then; only the event about the end is late.
  return [
    ...moved,
    {
      seq: 2_000_000,
      at: [from, to],
      source: 'clock',
      kind: 'stall',
      subject: 'harness',
      data: { scope, from, to },
    },
  ];
}

/** The watch of Pods hears nothing for some time; then a list shows each object as it is by then. */
function gap(list: Loose[], centre: number, random: () => number): Loose[] {
  const from = centre - random() * 600;
  const to = from + 50 + random() * 2000;
  const hidden = list.filter(
    (e) => e.subject.startsWith('Pod/') && e.source === 'watch' && e.at[1] >= from && e.at[1] <= to,
  );
  const newest = new Map(hidden.map((e) => [e.subject, e]));
  const kept = list.filter((e) => !hidden.includes(e));
  const shown = [...newest.values()].map((e): Loose => {
    const arrival = to + random() * 15;
    return { ...e, at: [arrival - 20, arrival] };
  });
  const data = { path: '/api/v1/namespaces/n/pods', from, to, reason: 'closed' };
  return [
    ...kept,
    ...shown,
    { seq: 2_000_001, at: [from, to], source: 'watch', kind: 'watch.gap', subject: 'harness', data },
  ];
}

/** The log of the victim is lost for some time; its lines come together once it is followed again. */
function logGap(list: Loose[], centre: number, random: () => number): Loose[] {
  const from = centre - random() * 600;
  const to = from + 50 + random() * 1500;
  const delayed = list.map((e): Loose => {
    if (e.kind !== 'log.line' || e.data['uid'] !== 'v' || e.at[1] < from || e.at[1] > to) return e;
    const arrival = to + random() * 15;
    return { ...e, at: [arrival - 20, arrival] };
  });
  const event = (kind: string, time: number, seq: number, data: object): Loose => ({
    seq,
    at: [time, time],
    source: 'log',
    kind,
    subject: 'Pod/n/victim',
    data: { uid: 'v', container: 'main', ...data },
  });
  return [
    ...delayed,
    event('log.closed', from, 2_000_002, { reason: 'reset' }),
    event('log.opened', to, 2_000_003, {}),
  ];
}
