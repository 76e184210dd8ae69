import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { now } from '../time/clock.ts';
import type { WireEnd } from './outcome.ts';
import type { ClientTurn } from './plan.ts';
import { LOAD_ADDRESS, type Address, type Exchange, type StreamHandlers } from './stream.ts';
import { TokenAccount } from './tokens.ts';

/** Path of realtime sessions. */
const PATH = '/v1/realtime';

/** Close code of a session that came to its end. */
const NORMAL = 1000;

export interface SessionRequest {
  address: Address;
  headers: Record<string, string>;
  /** The client's events, all sent once the session is open. */
  events: readonly string[];
  /** The number of tokens of a session that claims its full length. */
  tokens: number;
}

/** What is read of a server's event. */
interface ServerEvent {
  type?: string;
  delta?: string;
  error?: { message?: string };
}

/**
 * One realtime session: it asks for one response over a WebSocket, takes its events, and closes once that is done. It tells what
 * it sees as a stream does, and its end exactly once.
 */
export class Session implements Exchange {
  lastHeard: number;
  lastByteAt: number | undefined;
  readonly #handlers: StreamHandlers;
  readonly #socket: WebSocket;
  readonly #asked: number;
  readonly #handedOver: number;
  readonly #account = new TokenAccount();
  #status: number | undefined;
  #done = false;
  #errorFrame: string | undefined;
  #error: Error | undefined;
  #sent = false;
  #over = false;
  #bodyStart = '';
  #connection: Socket | undefined;
  #halfClosed = false;

  constructor({ address, headers, events, tokens }: SessionRequest, handlers: StreamHandlers) {
    this.#handlers = handlers;
    this.#asked = tokens;
    this.#handedOver = this.lastHeard = now();
    const { host, port, tls } = address;
    this.#socket = new WebSocket(`${tls ? 'wss' : 'ws'}://${host}:${port}${PATH}`, {
      headers,
      perMessageDeflate: false,
      rejectUnauthorized: false,
      ...(host.startsWith('127.') ? { localAddress: LOAD_ADDRESS } : {}),
    });
    const socket = this.#socket;
    socket.on('upgrade', (response) => {
      this.#connection = response.socket;
      this.#answered(101);
    });
    socket.on('open', () => events.forEach((event) => socket.send(event)));
    socket.on('message', (data: Buffer) => this.#event(data.toString()));
    socket.on('unexpected-response', (_request, response) => {
      this.#answered(response.statusCode ?? 0);
      response.on('data', (part: Buffer) => (this.#bodyStart = (this.#bodyStart + part.toString()).slice(0, 300)));
      response.on('close', () => this.#end({ kind: 'terminated' }));
    });
    socket.on('error', (error) => (this.#error ??= error));
    // 1006: the connection ended without a close frame.
    socket.on('close', (code) => this.#end(this.#closed(code)));
  }

  get tokens(): number {
    return this.#account.received;
  }

  hangUp(silent: boolean, reason: string): void {
    this.#end({ kind: 'hung-up', silent, reason });
    this.#socket.terminate();
  }

  turn(does: ClientTurn): void {
    if (this.#over) return;
    if (does === 'closes-its-half') {
      this.#halfClosed = true;
      this.#connection?.end();
      return;
    }
    this.#end({ kind: 'left', does });
    if (does === 'leaves') this.#socket.terminate();
    else this.#connection?.pause();
  }

  #answered(status: number): void {
    this.#status = status;
    this.lastHeard = now();
    this.#markSent();
    this.#handlers.headers(status, this.lastHeard);
  }

  #markSent(): void {
    if (this.#sent) return;
    this.#sent = true;
    this.#handlers.sent(this.#handedOver, now());
  }

  #event(text: string): void {
    if (this.#over) return;
    const at = (this.lastHeard = this.lastByteAt = now());
    const { type = '', delta, error } = JSON.parse(text) as ServerEvent;
    if (type === 'error') this.#errorFrame ??= error?.message ?? text;
    if (delta !== undefined) this.#account.add(delta);
    if (type === 'response.done') this.#done = true;
    this.#handlers.bytes(this.tokens, at);
    if (!this.#done) return;
    // Over the half that is closed no close frame goes out any more.
    if (this.#halfClosed) this.#end({ kind: 'terminated' });
    this.#socket.close(NORMAL);
  }

  #closed(code: number): WireEnd {
    if (code !== 1006) return { kind: 'terminated' };
    if (this.#error) return { kind: 'failed', error: this.#error.message };
    return { kind: 'fin' };
  }

  #end(wire: WireEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#markSent();
    const status = this.#status;
    const observed = {
      ...(status === undefined ? {} : { status }),
      bodyStart: this.#bodyStart,
      finishReasons: new Set(this.#done ? ['length'] : []),
      done: this.#done,
      ...(this.#errorFrame === undefined ? {} : { errorFrame: this.#errorFrame }),
      unparsable: 0,
      insideEvent: false,
      missing: this.#account.missing(this.#done ? this.#asked : undefined),
      repeated: this.#account.repeated,
      wire,
      halfClosed: this.#halfClosed,
    };
    this.#handlers.ended(observed, now());
  }
}
