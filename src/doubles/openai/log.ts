import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';

/** Writes lines in uvicorn's wording; what an engine puts before each of them is its own. */
export class Log {
  readonly write: (line: string) => void;
  readonly #prefix: () => string;

  constructor(write: (line: string) => void, prefix: () => string = () => '') {
    this.write = write;
    this.#prefix = prefix;
  }

  uvicorn(message: string): void {
    this.write(`${this.#prefix()}INFO:     ${message}`);
  }

  /** uvicorn's access log: written when the response begins. */
  access(request: IncomingMessage, status: number): void {
    const { remoteAddress = '', remotePort = 0 } = request.socket;
    const what = `"${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}"`;
    this.uvicorn(`${remoteAddress}:${remotePort} - ${what} ${status} ${STATUS_CODES[status] ?? ''}`);
  }

  started(): void {
    this.uvicorn(`Started server process [${process.pid}]`);
    this.uvicorn('Waiting for application startup.');
    this.uvicorn('Application startup complete.');
  }
}

const two = (n: number) => String(n).padStart(2, '0');

/** The present local time in the parts of a log stamp. */
export function stamp(): { year: number; day: string; time: string } {
  const now = new Date();
  return {
    year: now.getFullYear(),
    day: `${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    time: `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`,
  };
}
