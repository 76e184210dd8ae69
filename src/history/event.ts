import { z } from 'zod';

/** `[earliest, latest]` in milliseconds of the harness's monotonic clock. */
const instant = z.tuple([z.number(), z.number()]);

const kubeObject = z.looseObject({
  kind: z.string().optional(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), uid: z.string().optional() }),
});

/** How a request came to its end; exactly one for each request that was planned. */
export const endKinds = [
  'complete', // the protocol's own end: finish reason `stop` or `length`, `[DONE]`, terminator, every token once
  'abort', // finish reason `abort`
  'error-frame', // an SSE error event, whatever follows it (a router may still send `[DONE]`)
  'eof', // FIN without the protocol's end
  'reset', // RST or another socket error after the response began
  'silence', // no byte for the stated time, socket still open when the window ended
  'damaged', // protocol end seen, but tokens missing or repeated, or no finish reason
  'http-error', // a status of 400 or more
  'refused', // no connection, or reset before any header
  'client-left', // the client, as planned, hung up, read no more or closed its half: what then came is its own doing
  'closed-by-harness', // still flowing when the window ended and the harness hung up
  'never-sent', // planned, but the scenario ended first
] as const;
export type EndKind = (typeof endKinds)[number];

/** Ends of a request that was admitted and did not end as its protocol ends. */
export const cutKinds: readonly EndKind[] = ['abort', 'error-frame', 'eof', 'reset', 'silence', 'damaged'];

/** What each kind of event carries. The source of a kind is fixed: see {@link sourceOf}. */
export const eventData = {
  // watch
  'object.added': z.object({ object: kubeObject }),
  'object.modified': z.object({ object: kubeObject }),
  'object.deleted': z.object({ object: kubeObject }),
  'watch.opened': z.object({ path: z.string(), resourceVersion: z.string() }),
  'watch.gap': z.object({ path: z.string(), from: z.number(), to: z.number(), reason: z.string() }),
  'watch.relisted': z.object({ path: z.string(), reason: z.string(), missed: z.number() }),
  'watch.unparsable': z.object({ path: z.string(), line: z.string() }),
  // load
  'request.planned': z.object({
    id: z.string(),
    /** Name of the placed request or steady stream in the scenario. */
    group: z.string(),
    via: z.enum(['router', 'service', 'pod']),
    /** Name of the case whose Pod is addressed, for `via: pod`. */
    case: z.string().optional(),
    plannedAt: z.number(),
    tokens: z.number().int(),
    /** Documented seconds between two tokens. */
    tokenSeconds: z.number(),
  }),
  'request.sent': z.object({ id: z.string(), address: z.string(), delayMs: z.number() }),
  'request.headers': z.object({ id: z.string(), status: z.number() }),
  'request.chunk': z.object({ id: z.string(), tokens: z.number().int() }),
  'request.end': z.object({
    id: z.string(),
    end: z.enum(endKinds),
    finishReason: z.string().optional(),
    status: z.number().optional(),
    tokens: z.number().int(),
    /** When the last byte of the body came, on the harness's clock; absent where none came. */
    lastByteAt: z.number().optional(),
    missing: z.number().int(),
    repeated: z.number().int(),
    detail: z.string().optional(),
  }),
  // probe
  gauges: z.object({
    uid: z.string(),
    status: z.number(),
    durationMs: z.number(),
    /** Sum over all series of each expected gauge; null where it is absent or unparsable. */
    values: z.record(z.string(), z.number().nullable()),
    error: z.string().optional(),
  }),
  /** One read of a path such as `/health`; `status` 0: no answer. */
  'probe.http': z.object({
    uid: z.string(),
    path: z.string(),
    status: z.number(),
    durationMs: z.number(),
    body: z.string().optional(),
    error: z.string().optional(),
  }),
  // log
  'log.opened': z.object({ uid: z.string(), container: z.string() }),
  'log.line': z.object({
    uid: z.string(),
    container: z.string(),
    line: z.string(),
    /** The node's own stamp (RFC 3339), where it was asked for. */
    stamp: z.string().optional(),
  }),
  'log.closed': z.object({ uid: z.string(), container: z.string(), reason: z.string() }),
  // action
  'action.sent': z.object({ id: z.string(), verb: z.string(), target: z.string(), request: z.unknown().optional() }),
  'action.answered': z.object({
    id: z.string(),
    status: z.number(),
    reason: z.string().optional(),
    message: z.string().optional(),
    /** The object that the answer carried, where it matters (an admission answer, say). */
    object: z.unknown().optional(),
  }),
  'action.proved': z.object({ id: z.string(), proof: z.string() }),
  // clock
  'clock.offset': z.object({ node: z.string(), offset: instant }),
  stall: z.object({ scope: z.enum(['harness', 'cluster', 'machine']), from: z.number(), to: z.number() }),
  // harness
  phase: z.object({ name: z.string() }),
  'case.bound': z.object({ case: z.string(), role: z.string(), pod: z.string(), uid: z.string() }),
  precondition: z.object({ name: z.string(), met: z.boolean(), detail: z.string() }),
  /** The planned instant 0 of the scenario, to which every planned second refers. */
  zero: z.object({ plannedAt: z.number() }),
  'window.ended': z.object({ reason: z.string() }),
  cost: z.record(z.string(), z.number()),
  problem: z.object({ where: z.string(), message: z.string() }),
} as const;

export type EventKind = keyof typeof eventData;
export type EventData<K extends EventKind> = z.infer<(typeof eventData)[K]>;

export const sources = ['watch', 'load', 'probe', 'log', 'action', 'clock', 'harness'] as const;
export type Source = (typeof sources)[number];

const sourceByPrefix: Record<string, Source> = {
  object: 'watch',
  watch: 'watch',
  request: 'load',
  gauges: 'probe',
  probe: 'probe',
  log: 'log',
  action: 'action',
  clock: 'clock',
  stall: 'clock',
};

/** The source that events of this kind come from. */
export const sourceOf = (kind: EventKind): Source => sourceByPrefix[kind.split('.')[0] ?? ''] ?? 'harness';

/**
 * One line of a history. `subject` names what the event is about: `Pod/NAMESPACE/NAME`, `Node/NAME`, `request/ID`,
 * `action/ID`, or `harness`.
 */
export type HistoryEvent = {
  [K in EventKind]: {
    seq: number;
    at: readonly [number, number];
    source: Source;
    kind: K;
    subject: string;
    data: EventData<K>;
  };
}[EventKind];

export type EventOf<K extends EventKind> = Extract<HistoryEvent, { kind: K }>;

/** Takes events as they happen. The writer of a bundle is one; a test's array is another. */
export interface Recorder {
  record<K extends EventKind>(kind: K, at: readonly [number, number], subject: string, data: EventData<K>): void;
}
