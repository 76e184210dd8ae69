import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

/** What a SPDY connection tells its owner. */
export interface SpdyHandlers {
  /** The client opened a stream with these headers. */
  opened(id: number, headers: Map<string, string>): void;
  data(id: number, part: Buffer): void;
  /** The client will send no more on a stream. */
  finished(id: number): void;
}

const type = { synStream: 1, synReply: 2, ping: 6 } as const;
const FIN = 1;
/** Start of a zlib stream that uses no dictionary. */
const ZLIB_HEADER = Buffer.from([0x78, 0x01]);
const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff]);
/** Largest frame that is taken, in bytes. */
const FRAME_LIMIT = 8 * 1024 * 1024;

/**
 * The server's half of a SPDY/3.1 connection, as far as kubectl before 1.30 needs it for `exec`: streams that the client
 * opens, data both ways, pings. Its headers are sent uncompressed, inside a zlib stream of stored blocks.
 */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #handlers: SpdyHandlers;
  #pending: Buffer;
  /** All compressed headers so far: one zlib stream over the whole connection. */
  #compressed = Buffer.alloc(0);
  #inflated = 0;
  #replied = false;

  constructor(socket: Duplex, head: Buffer, handlers: SpdyHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#pending = Buffer.from(head);
    socket.on('data', (part: Buffer) => this.#receive(part));
    if (head.length > 0) this.#receive(Buffer.alloc(0));
  }

  /** Sends data on a stream; `last` ends it. `sent` is called when the data is out. */
  send(id: number, data: Buffer, last = false, sent?: () => void): void {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(id);
    head.writeUInt32BE(data.length, 4);
    head.writeUInt8(last ? FIN : 0, 4);
    if (this.#socket.writable) this.#socket.write(Buffer.concat([head, data]), sent);
  }

  #receive(part: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, part]);
    while (this.#pending.length >= 8) {
      const length = this.#pending.readUInt32BE(4) & 0xffffff;
      if (length > FRAME_LIMIT) {
        this.#socket.destroy();
        return;
      }
      if (this.#pending.length < 8 + length) return;
      const frame = this.#pending.subarray(0, 8 + length);
      this.#pending = this.#pending.subarray(8 + length);
      try {
        this.#frame(frame);
      } catch {
        this.#socket.destroy();
        return;
      }
    }
  }

  #frame(frame: Buffer): void {
    const first = frame.readUInt32BE(0);
    const payload = frame.subarray(8);
    const fin = (frame.readUInt8(4) & FIN) !== 0;
    if (first < 0x80000000) {
      if (payload.length > 0) this.#handlers.data(first, payload);
      if (fin) this.#handlers.finished(first);
      return;
    }
    const kind = first & 0xffff;
    if (kind === type.ping) this.#socket.write(frame);
    if (kind !== type.synStream) return;
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = this.#headers(payload.subarray(10));
    this.#reply(id);
    this.#handlers.opened(id, headers);
    if (fin) this.#handlers.finished(id);
  }

  /** Names and values of a compressed block of headers; names in lower case. */
  #headers(block: Buffer): Map<string, string> {
    this.#compressed = Buffer.concat([this.#compressed, block]);
    const options = { dictionary: spdyDictionary, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: FRAME_LIMIT };
    const all = inflateSync(this.#compressed, options);
    const text = all.subarray(this.#inflated);
    this.#inflated = all.length;
    let at = 4;
    const next = () => {
      const length = text.readUInt32BE(at);
      const value = text.toString('utf8', at + 4, at + 4 + length);
      at += 4 + length;
      return value;
    };
    const count = text.readUInt32BE(0);
    return new Map(Array.from({ length: Math.min(count, 100) }, () => [next().toLowerCase(), next()] as const));
  }

  /** Accepts a stream, with no headers. */
  #reply(id: number): void {
    const none = Buffer.alloc(4);
    // An empty block after it flushes: without one, the reader waits for more.
    const stored = Buffer.concat([Buffer.from([0, none.length, 0, 0xff - none.length, 0xff]), none, EMPTY_BLOCK]);
    const block = this.#replied ? stored : Buffer.concat([ZLIB_HEADER, stored]);
    this.#replied = true;
    const head = Buffer.alloc(12);
    head.writeUInt32BE(0x80030000 + type.synReply);
    head.writeUInt32BE(4 + block.length, 4);
    head.writeUInt32BE(id, 8);
    this.#socket.write(Buffer.concat([head, block]));
  }
}
