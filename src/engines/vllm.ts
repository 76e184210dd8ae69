import { gauges } from '../requirements/drain-window.ts';
import type { Seconds } from '../time/scale.ts';

/**
 * What is known of vLLM's server, 0.32 where versions differ: how it is called, what it logs and which gauges tell that
 * it works. Wording and label order were measured on a real 0.32.0.
 */
export const vllm = {
  name: 'vLLM',
  defaultPort: 8000,
  defaultMaxNumSeqs: 256,
  /** What makes it log which requests it received, by their ids. */
  logRequests: ['--enable-log-requests'],
  /** What a drain hook sums. */
  gauges: gauges.vllm,
  /** A sibling of the waiting gauge that shares its prefix: whoever matches prefixes counts it twice. */
  siblingGauge: 'vllm:num_requests_waiting_by_reason',
  finishReasons: ['abort', 'error', 'length', 'repetition', 'stop'],
  /** Logged by the signal handler itself, before anything is stopped: the instant at which the signal arrived. */
  signalledMark: '[shutdown] API server: shutdown triggered',
  /** Any of them makes a replica an independent data-parallel rank behind somebody's balancing. */
  balanceFlags: [
    '--data-parallel-external-lb',
    '--data-parallel-hybrid-lb',
    '--data-parallel-rank',
    '--data-parallel-multi-port-external-lb',
  ],
  /** Split roles have this flag, as JSON with `kv_role`. */
  kvTransferFlag: '--kv-transfer-config',
  /** An idle server leaves this long after its signal; measured 0.4 to 1.5 s. */
  exitSeconds: 2 as Seconds,
} as const;

// A completion's id ends in the index of its prompt, `-0`; a chat's does not.
const received = /\bReceived request cmpl-(\S+?)(?:-\d+)?: /;
const receivedChat = /\bReceived request chatcmpl-(\S+): /;

/** The client's X-Request-Id where a line of a vLLM server's log tells of a request that entered the engine. */
export const receivedByVllm = (text: string): string | undefined =>
  (receivedChat.exec(text) ?? received.exec(text))?.[1];
