import type { KubeObject } from '../../src/cluster/rest.ts';
import { Watch } from '../../src/cluster/watch.ts';
import { openWatchStream } from '../../src/cluster/watch-stream.ts';
import type {
  EventsStep,
  ExecStep,
  RequestStep,
  SpanStep,
  Step,
  UntilStep,
  WatchStep,
} from '../../suites/parity/experiment.ts';
import { ask, execRaw, parse } from './ask.ts';
import type { Lab } from './lab.ts';
import { matches, project } from './project.ts';
import { Trace, watchable } from './trace.ts';

/** Documented seconds that a wait takes at most, unless its step says otherwise. */
const AT_MOST = 25;

/** Milliseconds by which one watch may be behind another. */
const TRACE_MS = 400;

export type Entry = Record<string, unknown>;

/** Performs one step; answers what is to be compared, undefined where nothing is. @throws Error where it cannot be done */
export async function perform(lab: Lab, step: Step): Promise<Entry | undefined> {
  switch (step.do) {
    case 'request':
      return request(lab, step);
    case 'until':
      return until(lab, step);
    case 'trace': {
      const trace = new Trace(lab.cluster.client, lab.path(step.path), step.keep);
      lab.traces.set(step.label, trace);
      await trace.ready;
      return undefined;
    }
    case 'traced':
      // The trace is a stream of its own: what another one has brought arrives here within moments.
      await new Promise((resolve) => setTimeout(resolve, TRACE_MS));
      return { step: `states ${step.label}`, states: structuredClone(lab.traces.get(step.label)?.states) };
    case 'watch':
      return watch(lab, step);
    case 'exec':
      return exec(lab, step);
    case 'events':
      return events(lab, step);
    case 'elapsed':
      return {
        step: `seconds ${step.from} > ${step.to}`,
        seconds: round(lab.between(step.from, step.to)),
        within: step.within,
      };
    case 'span':
      return span(lab, step);
    case 'rest':
      // The one place where nothing can be waited for: that nothing happens.
      await new Promise((resolve) => setTimeout(resolve, lab.cluster.scale.toMs(step.seconds)));
      return undefined;
  }
}

const round = (seconds: number) => Math.round(seconds * 100) / 100;

async function request(lab: Lab, step: RequestStep): Promise<Entry | undefined> {
  const { method, type, accept, raw } = step;
  const body = lab.fill(step.late ? step.late(lab.recall) : step.body);
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const asked = await ask(lab.cluster.client, method, lab.path(step.path), { payload, type, accept });
  const label = step.label ?? `${method} ${step.path}`;
  lab.remember(label, asked.body);
  if (step.quiet && asked.status >= 400) {
    throw new Error(`${label}: ${asked.status} ${JSON.stringify(asked.body)}`);
  }
  return step.quiet ? undefined : { step: label, ...asked, body: shown(asked.body, step.keep) };
}

/** What is compared of a body: all but managed fields, which few experiments ask for by name. */
function shown(body: unknown, keep: readonly string[] | undefined): unknown {
  const refused = (body as { kind?: string } | undefined)?.kind === 'Status';
  const told = keep && !refused ? project(body, keep) : body;
  if (told === undefined || keep?.some((path) => path.includes('managedFields'))) return told;
  return JSON.parse(JSON.stringify(told), (key, value: unknown) => (key === 'managedFields' ? undefined : value));
}

async function until(lab: Lab, step: UntilStep): Promise<Entry | undefined> {
  const { match, atMost = AT_MOST } = step;
  const label = step.label ?? `until ${step.path}`;
  const path = lab.path(step.path);
  const wanted = match === 'gone' ? match : lab.fill(match);
  let last: KubeObject | undefined;
  const outcome = await new Promise<'met' | 'late'>((resolve) => {
    const end = (how: 'met' | 'late') =>
      // Not at once: the first event can come before the constructor has returned.
      setImmediate(() => {
        clearTimeout(timer);
        watching.stop();
        resolve(how);
      });
    const timer = setTimeout(end, lab.cluster.scale.toMs(atMost), 'late');
    const watching = new Watch(lab.cluster.client, watchable(path), {
      event: (type, object) => {
        if (type !== 'DELETED') last = object;
        if (wanted === 'gone' ? type === 'DELETED' : type !== 'DELETED' && matches(object, wanted)) end('met');
      },
      synced: () => {
        if (wanted === 'gone' && watching.objects.size === 0) end('met');
      },
    });
  });
  lab.remember(label, last ?? {});
  if (outcome === 'late') return { step: label, late: `not within ${atMost} s`, last: shown(last ?? null, step.keep) };
  return step.quiet || match === 'gone' ? undefined : { step: label, body: shown(last, step.keep) };
}

