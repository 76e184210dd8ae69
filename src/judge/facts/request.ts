import { tolerances } from '../../requirements/tolerances.ts';
import { before } from '../../time/interval.ts';
import type { Interval } from '../../time/interval.ts';
import type { TimeScale } from '../../time/scale.ts';
import { cutKinds, type EndKind } from '../../history/event.ts';
import type { CollectedRequest } from './collected.ts';
import type { PodFacts } from './pod.ts';
import type { Widener } from './widen.ts';

/** What is known of one request. */
export interface RequestFacts extends CollectedRequest {
  /** UIDs of the Pods whose engine logged it, or to whose address it was sent. */
  servers: string[];
  direct: boolean;
  kind: EndKind | undefined;
  cut: boolean;
  /** The engine took it: it logged it, or answered with a stream. */
  admitted: boolean;
  /** When its last byte left the engine; where it was cut without one, when the client saw the end. */
  last: Interval | undefined;
  /** When it was over for the client: for a silent stream its last byte, else the end. */
  over: Interval | undefined;
  /** Milliseconds between two of its tokens. */
  tokenMs: number;
  /** When its last token was due, on the harness's clock; undefined where it was never sent. */
  due: number | undefined;
}

export function describeRequest(
  request: CollectedRequest,
  pods: readonly PodFacts[],
  bound: ReadonlyMap<string, string>,
  widener: Widener,
  scale: TimeScale,
): RequestFacts {
  const { id, planned, sent, headers, lastChunk, end, received } = request;
  const direct = planned?.via === 'pod';
  const boundUid = direct && planned.case !== undefined ? bound.get(planned.case) : undefined;
  const addressed = direct ? (boundUid ?? podAt(pods, sent?.address)?.uid) : undefined;
  const tokenMs = scale.toMs(planned?.tokenSeconds ?? 0);
  const last = end?.data.lastByteAt === undefined ? undefined : widener.arrived(end.data.lastByteAt);
  const kind = end?.data.end;
  // Field by field: a history has as many requests as anything, and copying one at a time is what they cost most.
  return {
    id,
    planned,
    sent,
    headers,
    lastChunk,
    end,
    received,
    servers: serversOf(received, addressed),
    direct,
    kind,
    cut: kind !== undefined && cutKinds.includes(kind),
    admitted: received.length > 0 || (end?.data.tokens ?? lastChunk?.tokens ?? 0) > 0,
    last: last ?? end?.at,
    over: kind === 'silence' || kind === 'complete' ? (last ?? end?.at) : end?.at,
    tokenMs,
    due: sent && planned ? sent.at[0] + planned.tokens * tokenMs : undefined,
  };
}

/** The Pod to whose address a request was sent. */
function podAt(pods: readonly PodFacts[], address: string | undefined): PodFacts | undefined {
  const host = address?.replace(/^\w+:\/\//, '').replace(/[:/].*$/, '');
  return pods.find((p) => p.ip === host);
}

/** Documented seconds to which both a cut and the signal must be known for the one to be the other's doing. */
const CUT_WIDTH_S = 0.8;

/** How a request stood on an instant such as a signal. */
export type Standing = 'ended-before' | 'running' | 'unclear' | 'not-begun';

/**
 * How a request stood at `S`. A cut is the work of the signal itself, so one that overlaps it was running; a stream
 * that is silent since a few tokens before the signal was running too, since engines send nothing between tokens.
 */
export function standingAt(request: RequestFacts, S: Interval, scale: TimeScale): Standing {
  // Without its `sent` the engine's own line tells that it had begun.
  const begun = request.sent?.at[0] ?? request.received[0]?.at[0];
  if (begun === undefined || begun > S[1]) return begun === undefined && request.admitted ? 'unclear' : 'not-begun';
  if (!request.over || !request.kind) {
    const { lastChunk } = request;
    return lastChunk && lastChunk.at[0] > S[1] ? 'running' : 'unclear';
  }
  if (request.kind === 'closed-by-harness') return request.over[1] >= S[0] ? 'running' : 'unclear';
  const order = before(request.over, S);
  if (order === 'no') return 'running';
  // After a loss of another cause a hook takes a second at least: known that well, only the signal can have cut it.
  const width = Math.max(S[1] - S[0], request.over[1] - request.over[0]);
  const sharp = width <= scale.toMs(CUT_WIDTH_S);
  if (order === 'undecided') return request.cut && sharp ? 'running' : 'unclear';
  if (request.kind !== 'silence') return 'ended-before';
  const quiet = S[0] - request.over[1];
  if (quiet <= request.tokenMs * 2 + scale.toMs(1)) return 'running';
  return quiet > request.tokenMs * 3 + scale.toMs(tolerances.silent.value) ? 'ended-before' : 'unclear';
}

/** Every Pod that took the request or was addressed, each once; one is by far the most frequent. */
function serversOf(received: CollectedRequest['received'], addressed: string | undefined): string[] {
  const [first] = received;
  if (received.length <= 1 && (addressed === undefined || !first || first.uid === addressed)) {
    const only = first?.uid ?? addressed;
    return only === undefined ? [] : [only];
  }
  const servers = new Set(received.map((r) => r.uid));
  if (addressed !== undefined) servers.add(addressed);
  return [...servers];
}
