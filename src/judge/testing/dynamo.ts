import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { dynamoLines as lines } from '../../engines/dynamo/log.ts';
import type { EndKind } from '../../history/event.ts';
import { Scribe } from './build.ts';
import type { PodSpec } from './build.ts';

interface Ended {
  /** When its last token was due; default: when it is over. */
  due?: number;
  status?: number;
  tokens?: number;
}

/** When each step of a worker's way out is taken, in seconds after the delete; the default is the documented way. */
export interface Way {
  unregister?: number | undefined;
  runtime?: number;
  cleanup?: number;
  teardown?: number;
  E?: number;
  code?: number;
  env?: Record<string, string>;
  timedOut?: Record<string, unknown> | undefined;
  /** A signal of ours in place of a delete. */
  interrupted?: boolean;
  /** When somebody else removes its record, which is not made again. */
  taken?: number;
}

/** The component that leaves. */
const victim = (env: Record<string, string> = {}): PodSpec => ({
  uid: 'v',
  ip: '127.16.0.1',
  grace: 60,
  hook: false,
  env,
});

/** Writes the history of a Dynamo component's end by hand, at time scale 1. */
export class DynamoScribe extends Scribe {
  say = (at: number, uid: string, message: string, fields: Record<string, unknown> = {}): this =>
    this.line(at, uid, JSON.stringify({ time: 'x', level: 'INFO', target: 'log', message, ...fields }));

  #generation = 0;

  /** The record of a Pod, with its endpoint or without. */
  record(at: number, present: boolean, type: 'added' | 'modified' | 'deleted' = 'modified'): this {
    if (type !== 'deleted') this.#generation += 1;
    const endpoints = present ? { 'ns/backend/generate/7b': { endpoint: 'generate', instance_id: 123 } } : {};
    return this.object(type, at, `${dynamoFacts.record.kind}/n/v`, {
      metadata: { uid: 'record-v', generation: this.#generation, ownerReferences: [{ kind: 'Pod', uid: 'v' }] },
      spec: { data: { endpoints } },
    });
  }

  /** Reads of a path every 0.1 s. */
  path(path: string, from: number, to: number, status: number, body = ''): this {
    for (let t = from; t < to; t += 0.1) {
      const error = status === 0 ? { error: 'connect ECONNREFUSED' } : { body };
      this.put('probe.http', t, 'Pod/n/v', { uid: 'v', path, status, durationMs: 5, ...error });
    }
    return this;
  }

  ask(
    id: string,
    sent: number,
    over: number,
    end: EndKind = 'complete',
    { due = over, status, tokens }: Ended = {},
  ): this {
    const subject = `request/${id}`;
    const asked = Math.max(1, Math.round((due - sent) / 0.25));
    const planned = { id, group: id, via: 'service' as const, plannedAt: 0, tokens: asked, tokenSeconds: 0.25 };
    this.put('request.planned', sent, subject, planned);
    this.put('request.sent', sent, subject, { id, address: '127.16.9.9:8000', delayMs: 0 });
    const got = tokens ?? (end === 'complete' ? asked : 0);
    const last = got > 0 ? { lastByteAt: (100 + over) * 1000 } : {};
    const more = { ...last, ...(status === undefined ? {} : { status }) };
    return this.put('request.end', over, subject, { id, end, tokens: got, missing: 0, repeated: 0, ...more });
  }

  /** A frontend that stays, with its log. */
  frontend(uid: string, role = 'frontend'): this {
    const { graph, component, type } = dynamoFacts.labels;
    const labels = { [graph]: 'chat', [component]: role, [type]: 'frontend' };
    this.pod('added', -20, { uid, hook: false }, { metadata: { labels } });
    return this.put('log.opened', -20, `Pod/n/${uid}`, { uid, container: 'main' });
  }

