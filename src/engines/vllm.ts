import { gauges } from '../requirements/drain-window.ts';

/**
 * What is known of vLLM's server, 0.32 where versions differ: how it is called, what it logs and which gauges tell that
 * it works. Wording and label order were measured on a real 0.32.0.
 */
export const vllm = {
  defaultPort: 8000,
  defaultMaxNumSeqs: 256,
  /** Either one makes the listener HTTPS. */
  tlsFlags: ['--ssl-keyfile', '--ssl-certfile'],
  /** What a drain hook sums. */
  gauges: gauges.vllm,
  /** A sibling of the waiting gauge that shares its prefix: whoever matches prefixes counts it twice. */
  siblingGauge: 'vllm:num_requests_waiting_by_reason',
  finishReasons: ['abort', 'error', 'length', 'repetition', 'stop'],
  /** Logged by the signal handler itself, before anything is stopped: the instant at which the signal arrived. */
  signalledMark: '[shutdown] API server: shutdown triggered',
} as const;

/** What one line of a vLLM server's log says, as far as anybody here asks. */
export type VllmLine =
  /** SIGTERM or SIGINT arrived. */
  | { mark: 'signalled' }
  /** A request entered the engine; `request` is the client's X-Request-Id where it sent one. Needs `--enable-log-requests`. */
  | { mark: 'received'; request: string }
  /** uvicorn's access log: written when the response begins, so a stream has its line at its first byte. */
  | { mark: 'access'; client: string; port: number; method: string; path: string; status: number };

// vLLM prefixes each line with the process that wrote it, `(APIServer pid=7) `; uvicorn colours it on a terminal.
// eslint-disable-next-line no-control-regex -- ANSI colours begin with ESC
const colours = /\x1b\[[0-9;]*m/g;
const access =
  /^(?:\([A-Za-z_]\w* pid=\d+\) )?INFO: +(\[[0-9a-f:]+\]|[0-9a-f.:]+):(\d+) - "([A-Z]+) (\S+) HTTP\/[\d.]+" (\d{3})\b/;
const received = /\bReceived request cmpl-(\S+?)(?:-\d+)?: /;
const receivedChat = /\bReceived request chatcmpl-(\S+): /;

/** Reads one line of a vLLM server's log; undefined where it says nothing of the above. */
export function parseVllmLine(line: string): VllmLine | undefined {
  const text = line.includes('\x1b') ? line.replace(colours, '') : line;
  const seen = access.exec(text);
  if (seen) {
    const [, client = '', port, method = '', path = '', status] = seen;
    return { mark: 'access', client, port: Number(port), method, path, status: Number(status) };
  }
  if (text.includes(vllm.signalledMark)) return { mark: 'signalled' };
  // A completion's id ends in the index of its prompt, `-0`; a chat's does not.
  const request = (receivedChat.exec(text) ?? received.exec(text))?.[1];
  return request === undefined ? undefined : { mark: 'received', request };
}

/** Whether a command line makes vLLM listen with TLS. */
export const servesTls = (argv: readonly string[]): boolean =>
  vllm.tlsFlags.some((name) => argv.some((word) => word === name || word.startsWith(`${name}=`)));
