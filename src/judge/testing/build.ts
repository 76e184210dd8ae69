import { sourceOf } from '../../history/event.ts';
import type { EventData, EventKind } from '../../history/event.ts';
import type { Decision, Manifest } from '../../history/manifest.ts';
import type { LinedEvent } from '../../history/reader.ts';
import { judge } from '../judge.ts';
import type { Finding, Verdict } from '../verdict.ts';
import type { Draw } from './draw.ts';
import { simManifest } from './manifest.ts';
import { wording } from './wording.ts';

/** The delete of the victim, on the clock of a history that is written by hand: seconds are milliseconds / 1000. */
const ZERO = 100;

export interface PodSpec {
  uid: string;
  role?: string;
  grace?: number;
  hook?: boolean;
  ip?: string;
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  /** What its `main` runs, default vLLM; `args` follow its own command. */
  engine?: Draw['engine'];
  args?: string[];
  env?: Record<string, string>;
  /** Its condition Ready; default true. */
  isReady?: boolean;
}

interface RequestMore {
  /** Last byte, and when the last token was due; both when it is over, if not told. */
  last?: number;
  due?: number;
  via?: 'router' | 'pod';
  repeated?: number;
}

/** Writes a history by hand, at time scale 1; every instant in seconds after the delete. */
export class Scribe {
  readonly events: LinedEvent[] = [];
  /** Of the manifest. */
  versions: Record<string, string> = {};
  readonly #engines = new Map<string, Draw['engine']>();
  #version = 0;

  put<K extends EventKind>(kind: K, at: number, subject: string, data: EventData<K>): this {
    const time = (ZERO + at) * 1000;
    const lag = ['watch', 'log'].includes(sourceOf(kind)) ? 20 : 0;
    const seq = this.events.length;
    this.events.push({
      seq,
      line: seq + 1,
      at: [time - lag, time],
      source: sourceOf(kind),
      kind,
      subject,
      data,
    } as unknown as LinedEvent);
    return this;
  }

