import { appendFile } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { clockOrigin, now } from '../../time/clock.ts';
import { stampAt } from './stamps.ts';

export interface LogLine {
  /** Arrival, RFC 3339 with nine digits. */
  stamp: string;
  /** Arrival, milliseconds since 1970. */
  at: number;
  text: string;
  stream: 'stdout' | 'stderr';
  /** The program ended without a newline. */
  unfinished?: true;
}

export interface LogLimits {
  /** Bytes of lines kept in memory: the newest. */
  memory: number;
  /** Bytes written to the file: the first. */
  file: number;
}

/** A real kubelet rotates a container's log at 10 MiB. */
const LIMITS: LogLimits = { memory: 10 * 2 ** 20, file: 10 * 2 ** 20 };
/** An unfinished line is cut here, as the CRI does. */
const LONGEST_LINE = 16 * 1024;
/** What a line costs beside its text. */
const OVERHEAD = 100;
/** Milliseconds of the wall between two writes to the file. */
const FLUSH_MS = 50;

/** The log of one run of a container: lines with the time of their arrival, in memory and in a file, both bounded. */
export class LogBuffer {
  readonly #path: string | undefined;
  readonly #limits: LogLimits;
  readonly #followers = new Set<(lines: LogLine[]) => void>();
  readonly #enders = new Set<() => void>();
  readonly #partial = { stdout: '', stderr: '' };
  readonly #decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  #lines: LogLine[] = [];
  #first = 0;
  #bytes = 0;
  #written = 0;
  #pending: string[] = [];
  #flushing: Promise<void> | undefined;
  #ended = false;

  /** `path` is the file; without one the log is in memory alone. */
  constructor(path?: string, limits: LogLimits = LIMITS) {
    this.#path = path;
    this.#limits = limits;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Answers how many lines were completed. */
  push(stream: 'stdout' | 'stderr', chunk: Buffer): number {
    return this.#add(stream, this.#partial[stream] + this.#decoders[stream].write(chunk), false);
  }

  /** The container ended: an unfinished last line counts, followers end. */
  end(): void {
    if (this.#ended) return;
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#add(stream, this.#partial[stream] + this.#decoders[stream].end(), true);
    }
    this.#ended = true;
    for (const ender of this.#enders) ender();
    this.#followers.clear();
    this.#enders.clear();
  }

  lines(): LogLine[] {
    return this.#lines.slice(this.#first);
  }

  /** Hands over each later batch of lines until the log ends; answers how to stop. */
  follow(lines: (lines: LogLine[]) => void, end: () => void): () => void {
    if (this.#ended) {
      end();
      return () => {};
    }
    this.#followers.add(lines);
    this.#enders.add(end);
    return () => {
      this.#followers.delete(lines);
      this.#enders.delete(end);
    };
  }

  /** Settles when what was pushed so far is in the file. */
  async flushed(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  #add(stream: 'stdout' | 'stderr', text: string, last: boolean): number {
    const parts = text.split('\n');
    let rest = parts.pop() ?? '';
    while (rest.length > LONGEST_LINE) {
      parts.push(rest.slice(0, LONGEST_LINE));
      rest = rest.slice(LONGEST_LINE);
    }
    const unfinished = last && rest !== '';
    if (unfinished) parts.push(rest);
    this.#partial[stream] = last ? '' : rest;
    if (parts.length === 0) return 0;
    const at = now();
    const stamp = stampAt(at, 9);
    const wall = clockOrigin() + at;
    const lines = parts.map((part): LogLine => ({ stamp, at: wall, text: part, stream }));
    const end = lines.at(-1);
    if (unfinished && end) end.unfinished = true;
    for (const line of lines) {
      this.#bytes += line.text.length + OVERHEAD;
      this.#lines.push(line);
    }
    this.#trim();
    for (const follower of this.#followers) follower(lines);
    this.#write(lines);
    return lines.length;
  }

  #trim(): void {
    while (this.#bytes > this.#limits.memory && this.#first < this.#lines.length - 1) {
      this.#bytes -= (this.#lines[this.#first]?.text.length ?? 0) + OVERHEAD;
      this.#first += 1;
    }
    if (this.#first > 10_000 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  #write(lines: LogLine[]): void {
    if (!this.#path || this.#written >= this.#limits.file) return;
    for (const { stamp, stream, text } of lines) {
      const line = `${stamp} ${stream} F ${text}\n`;
      this.#written += line.length;
      this.#pending.push(line);
      if (this.#written >= this.#limits.file) {
        this.#pending.push(`${stamp} stderr F (log file is full: the newest lines are in memory alone)\n`);
        break;
      }
    }
    this.#flushing ??= this.#flush(this.#path).finally(() => (this.#flushing = undefined));
  }

  async #flush(path: string): Promise<void> {
    while (this.#pending.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
      const batch = this.#pending.join('');
      this.#pending = [];
      try {
        await appendFile(path, batch);
      } catch {
        this.#written = this.#limits.file; // disk full or folder gone: the memory is enough
        this.#pending = [];
      }
    }
  }
}
