import type { Seconds, TimeScale } from '../time/scale.ts';
import { seededRandom } from './random.ts';

/** Where a request goes: through the router of a deployment, through a role's Service, or straight to a case's Pod. */
export type Destination = { router: string } | { service: string; role: string } | { case: string };

/** What a client can do before its answer has ended: hang up, read no more, or close its half of the connection. */
export type ClientTurn = 'leaves' | 'stops-reading' | 'closes-its-half';

/** Requests sent at one planned instant, `copies` of them. Either `ends` or `tokens` says how long each is. */
export interface PlacedLoad {
  name: string;
  to: Destination;
  starts: Seconds;
  ends?: Seconds;
  tokens?: number;
  copies?: number;
  waitsForKv?: Seconds;
  /** Queue in which it waits for its KV, by the short name of an SGLang's queue; default: where such a request waits. */
  waitsIn?: string;
  tls?: boolean;
  /** A realtime session over a WebSocket, in place of a request. */
  session?: boolean;
  /** Default: that of the whole load. */
  model?: string;
  /** What its client does at an instant after its start. */
  client?: { does: ClientTurn; at: Seconds };
}

/** Requests that arrive at `rate` a documented second from `starts` (inclusive) to `ends` (exclusive). */
export interface SteadyArrivals {
  name: string;
  to: Destination;
  rate: number;
  arrivals: 'constant' | 'poisson';
  starts: Seconds;
  ends: Seconds;
  tokens: number;
}

/** One request of the plan. */
export interface PlannedRequest {
  /** Unique in the plan; sent as X-Request-Id. */
  id: string;
  /** Name of the load that it belongs to. */
  group: string;
  to: Destination;
  /** Documented seconds after the planned zero (negative: before it). */
  at: Seconds;
  tokens: number;
  tokenSeconds: Seconds;
  waitsForKv: Seconds;
  waitsIn?: string;
  tls: boolean;
  session?: boolean;
  model?: string;
  client?: { does: ClientTurn; at: Seconds };
}

export interface LoadToPlan {
  placed?: readonly PlacedLoad[] | undefined;
  steady?: readonly SteadyArrivals[] | undefined;
  /** Documented seconds between two tokens. Default {@link DEFAULT_TOKEN_SECONDS}. */
  tokenSeconds?: Seconds | undefined;
  /**
   * Documented seconds between two tokens of an engine that keeps its own pace: every request asks for as many tokens as it makes in
   * the time that the request is to last. Absent: engines keep `tokenSeconds`.
   */
  pace?: Seconds | undefined;
  seed: number;
  scale: TimeScale;
}

/** Fifty tokens a second of the wall at the default time scale, as in the measurement of what this driver holds. */
export const DEFAULT_TOKEN_SECONDS: Seconds = 0.1;

/** Copies follow each other by this many milliseconds of the wall: far enough for a router to see them in order. */
const COPY_GAP_MS = 10;

/** A load that cannot be planned, with the value seen. */
export class LoadPlanError extends Error {
  readonly code = 'QUIESCE_LOAD_PLAN';
  constructor(load: string, problem: string) {
    super(`load "${load}": ${problem}`);
    this.name = 'LoadPlanError';
  }
}

/**
 * The whole load, sorted by planned instant: it depends on nothing but its arguments, and is made before anything starts.
 * @throws LoadPlanError on a name used twice, or numbers that make no load
 */