  /** A worker that leaves, with its log and its record. */
  workerLeaves(way: Way = {}): this {
    const {
      runtime = 5.06,
      cleanup = 12.1,
      teardown = 12.08,
      E = 12.2,
      code = 0,
      env,
      timedOut,
      interrupted,
      taken,
    } = way;
    const unregister = 'unregister' in way || taken !== undefined ? way.unregister : 0.04;
    const spec = victim(env);
    this.ready(spec).bind('victim', 'v').record(-15, true, 'added');
    if (taken !== undefined) this.record(taken, true, 'deleted');
    this.say(0.03, 'v', lines.signal);
    if (unregister !== undefined) this.record(unregister, false);
    this.say(0.05, 'v', lines.unregistered).say(0.05, 'v', lines.grace(5));
    this.say(runtime, 'v', lines.initiating).say(runtime, 'v', lines.runtime);
    if (timedOut) this.say(teardown, 'v', lines.timedOut, timedOut);
    this.say(teardown, 'v', lines.teardown).say(cleanup, 'v', lines.cleanup);
    if (interrupted) return this.#interrupted(spec, E, code);
    this.leave(spec, { E, code });
    if (taken !== undefined) return this.end(E + 3);
    return this.record(E + 0.6, unregister === undefined, 'deleted').end(E + 3);
  }

  /** A worker that is killed by a signal of ours, and starts again. */
  workerKilled(): this {
    const spec = victim();
    return this.ready(spec).bind('victim', 'v').record(-15, true, 'added').#interrupted(spec, 0.1, 137);
  }

  /** A Pod to which something is done in its container, at 0. */
  dies(verb: 'signal' | 'kill-engine', main: object = {}): this {
    const containers = [{ name: 'main', command: ['python3', '-m', 'dynamo.vllm'], ...main }];
    this.#dying = { spec: victim(), more: { spec: { containers } } };
    this.pod('added', -20, this.#dying.spec, this.#dying.more).put('log.opened', -20, 'Pod/n/v', {
      uid: 'v',
      container: 'main',
    });
    return this.bind('victim', 'v').action(`${verb}-1-victim`, 0, verb, 'Pod/n/v', 200);
  }

  #dying: { spec: PodSpec; more: { spec: object } } = { spec: victim(), more: { spec: {} } };

  /** The end of its container, which runs again or not. */
  ends(E: number, code: number, again: boolean): this {
    const { spec, more } = this.#dying;
    const ended = { terminated: { exitCode: code } };
    const status = (restartCount: number, state: object, lastState: object = {}) => ({
      ...more,
      status: { containerStatuses: [{ name: 'main', restartCount, state, lastState }] },
    });
    this.pod('modified', E + 0.1, spec, status(0, ended));
    if (again) this.pod('modified', E + 0.3, spec, status(1, { running: {} }, ended));
    return this.end(E + 3);
  }

  /** A frontend that leaves, with its log. */
  frontendLeaves({
    stopping = 3.6,
    runtime = 0,
    code = 0,
    interrupted = false,
    timesOut = false,
  }: { stopping?: number; runtime?: number; code?: number; interrupted?: boolean; timesOut?: boolean } = {}): this {
    const spec = victim();
    this.ready(spec).bind('victim', 'v');
    this.say(0.04, 'v', lines.draining, { previous_stage: 'Ready' });
    if (timesOut) this.say(stopping, 'v', lines.httpTimedOut);
    this.say(stopping, 'v', lines.stopping).say(runtime || stopping, 'v', lines.runtime);
    if (interrupted) return this.#interrupted(spec, stopping + 0.3, code);
    return this.leave(spec, { E: stopping + 0.3, code }).end(stopping + 3.3);
  }

  /** Our own signal, and the container that starts again: its record too. */
  #interrupted(spec: PodSpec, E: number, code: number): this {
    this.action('signal-1-victim', 0, 'signal', 'Pod/n/v', 200);
    const lastState = { terminated: { exitCode: code } };
    const status = { containerStatuses: [{ name: 'main', restartCount: 1, state: { running: {} }, lastState }] };
    return this.pod('modified', E + 0.1, spec, { status })
      .record(E + 1, true)
      .end(E + 3);
  }
}
