import { now } from '../time/clock.ts';
import type { KubeClient } from './rest.ts';

/** How a watch connection ended. */
export interface StreamEnd {
  reason: string;
  /** Status of the answer, where it was no stream. */
  status?: number;
  /** The server closed it in order: all that it had sent was heard. */
  clean: boolean;
}

export interface StreamHandlers {
  opened(at: number): void;
  line(line: string, at: number): void;
  /** Called once; never after `close`. */
  ended(end: StreamEnd, at: number): void;
}

/** Milliseconds after which the kernel begins to ask a silent peer whether it is still there. */
const KEEP_ALIVE_MS = 5000;

/** Milliseconds that a server may take to answer a watch with headers. */
const ANSWER_MS = 10_000;

/** One connection of a watch: whole lines with their arrival, and its end. Answers the function that closes it. */
export function openWatchStream(client: KubeClient, path: string, handlers: StreamHandlers): () => void {
  // A connection of its own: requests that wait for each other must not delay what is heard.
  const request = client.open('GET', path, {}, false);
  let over = false;
  let fin = false;
  let rest = '';
  const end = (reason: string, more: Partial<StreamEnd> = {}) => {
    if (over) return;
    over = true;
    clearTimeout(patience);
    request.destroy();
    handlers.ended({ reason: rest ? `${reason} inside a line` : reason, clean: fin, ...more }, now());
  };
  const patience = setTimeout(() => end(`no answer within ${ANSWER_MS} ms`), ANSWER_MS);
  patience.unref();
  request.on('socket', (socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once('end', () => (fin = true));
  });
  request.on('error', (error) => end(error.message));
  request.on('response', (response) => {
    clearTimeout(patience);
    const status = response.statusCode ?? 0;
    if (status !== 200) {
      response.resume();
      end(`status ${status}`, { status });
      return;
    }
    if (!over) handlers.opened(now());
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      const at = now();
      const lines = part.split('\n');
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() && !over) handlers.line(line, at);
    });
    response.on('error', (error) => end(fin ? 'closed without terminator' : error.message));
    response.on('close', () => end('closed', { clean: response.complete || fin }));
  });
  request.end();
  return () => {
    over = true;
    clearTimeout(patience);
    request.destroy();
  };
}
