import { patchTypes } from '../../src/cluster/rest.ts';
import type {
  Body,
  ElapsedStep,
  EventsStep,
  ExecStep,
  Experiment,
  LateBody,
  Match,
  RequestStep,
  RestStep,
  SpanStep,
  Step,
  TracedStep,
  TraceStep,
  UntilStep,
  WatchStep,
} from './experiment.ts';

type More = Partial<Omit<RequestStep, 'do' | 'method' | 'path' | 'body'>>;

export const request = (method: string, path: string, body?: Body, more: More = {}): RequestStep => ({
  do: 'request',
  method,
  path,
  ...(body === undefined ? {} : { body }),
  ...more,
});

export const get = (path: string, ...keep: string[]): RequestStep =>
  request('GET', path, undefined, keep.length > 0 ? { keep } : {});
export const post = (path: string, body: Body, ...keep: string[]): RequestStep =>
  request('POST', path, body, keep.length > 0 ? { keep } : {});
export const put = (path: string, body: Body, ...keep: string[]): RequestStep =>
  request('PUT', path, body, keep.length > 0 ? { keep } : {});
export const remove = (path: string, body?: Body, ...keep: string[]): RequestStep =>
  request('DELETE', path, body, keep.length > 0 ? { keep } : {});

const types = { ...patchTypes, apply: 'application/apply-patch+yaml' };

export const patch = (path: string, type: keyof typeof types, body: Body, ...keep: string[]): RequestStep =>
  request('PATCH', path, body, { type: types[type], ...(keep.length > 0 ? { keep } : {}) });

/** Makes what the experiment needs; not compared, and must succeed. */
export const given = (path: string, body: Body, more: More = {}): RequestStep =>
  request('POST', path, body, { quiet: true, ...more });

/** A request whose body needs an earlier answer. */
export const late = (step: RequestStep, body: LateBody): RequestStep => ({ ...step, late: body });

export const named = <S extends Step>(label: string, step: S): S => ({ ...step, label });
export const quiet = <S extends RequestStep | UntilStep | ExecStep>(step: S): S => ({ ...step, quiet: true });

export const until = (path: string, match: Match, ...keep: string[]): UntilStep => ({
  do: 'until',
  path,
  match,
  ...(keep.length > 0 ? { keep } : { quiet: true }),
});
export const gone = (path: string, atMost?: number): UntilStep => ({ do: 'until', path, match: 'gone', atMost });
export const within = <S extends UntilStep | WatchStep | EventsStep>(atMost: number, step: S): S => ({
  ...step,
  atMost,
});

export const trace = (label: string, path: string, ...keep: string[]): TraceStep => ({
  do: 'trace',
  label,
  path,
  keep,
});
export const traced = (label: string): TracedStep => ({ do: 'traced', label });
export const watch = (path: string, query: Record<string, string>, count: number, ...keep: string[]): WatchStep => ({
  do: 'watch',
  path,
  query,
  count,
  ...(keep.length > 0 ? { keep } : {}),
});
export const exec = (pod: string, ...command: string[]): ExecStep => ({ do: 'exec', pod, command });
export const events = (name: string, ...reasons: string[]): EventsStep => ({ do: 'events', name, reasons });
/** As {@link events}, other reasons left out. */
export const eventsOnly = (name: string, ...reasons: string[]): EventsStep => ({
  ...events(name, ...reasons),
  only: reasons,
});
export const elapsed = (from: string, to: string, tolerance: number): ElapsedStep => ({
  do: 'elapsed',
  from,
  to,
  within: tolerance,
});
export const span = (of: string, from: string, to: string, tolerance = 1): SpanStep => ({
  do: 'span',
  of,
  from,
  to,
  within: tolerance,
});
export const rest = (seconds: number): RestStep => ({ do: 'rest', seconds });

export const experiment = (id: string, ...steps: Step[]): Experiment => ({ id, steps });
/** An experiment that looks at the whole cluster, or makes something outside its namespace that others would meet. */
export const alone = (it: Experiment, ...makes: string[]): Experiment => ({ ...it, alone: true, makes });
export const making = (it: Experiment, ...makes: string[]): Experiment => ({ ...it, makes });