async function watch(lab: Lab, step: WatchStep): Promise<Entry> {
  const query = { watch: 'true', ...step.query, ...step.lateQuery?.(lab.recall) };
  const path = `${lab.path(step.path)}?${new URLSearchParams(lab.fill(query)).toString()}`;
  const lines: unknown[] = [];
  const end = await new Promise<string | number>((resolve) => {
    const finish = (how: string | number) =>
      setImmediate(() => {
        clearTimeout(timer);
        close();
        resolve(how);
      });
    const timer = setTimeout(finish, lab.cluster.scale.toMs(step.atMost ?? AT_MOST), 'late');
    const close = openWatchStream(lab.cluster.client, path, {
      opened: () => undefined,
      line: (line) => {
        if (lines.length < step.count) lines.push(parse(line));
        if (lines.length === step.count) finish('counted');
      },
      ended: ({ reason, status }) => finish(status ?? reason),
    });
  });
  const told = lines.map((line) => {
    const { type, object } = line as { type?: string; object?: unknown };
    // Not every answer to a watch is one.
    if (type === undefined || object === undefined) return shown(line, step.keep);
    return { type, object: shown(object, type === 'BOOKMARK' ? ['kind', 'metadata.annotations'] : step.keep) };
  });
  const label = step.label ?? `watch ${step.path}`;
  lab.remember(label, { lines });
  return { step: label, end, lines: told };
}

async function exec(lab: Lab, step: ExecStep): Promise<Entry | undefined> {
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true' });
  if (step.container) query.set('container', step.container);
  for (const word of step.command) query.append('command', lab.fill(word));
  const answer = await execRaw(lab.cluster.client, lab.path(`pods/${step.pod}/exec?${query.toString()}`));
  const label = step.label ?? `exec ${step.pod} ${step.command.join(' ')}`;
  lab.remember(label, answer);
  return step.quiet ? undefined : { step: label, ...answer };
}

interface Told extends KubeObject {
  type: string;
  reason: string;
  message: string;
  involvedObject: { kind: string; name: string; fieldPath?: string };
  source?: { component?: string };
  reportingComponent?: string;
}

async function events(lab: Lab, step: EventsStep): Promise<Entry> {
  const path = lab.path(`events?fieldSelector=involvedObject.name%3D${step.name}`);
  const seen = new Map<string, Told>();
  const have = (reason: string) => [...seen.values()].some((event) => event.reason === reason);
  const late = await new Promise<boolean>((resolve) => {
    const end = (how: boolean) =>
      setImmediate(() => {
        clearTimeout(timer);
        watching.stop();
        resolve(how);
      });
    const timer = setTimeout(end, lab.cluster.scale.toMs(step.atMost ?? AT_MOST), true);
    const check = () => {
      if (step.reasons.every(have)) end(false);
    };
    const watching = new Watch<Told>(lab.cluster.client, path, {
      event: (_type, event) => {
        seen.set(event.metadata.name, event);
        check();
      },
      synced: check,
    });
  });
  const told = [...seen.values()]
    .filter(({ reason }) => !step.only || step.only.includes(reason))
    .map(({ type, reason, message, involvedObject, source, reportingComponent }) => ({
      about: `${involvedObject.kind} ${involvedObject.fieldPath ?? ''}`.trim(),
      from: source?.component ?? reportingComponent ?? '',
      type,
      reason,
      message,
    }));
  // Their stamps are whole seconds, so their order says nothing.
  const sorted = told.map((event) => JSON.stringify(event)).sort();
  const list = [...new Set(sorted)].map((text) => JSON.parse(text) as unknown);
  return { step: `events ${step.name}`, ...(late ? { late: step.reasons.filter((r) => !have(r)) } : {}), list };
}

function span(lab: Lab, { of, from, to, within }: SpanStep): Entry {
  const answer: unknown = lab.recall(of);
  const at = (path: string): number => {
    let value: unknown = answer;
    for (const part of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
    return Date.parse(String(value)) / 1000;
  };
  return { step: `span ${from} > ${to}`, seconds: round(at(to) - at(from)), within };
}