export function planLoad(load: LoadToPlan): PlannedRequest[] {
  const { placed = [], steady = [], tokenSeconds = DEFAULT_TOKEN_SECONDS, seed, scale } = load;
  const names = new Set<string>();
  for (const { name } of [...placed, ...steady]) {
    // The name becomes part of a header and of log lines that are searched for it.
    if (!/^[A-Za-z0-9._-]+$/.test(name))
      throw new LoadPlanError(name, 'a name holds letters, digits, ".", "_" and "-"');
    if (names.has(name)) throw new LoadPlanError(name, 'the name is used twice');
    names.add(name);
  }
  positive('tokenSeconds', 'a token time', tokenSeconds);
  const planned = [
    ...placed.flatMap((one) => planPlaced(one, tokenSeconds, scale)),
    ...steady.flatMap((one) => planSteady(one, tokenSeconds, seed)),
  ];
  const requests = load.pace === undefined ? planned : planned.map(atPace(load.pace));
  return requests.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The same request, as long, of an engine with this pace. */
function atPace(pace: Seconds): (request: PlannedRequest) => PlannedRequest {
  positive('pace', 'a pace', pace);
  return (request) => ({
    ...request,
    tokens: Math.max(1, Math.round((request.tokens * request.tokenSeconds) / pace)),
    tokenSeconds: pace,
  });
}

function planPlaced(load: PlacedLoad, tokenSeconds: Seconds, scale: TimeScale): PlannedRequest[] {
  const { name, to, starts, ends, copies = 1, waitsForKv = 0, waitsIn, tls = false, session, model, client } = load;
  let { tokens } = load;
  finite(name, 'starts', starts);
  if (tokens === undefined) {
    if (ends === undefined) throw new LoadPlanError(name, 'needs either ends or tokens');
    finite(name, 'ends', ends);
    // The first token is due one token time after the start, or after the wait for the KV.
    tokens = Math.round((ends - starts - waitsForKv) / tokenSeconds);
  }
  whole(name, 'tokens', tokens);
  whole(name, 'copies', copies);
  if (client) finite(name, 'client.at', client.at);
  if (client && client.at <= starts)
    throw new LoadPlanError(name, `its client ${client.does} at ${client.at}: expected an instant after ${starts}`);
  const gap = scale.toSeconds(COPY_GAP_MS);
  return Array.from({ length: copies }, (_, i) => ({
    id: numbered(name, i, copies),
    group: name,
    to,
    at: starts + i * gap,
    tokens,
    tokenSeconds,
    waitsForKv,
    ...(waitsIn === undefined ? {} : { waitsIn }),
    tls,
    ...(session === undefined ? {} : { session }),
    ...(model === undefined ? {} : { model }),
    ...(client === undefined ? {} : { client }),
  }));
}

function planSteady(load: SteadyArrivals, tokenSeconds: Seconds, seed: number): PlannedRequest[] {
  const { name, to, rate, arrivals, starts, ends, tokens } = load;
  positive(name, 'rate', rate);
  finite(name, 'starts', starts);
  finite(name, 'ends', ends);
  whole(name, 'tokens', tokens);
  const random = seededRandom(seed, name);
  const instants: Seconds[] = [];
  if (arrivals === 'constant') {
    for (let i = 0; starts + i / rate < ends; i += 1) instants.push(starts + i / rate);
  } else {
    const gap = () => -Math.log(1 - random()) / rate;
    for (let at = starts + gap(); at < ends; at += gap()) instants.push(at);
  }
  return instants.map((at, i) => ({
    id: numbered(name, i, instants.length),
    group: name,
    to,
    at,
    tokens,
    tokenSeconds,
    waitsForKv: 0,
    tls: false,
  }));
}

/** `name-007`: as many digits as the last one needs, so that ids sort as they are sent. */
const numbered = (name: string, i: number, count: number) =>
  `${name}-${String(i + 1).padStart(String(count).length, '0')}`;

function finite(load: string, what: string, value: number): void {
  if (!Number.isFinite(value)) throw new LoadPlanError(load, `${what} is ${value}: expected a number of seconds`);
}

function positive(load: string, what: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) throw new LoadPlanError(load, `${what} is ${value}: expected more than 0`);
}

function whole(load: string, what: string, value: number): void {
  if (!Number.isInteger(value) || value < 1)
    throw new LoadPlanError(load, `${what} is ${value}: expected a whole number from 1`);
}
