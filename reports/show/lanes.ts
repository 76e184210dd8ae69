import type { EndKind, HistoryEvent } from '../../src/history/event.ts';
import { parseEngineLine } from '../../src/engines/log.ts';

/** One horizontal line of the picture: what lived from when to when, and what happened to it. */
export interface Lane {
  name: string;
  from: number;
  to: number;
  /** Instants (history milliseconds) and the sign that stands for each. */
  marks: { at: number; sign: string }[];
  /** Fill of the lane while it lives. */
  fill: string;
}

/** Key of the signs in a picture. */
export const key =
  '─ Pod   ═ stream   R ready   D delete seen   K kubelet begins to stop it   r gauge read   S SIGTERM   E ended   X cut   < left by its client   . complete';

const SIGNS: Partial<Record<EndKind, string>> = { complete: '.', 'client-left': '<' };

/** Lanes of Pods and of placed or cut requests, in the order in which they began. */
export function lanesOf(events: readonly HistoryEvent[]): Lane[] {
  const pods = new Map<string, Lane>();
  const requests = new Map<string, Lane & { group: string }>();
  const nameToUid = new Map<string, string>();
  const last = events.reduce((most, e) => Math.max(most, e.at[1]), 0);
  for (const event of events) {
    const at = event.at[1];
    if (event.kind.startsWith('object.') && event.subject.startsWith('Pod/'))
      podEvent(event as never, at, pods, nameToUid, last);
    else if (event.kind === 'object.added' && event.subject.startsWith('Event/')) {
      const { reason, involvedObject } = event.data.object as { reason?: string; involvedObject?: { name?: string } };
      const lane = pods.get(nameToUid.get(involvedObject?.name ?? '') ?? '');
      if (reason === 'Killing') lane?.marks.push({ at, sign: 'K' });
    } else if (event.kind === 'log.line') logLine(event.data, at, pods);
    else if (event.kind === 'request.sent') {
      requests.set(event.data.id, { name: event.data.id, group: '', from: at, to: last, marks: [], fill: '═' });
    } else if (event.kind === 'request.end') {
      const lane = requests.get(event.data.id);
      if (!lane) continue;
      lane.to = event.data.lastByteAt ?? at;
      lane.marks.push({ at: lane.to, sign: SIGNS[event.data.end] ?? 'X' });
    }
  }
  const long = [...requests.values()].filter(
    (lane) => lane.marks.some((m) => m.sign === 'X') || lane.to - lane.from > 600,
  );
  return [...[...pods.values()].sort((a, b) => a.from - b.from), ...long.sort((a, b) => a.from - b.from)];
}

interface PodEvent {
  kind: string;
  data: {
    object: {
      metadata: { name: string; uid?: string; deletionTimestamp?: string };
      status?: { conditions?: { type: string; status: string }[]; phase?: string };
    };
  };
}

function podEvent(event: PodEvent, at: number, pods: Map<string, Lane>, nameToUid: Map<string, string>, last: number) {
  const { metadata, status } = event.data.object;
  const uid = metadata.uid ?? metadata.name;
  nameToUid.set(metadata.name, uid);
  const lane = pods.get(uid) ?? { name: metadata.name, from: at, to: last, marks: [], fill: '─' };
  pods.set(uid, lane);
  const once = (sign: string) => {
    if (!lane.marks.some((m) => m.sign === sign)) lane.marks.push({ at, sign });
  };
  if (status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True')) once('R');
  if (metadata.deletionTimestamp) once('D');
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') once('E');
  if (event.kind === 'object.deleted') lane.to = at;
}

function logLine(data: { uid: string; line: string }, at: number, pods: Map<string, Lane>) {
  const lane = pods.get(data.uid);
  const mark = parseEngineLine(data.line);
  if (!lane || !mark) return;
  if (mark.mark === 'signalled') lane.marks.push({ at, sign: 'S' });
  if (
    mark.mark === 'access' &&
    mark.path === '/metrics' &&
    !mark.client.startsWith('127.0.0.9') &&
    !mark.client.startsWith('127.0.0.8')
  ) {
    lane.marks.push({ at, sign: 'r' });
  }
}
