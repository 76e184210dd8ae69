import { cutKinds, type EndKind } from '../history/event.ts';

/** How the connection of a request came to its end. */
export type WireEnd =
  | { kind: 'terminated' } // the body's own framing was complete
  | { kind: 'fin' } // the peer closed in the middle
  | { kind: 'left'; does: string } // by its client, which did that
  | { kind: 'failed'; error: string } // reset, or another socket or protocol error
  | { kind: 'hung-up'; silent: boolean; reason: string }; // by the harness; `silent`: no byte for the stated time

/** All that was seen of one request. */
export interface Observed {
  /** Absent where no header came. */
  status?: number;
  contentType?: string;
  /** Beginning of the body of an answer that is no event stream. */
  bodyStart: string;
  finishReasons: ReadonlySet<string>;
  done: boolean;
  /** Message of the first error frame. */
  errorFrame?: string;
  unparsable: number;
  insideEvent: boolean;
  missing: number;
  repeated: number;
  wire: WireEnd;
  /** Its client had closed its half of the connection by then. */
  halfClosed?: boolean;
}

export interface Outcome {
  end: EndKind;
  detail?: string;
}

/**
 * The one kind of end of a request. What the server said outweighs how the connection closed, and an error frame
 * outweighs all: a router was measured to send `[DONE]` and a proper terminator after one.
 */
export function outcomeOf(seen: Observed): Outcome {
  const outcome = ofServer(seen);
  // A server may take the half for the whole: what it left undone then is the client's doing.
  if (!seen.halfClosed || !cutKinds.includes(outcome.end)) return outcome;
  return told('client-left', `had closed its half; then ${outcome.end} ${outcome.detail ?? ''}`);
}

function ofServer(seen: Observed): Outcome {
  const { status, wire } = seen;
  if (status === undefined) return withoutHeaders(wire);
  if (status !== UPGRADED && (status < 200 || status > 299)) return told('http-error', `${status} ${seen.bodyStart}`);
  if (seen.errorFrame !== undefined)
    return told('error-frame', `${seen.errorFrame}${seen.done ? ' (then [DONE])' : ''}`);
  if (seen.finishReasons.has('abort')) return told('abort', seen.done ? '' : `no [DONE]; ${words(wire)}`);
  if (wire.kind === 'terminated') return protocolEnd(seen);
  const where = `${words(wire)}${seen.done ? ' after [DONE]' : ''}${seen.insideEvent ? ' inside an event' : ''}`;
  if (wire.kind === 'left') return told('client-left', where);
  if (wire.kind === 'fin') return told('eof', where);
  if (wire.kind === 'failed') return told('reset', where);
  return told(wire.silent ? 'silence' : 'closed-by-harness', where);
}

/** Status of a WebSocket that was accepted; its events are no event stream, and are checked as they come. */
const UPGRADED = 101;

function withoutHeaders(wire: WireEnd): Outcome {
  if (wire.kind === 'hung-up') return told(wire.silent ? 'silence' : 'closed-by-harness', `no headers; ${wire.reason}`);
  if (wire.kind === 'left') return told('client-left', `no headers; ${words(wire)}`);
  return told('refused', words(wire));
}

/** The terminator came: complete only with `[DONE]`, every token once and a finish reason that ends a stream. */
function protocolEnd(seen: Observed): Outcome {
  if (seen.status !== UPGRADED && !isEventStream(seen.contentType)) {
    return told('damaged', `content type ${seen.contentType ?? '(none)'} is no event stream: ${seen.bodyStart}`);
  }
  if (!seen.done) return told('eof', 'terminator without [DONE]');
  const flaws = [
    ...(seen.finishReasons.size === 0 ? ['no finish reason'] : []),
    ...[...seen.finishReasons]
      .filter((reason) => !['stop', 'length'].includes(reason))
      .map((r) => `finish reason ${r}`),
    ...(seen.missing > 0 ? [`${seen.missing} tokens missing`] : []),
    ...(seen.repeated > 0 ? [`${seen.repeated} tokens repeated`] : []),
    ...(seen.unparsable > 0 ? [`${seen.unparsable} events unparsable`] : []),
    ...(seen.insideEvent ? ['half an event at the end'] : []),
  ];
  return flaws.length > 0 ? told('damaged', flaws.join(', ')) : { end: 'complete' };
}

export const isEventStream = (contentType: string | undefined): boolean =>
  /^text\/event-stream\b/i.test(contentType ?? '');

function words(wire: WireEnd): string {
  switch (wire.kind) {
    case 'terminated':
      return 'terminated';
    case 'fin':
      return 'closed without terminator';
    case 'left':
      return `the client ${wire.does}`;
    case 'failed':
      return wire.error;
    case 'hung-up':
      return wire.reason;
  }
}

const told = (end: EndKind, detail: string): Outcome => (detail.trim() ? { end, detail: detail.trim() } : { end });