  object(type: 'added' | 'modified' | 'deleted', at: number, subject: string, object: object): this {
    const [, namespace, name = ''] = subject.split('/');
    const { metadata, ...rest } = object as { metadata?: object };
    const whole = { metadata: { name, namespace, resourceVersion: String(++this.#version), ...metadata }, ...rest };
    return this.put(`object.${type}`, at, subject, { object: whole });
  }

  pod(
    type: 'added' | 'modified' | 'deleted',
    at: number,
    {
      uid,
      role = 'serve',
      grace = 30,
      hook = true,
      ip,
      annotations = {},
      labels = {},
      engine = 'vLLM',
      args = [],
      env = {},
      isReady = true,
    }: PodSpec,
    more: { metadata?: object; spec?: object; status?: object } = {},
  ): this {
    this.#engines.set(uid, engine);
    const main = {
      name: 'main',
      command: [...wording(engine).command, ...args],
      env: Object.entries(env).map(([name, value]) => ({ name, value })),
      ...(hook ? { lifecycle: { preStop: {} } } : {}),
    };
    return this.object(type, at, `Pod/n/${uid}`, {
      metadata: {
        uid,
        labels: { 'app.kubernetes.io/instance': 'chat', 'app.kubernetes.io/component': role, ...labels },
        annotations,
        ...more.metadata,
      },
      spec: {
        nodeName: 'node',
        terminationGracePeriodSeconds: grace,
        containers: [main],
        ...more.spec,
      },
      status: {
        phase: 'Running',
        startTime: 'x',
        ...(ip ? { podIP: ip } : {}),
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        ...more.status,
      },
    });
  }

  /** A Pod that is ready long before, and followed. */
  ready(spec: PodSpec): this {
    return this.pod('added', -20, spec).put('log.opened', -20, `Pod/n/${spec.uid}`, {
      uid: spec.uid,
      container: 'main',
    });
  }

  /** A departure: delete (ours, or somebody's), kill event, signal, end, removal. */
  leave(
    spec: PodSpec,
    {
      D = 0,
      S,
      E,
      code = 0,
      ours = true,
      gone,
    }: { D?: number; S?: number; E: number; code?: number; ours?: boolean; gone?: number },
  ): this {
    const { uid, grace = 30 } = spec;
    const deletion = { deletionTimestamp: 'x', deletionGracePeriodSeconds: grace };
    const ended = { containerStatuses: [{ name: 'main', state: { terminated: { exitCode: code } } }] };
    if (ours)
      this.put('action.sent', D, `action/${uid}`, { id: `delete-${uid}`, verb: 'delete', target: `Pod/n/${uid}` }).put(
        'action.answered',
        D,
        `action/${uid}`,
        { id: `delete-${uid}`, status: 200 },
      );
    this.pod('modified', D + 0.005, spec, { metadata: deletion });
    this.object('added', D + 0.02, `Event/n/${uid}`, {
      reason: 'Killing',
      message: 'Stopping container main',
      involvedObject: { uid, fieldPath: 'spec.containers{main}' },
    });
    if (S !== undefined) this.line(S, uid, this.#wording(uid).signal);
    this.pod('modified', E + 0.1, spec, { metadata: deletion, status: ended });
    const removal = gone ?? E + 0.5;
    return this.pod('deleted', removal, spec, {
      metadata: { ...deletion, deletionGracePeriodSeconds: 0 },
      status: ended,
    });
  }

  line(at: number, uid: string, line: string): this {
    return this.put('log.line', at, `Pod/n/${uid}`, { uid, container: 'main', line });
  }

  read = (at: number, uid: string): this =>
    this.line(at, uid, 'INFO:     127.0.0.1:4711 - "GET /metrics HTTP/1.1" 200 OK');

  request(
    id: string,
    uid: string,
    sent: number,
    over: number,
    end: EventData<'request.end'>['end'] = 'complete',
    { last = over, due = over, via = 'router', repeated = 0 }: RequestMore = {},
  ): this {
    const subject = `request/${id}`;
    const tokens = Math.max(1, Math.round((due - sent) / 0.25));
    const planned = { id, group: id, via, case: uid, plannedAt: 0, tokens, tokenSeconds: 0.25 };
    this.put('request.planned', sent, subject, planned);
    this.put('request.sent', sent, subject, { id, address: '127.16.0.1:8000', delayMs: 0 });
    this.line(sent + 0.01, uid, this.#wording(uid).received(id));
    return this.put('request.end', over, subject, {
      id,
      end,
      tokens,
      lastByteAt: (ZERO + last) * 1000,
      missing: 0,
      repeated,
    });
  }

  /** Gauges read every 0.1 s. */
  gauges(
    uid: string,
    from: number,
    to: number,
    running: number | null,
    waiting: number | null = 0,
    failing: { status: number; error?: string } = { status: 200 },
    more: Record<string, number> = {},
  ): this {
    const [first, second, ...rest] = this.#wording(uid).gauges as [string, string, ...string[]];
    for (let t = from; t < to; t += 0.1) {
      const all = { [first]: running, [second]: waiting, ...Object.fromEntries(rest.map((name) => [name, 0])) };
      const values: Record<string, number | null> = failing.status === 200 ? { ...all, ...more } : {};
      this.put('gauges', t, `Pod/n/${uid}`, { uid, durationMs: 5, values, ...failing });
    }
    return this;
  }

  #wording(uid: string) {
    return wording(this.#engines.get(uid) ?? 'vLLM');
  }

  bind(name: string, uid: string): this {
    return this.put('case.bound', -6, `Pod/n/${uid}`, { case: name, role: 'serve', pod: uid, uid });
  }

  end(at: number): this {
    return this.put('zero', -6, 'harness', { plannedAt: ZERO * 1000 }).put('window.ended', at, 'harness', {
      reason: 'over',
    });
  }

  action(
    id: string,
    at: number,
    verb: string,
    target: string,
    status: number,
    more: Partial<EventData<'action.answered'>> = {},
    request?: unknown,
  ): this {
    this.put('action.sent', at, `action/${id}`, { id, verb, target, ...(request === undefined ? {} : { request }) });
    return this.put('action.answered', at + 0.01, `action/${id}`, { id, status, ...more });
  }

  judge(decision: Omit<Decision, 'cases'> & { cases?: string[] }, cases: Manifest['scenario']['cases'] = {}): Verdict {
    const own = { victim: { deployment: 'chat', role: 'serve', index: 0 }, ...cases };
    const manifest = simManifest(1, [{ cases: ['victim'], ...decision }]);
    const scenario = { ...manifest.scenario, cases: own };
    const whole = { ...manifest, versions: { ...manifest.versions, ...this.versions }, scenario };
    return judge({ manifest: whole, events: this.events }, [])[0] as Verdict;
  }
}

/** The findings of a verdict, short, for the message of an assertion. */
export const findings = (verdict: Verdict): string =>
  verdict.findings.map((f: Finding) => `${f.outcome}: ${f.formula} | ${f.seen} | ${f.wouldDecide ?? ''}`).join('\n');
