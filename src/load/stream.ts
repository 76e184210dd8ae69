import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { now } from '../time/clock.ts';
import { Answer } from './answer.ts';
import type { Observed, WireEnd } from './outcome.ts';
import type { ClientTurn } from './plan.ts';

/** Where a request goes in the end. */
export interface Address {
  host: string;
  port: number;
  /** TLS without checking the certificate: what is tested is how the server leaves, not whom it names. */
  tls?: boolean;
  /** Model name; default: that of the whole load. */
  model?: string;
}

/** Loopback address that requests come from, so that an engine's access log tells them from the harness's probes. */
export const LOAD_ADDRESS = '127.0.0.10';

export interface StreamRequest {
  address: Address;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The number of tokens of a stream that claims its full length. */
  tokens: number;
  agent: http.Agent | false;
}

/** Times are milliseconds of the harness's clock. */
export interface StreamHandlers {
  /** The connection took the request; `handedOver` is when it was given to the socket layer. */
  sent(handedOver: number, connected: number): void;
  headers(status: number, at: number): void;
  /** Bytes came, and `tokens` are there so far. */
  bytes(tokens: number, at: number): void;
  ended(observed: Observed, at: number): void;
}

/** A request under way, over whatever protocol. */
export interface Exchange {
  /** When the last byte came, or else when it was handed over. */
  readonly lastHeard: number;
  readonly lastByteAt: number | undefined;
  /** Tokens that came so far. */
  readonly tokens: number;
  /** Hangs up, and ends as silence where `silent`, else as closed by the harness. */
  hangUp(silent: boolean, reason: string): void;
  /** Its client does this now. One that stops reading keeps its connection until it hangs up, and has ended for us. */
  turn(does: ClientTurn): void;
}

/** One streaming request over a connection of its own: tells all that is seen of it, and its end exactly once. */
export class Stream implements Exchange {
  lastHeard: number;
  lastByteAt: number | undefined;
  readonly #handlers: StreamHandlers;
  readonly #request: http.ClientRequest;
  readonly #asked: number;
  readonly #handedOver: number;
  #response: IncomingMessage | undefined;
  #answer: Answer | undefined;
  #finSeen = false;
  #error: Error | undefined;
  #sent = false;
  #over = false;
  #halfClosed = false;

  constructor(options: StreamRequest, handlers: StreamHandlers) {
    const { address, path, headers, body, agent } = options;
    this.#handlers = handlers;
    this.#asked = options.tokens;
    this.#handedOver = this.lastHeard = now();
    this.#request = (address.tls ? https : http).request({
      method: 'POST',
      host: address.host,
      port: address.port,
      path,
      agent,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      ...(address.host.startsWith('127.') ? { localAddress: LOAD_ADDRESS } : {}),
      ...(address.tls ? { rejectUnauthorized: false } : {}),
    });
    this.#request.on('socket', (socket) => this.#watch(socket));
    this.#request.on('error', (error) => {
      this.#error ??= error;
      if (!this.#response) this.#end(this.#finSeen ? { kind: 'fin' } : failed(error));
    });
    this.#request.on('response', (response) => this.#read(response));
    this.#request.end(body);
  }

  get tokens(): number {
    return this.#answer?.tokens.received ?? 0;
  }

  hangUp(silent: boolean, reason: string): void {
    this.#end({ kind: 'hung-up', silent, reason });
    this.#request.destroy();
  }

  turn(does: ClientTurn): void {
    if (this.#over) return;
    if (does === 'closes-its-half') {
      this.#halfClosed = true;
      this.#request.socket?.end();
      return;
    }
    this.#end({ kind: 'left', does });
    if (does === 'leaves') this.#request.destroy();
    else this.#pause();
  }

  #pause(): void {
    this.#response?.pause();
    this.#request.socket?.pause();
  }

  #watch(socket: Socket): void {
    const onEnd = () => (this.#finSeen = true);
    const onError = (error: Error) => (this.#error ??= error);
    socket.once('end', onEnd);
    socket.once('error', onError);
    this.#request.once('close', () => socket.off('end', onEnd).off('error', onError)); // a kept connection lives on
    if (socket.connecting) socket.once('connect', () => this.#markSent());
    else this.#markSent();
  }

  #markSent(): void {
    if (this.#sent) return;
    this.#sent = true;
    this.#handlers.sent(this.#handedOver, now());
  }

  #read(response: IncomingMessage): void {
    this.#response = response;
    if (this.#over) return this.#pause();
    const at = (this.lastHeard = now());
    this.#markSent();
    this.#handlers.headers(response.statusCode ?? 0, at);
    const answer = (this.#answer = new Answer(response.statusCode ?? 0, response.headers['content-type']));
    response.on('data', (part: Buffer) => {
      if (this.#over) return;
      const at = (this.lastHeard = this.lastByteAt = now());
      answer.push(part);
      this.#handlers.bytes(answer.tokens.received, at);
    });
    response.on('error', (error) => (this.#error ??= error));
    // `close` comes last in every case; `complete` says whether the body's own framing came to its end.
    response.on('end', () => response.complete && this.#end({ kind: 'terminated' }));
    response.on('close', () => this.#end(response.complete ? { kind: 'terminated' } : this.#broken()));
  }

  #broken(): WireEnd {
    const code = (this.#error as NodeJS.ErrnoException | undefined)?.code;
    // Node tells of a FIN in mid-body as ECONNRESET "aborted" too; the socket's own `end` tells the two apart. (libuv
    // reports a reset that comes together with unread bytes as an end: such a cut counts as `eof`.)
    if (this.#finSeen && !(code && code !== 'ECONNRESET')) return { kind: 'fin' };
    return failed(this.#error ?? new Error('connection closed'));
  }

  #end(wire: WireEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#markSent();
    const halfClosed = this.#halfClosed;
    this.#handlers.ended({ ...(this.#answer?.observed(this.#asked) ?? NO_ANSWER), wire, halfClosed }, now());
  }
}

const NO_ANSWER: Omit<Observed, 'wire'> = {
  bodyStart: '',
  finishReasons: new Set(),
  done: false,
  unparsable: 0,
  insideEvent: false,
  missing: 0,
  repeated: 0,
};

const failed = (error: Error): WireEnd => {
  const { code } = error as NodeJS.ErrnoException;
  return { kind: 'failed', error: code && !error.message.includes(code) ? `${code} ${error.message}` : error.message };
};
