import type { EventData, EventKind, HistoryEvent } from '../../history/event.ts';
import { sourceOf } from '../../history/event.ts';
import type { LinedEvent } from '../../history/reader.ts';
import { STARTED_AT } from './manifest.ts';
import { randomOf } from './random.ts';
import { wording } from './wording.ts';
import type { Truth, TrueRequest } from './draw.ts';

/** The delete, on the history's clock. */
export const DELETED_AT = 100_000;

type Object_ = EventData<'object.added'>['object'];

/** The history that the harness would have recorded of a departure. */
export function historyOf(truth: Truth): LinedEvent[] {
  const { draw, scale } = truth;
  const random = randomOf(draw.seed ^ 0x5bd1e995);
  const ms = (seconds: number) => scale.toMs(seconds);
  const at = (t: number) => DELETED_AT + t;
  const raw: { time: number; at: [number, number]; kind: EventKind; subject: string; data: unknown }[] = [];
  const put = <K extends EventKind>(kind: K, time: number, subject: string, data: EventData<K>, exact = false) => {
    const arrival = exact ? time : time + 0.3 + random() * 14;
    const lag = exact || kind.startsWith('request') ? 0 : 20;
    raw.push({ time, at: [at(arrival - lag), at(arrival)], kind, subject, data });
  };

  const { command, gauges, read, signal, received } = wording(draw.engine);
  // Objects: versions follow the true order of the writes.
  const writes: {
    time: number;
    type: 'added' | 'modified' | 'deleted';
    subject: string;
    object: (version: string) => Object_;
  }[] = [];
  const pod =
    (name: string, uid: string, ip: string, hook: boolean, more: object = {}, status: object = {}) =>
    (resourceVersion: string): Object_ => ({
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'n',
        uid,
        resourceVersion,
        labels: {
          'app.kubernetes.io/instance': 'chat',
          'app.kubernetes.io/component': uid === 'w' ? 'other' : 'serve',
        },
        ...more,
      },
      spec: {
        nodeName: 'node',
        terminationGracePeriodSeconds: draw.grace,
        containers: [{ name: 'main', command, ...(hook ? { lifecycle: { preStop: {} } } : {}) }],
      },
      status: {
        phase: 'Running',
        podIP: ip,
        startTime: 'x',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'main', restartCount: 0, state: { running: {} } }],
        ...status,
      },
    });
  const hook = draw.fault !== 'hook-missing';
  const unready = { conditions: [{ type: 'Ready', status: 'False' }] };
  const victim = (more: object = {}, status: object = {}) => pod('victim', 'v', '127.16.0.1', hook, more, status);
  const write = (
    time: number,
    type: 'added' | 'modified' | 'deleted',
    subject: string,
    object: (v: string) => Object_,
  ) => writes.push({ time, type, subject, object });
  const deletion = { deletionTimestamp: '2026-11-30T08:02:00Z', deletionGracePeriodSeconds: draw.grace };
  const ended = {
    phase: truth.exitCode === 0 ? 'Succeeded' : 'Failed',
    ...unready,
    containerStatuses: [
      { name: 'main', restartCount: 0, state: { terminated: { exitCode: truth.exitCode, finishedAt: 'x' } } },
    ],
  };
  write(-ms(20), 'added', 'Pod/n/victim', victim({}, unready));
  write(-ms(10), 'modified', 'Pod/n/victim', victim());
  write(-ms(20), 'added', 'Pod/n/survivor', pod('survivor', 's', '127.16.0.2', hook, {}, unready));
  write(-ms(10), 'modified', 'Pod/n/survivor', pod('survivor', 's', '127.16.0.2', hook));
  write(0.5, 'modified', 'Pod/n/victim', victim(deletion));
  const status = truth.E + 5 + random() * 250;
  write(status, 'modified', 'Pod/n/victim', victim(deletion, ended));
  const gone = status + 200 + random() * 600;
  write(gone, 'modified', 'Pod/n/victim', victim({ ...deletion, deletionGracePeriodSeconds: 0 }, ended));
  write(gone + 1, 'deleted', 'Pod/n/victim', victim({ ...deletion, deletionGracePeriodSeconds: 0 }, ended));
  const waiting =
    (nodeName: string | undefined, touched: boolean) =>
    (resourceVersion: string): Object_ => ({
      kind: 'Pod',
      metadata: { name: 'waiting', namespace: 'n', uid: 'w', resourceVersion },
      spec: { ...(nodeName ? { nodeName } : {}), containers: [{ name: 'main' }] },
      status: { phase: 'Pending', ...(touched ? { startTime: 'x' } : {}) },
    });
  const bound = (truth.bound === truth.E ? status : truth.bound) + 1 + random() * 5;
  write(-ms(2), 'added', 'Pod/n/waiting', waiting(undefined, false));
  write(bound, 'modified', 'Pod/n/waiting', waiting('node', false));
  write(bound + 5 + random() * 30, 'modified', 'Pod/n/waiting', waiting('node', true));
  if (draw.killingEvent) {
    write(truth.K + 1, 'added', 'Event/n/killing', (resourceVersion) => ({
      kind: 'Event',
      metadata: { name: 'killing', namespace: 'n', uid: 'e', resourceVersion },
      reason: 'Killing',
      message: 'Stopping container main',
      involvedObject: { kind: 'Pod', uid: 'v', name: 'victim', fieldPath: 'spec.containers{main}' },
    }));
  }
  writes
    .sort((a, b) => a.time - b.time)
    .forEach((w, i) => put(`object.${w.type}`, w.time, w.subject, { object: w.object(String(1000 + i)) }));

  put('zero', -ms(6), 'harness', { plannedAt: DELETED_AT }, true);
  put('case.bound', -ms(6), 'Pod/n/victim', { case: 'victim', role: 'serve', pod: 'victim', uid: 'v' }, true);
  put('action.sent', 0, 'action/delete-1', { id: 'delete-1', verb: 'delete', target: 'Pod/n/victim' }, true);
  put('action.answered', 3, 'action/delete-1', { id: 'delete-1', status: 200 }, true);
  put('window.ended', gone + ms(4), 'harness', { reason: 'over' }, true);
  for (const uid of ['v', 's']) put('log.opened', -ms(8), `Pod/n/${uid}`, { uid, container: 'main' }, true);
  const line = (time: number, uid: string, text: string) => {
    // The node stamps a line a little after it was written; half of the histories have stamps.
    const stamp = new Date(Date.parse(STARTED_AT) + DELETED_AT + time + random() * 8).toISOString();
    const stamped = draw.seed % 2 === 0 ? { stamp } : {};
    put('log.line', time, `Pod/n/${uid}`, { uid, container: 'main', line: text, ...stamped });
  };
  truth.reads.forEach(({ end }, i) => line(end, 'v', read(4000 + i)));
  if (truth.S !== undefined) line(truth.S, 'v', signal);
  if (draw.kubeletLog)
    kubeletLines(truth).forEach(([time, text]) =>
      put('log.line', gone + ms(1), 'Node/node', { uid: 'node', container: 'kubelet', line: klog(time, text) }),
    );
  for (const request of truth.requests) putRequest(request);
  const closed = draw.engine === 'vLLM' ? Math.min(truth.S ?? truth.E, truth.E) : truth.E;
  for (let t = -ms(4); t < truth.E + 100; t += 100) {
    const durationMs = 2 + random() * draw.readMs;
    const running = truth.requests.filter(
      (q) => q.server === 'victim' && q.sent < t && t < (q.freed ?? q.last) + draw.lagMs,
    ).length;
    const answers = t < closed || (draw.ignoresSigterm && t < truth.E);
    const arrival = t + durationMs + random() * 10;
    raw.push({
      time: t,
      at: [at(t), at(arrival)],
      kind: 'gauges',
      subject: 'Pod/n/victim',
      data: answers
        ? {
            uid: 'v',
            status: 200,
            durationMs: arrival - t,
            values: Object.fromEntries(gauges.map((name, i) => [name, i === 0 ? running : 0])),
          }
        : { uid: 'v', status: 0, durationMs: arrival - t, values: {}, error: 'ECONNREFUSED' },
    });
  }
  return raw
    .sort((a, b) => a.at[1] - b.at[1])
    .map(
      ({ kind, subject, data, at: seen }, seq) =>
        ({ seq, at: seen, source: sourceOf(kind), kind, subject, data, line: seq + 1 }) as unknown as HistoryEvent & {
          line: number;
        },
    );

  function putRequest(q: TrueRequest): void {
    const subject = `request/${q.id}`;
    const { id, group, via, tokens, tokenSeconds } = q;
    put(
      'request.planned',
      q.sent - 1,
      subject,
      { id, group, via, ...(via === 'pod' ? { case: 'victim' } : {}), plannedAt: at(q.sent), tokens, tokenSeconds },
      true,
    );
    put(
      'request.sent',
      q.sent,
      subject,
      { id, address: via === 'pod' ? '127.16.0.1:8000' : '127.16.0.9:8081', delayMs: 0 },
      true,
    );
    if (q.server !== 'nobody') line(q.sent + 1, q.server === 'victim' ? 'v' : 's', received(id));
    if (q.movedTo) line((truth.S ?? 0) + 15, 's', received(id));
    const arrival = q.over + 0.3 + random() * 10;
    const lastByteAt = at(Math.min(q.last + 0.2 + random() * 10, arrival));
    put(
      'request.end',
      arrival,
      subject,
      {
        id,
        end: q.end,
        tokens: q.tokensSeen,
        missing: 0,
        repeated: q.movedTo ? q.tokensSeen : 0,
        ...(q.end === 'refused' ? {} : { lastByteAt }),
      },
      true,
    );
  }
}

function kubeletLines(truth: Truth): [number, string][] {
  const lines: [number, string][] = [];
  if (truth.hookStart !== undefined) lines.push([truth.hookStart, '"Running preStop hook"']);
  if (truth.alive !== undefined) lines.push([truth.alive, '"PreStop hook process alive"']);
  if (truth.hookEnd !== undefined && truth.hookEnd < truth.E) lines.push([truth.hookEnd, '"PreStop hook completed"']);
  if (truth.S !== undefined) lines.push([truth.S - 0.5, '"Sending signal" signal="SIGTERM"']);
  return lines;
}

function klog(time: number, text: string): string {
  const stamp = new Date(Date.parse(STARTED_AT) + DELETED_AT + time).toISOString();
  const [, month, day, clock] = /^\d+-(\d+)-(\d+)T(.*)Z$/.exec(stamp) ?? [];
  return `I${month}${day} ${clock}000    7 kuberuntime_container.go:1] ${text} pod="n/victim" containerName="main"`;
}
