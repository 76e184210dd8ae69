import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';

/** Writes lines in vLLM's and uvicorn's own wording. */
export class Log {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** A line of vLLM's own logger. */
  info(file: string, message: string): void {
    const now = new Date();
    const two = (n: number) => String(n).padStart(2, '0');
    const day = `${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
    this.#write(`INFO ${day} ${time} [${file}] ${message}`);
  }

  /** A line of uvicorn's. */
  uvicorn(message: string): void {
    this.#write(`INFO:     ${message}`);
  }

  /** uvicorn's access log: written when the response begins. */
  access(request: IncomingMessage, status: number): void {
    const { remoteAddress = '', remotePort = 0 } = request.socket;
    const what = `"${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}"`;
    this.uvicorn(`${remoteAddress}:${remotePort} - ${what} ${status} ${STATUS_CODES[status] ?? ''}`);
  }
}
