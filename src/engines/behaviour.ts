import type { Seconds } from '../time/scale.ts';

/** How a double of an engine behaves beyond its defaults; a real engine gets none of this. */
export interface EngineBehaviour {
  /** What SIGTERM does to running streams: see the three outcomes that a real vLLM shows. Default `flush`. */
  abort?: 'flush' | 'error' | 'silence';
  /** Documented seconds between SIGTERM and the exit, where nothing else delays it. Default 1. */
  exitSeconds?: Seconds;
  ignoreSigterm?: boolean;
  /** A second listener that always answers `/metrics` with idle gauges. */
  decoyPort?: number;
  /** Data-parallel ranks, one series of each gauge a rank. */
  ranks?: number;
}

/** What an engine's control endpoint can be told while it runs. */
export interface EngineControl {
  /**
   * `fail-http`: 500; `hang`: accepts and never answers; `garbage`: unparsable samples; `partial`: the last summed gauge is
   * left out; `absent`: all of them are; `huge`: a page above 1 MiB; `refuse`: new connections are refused; `break-tls`: the handshake fails.
   */
  metrics?: (typeof metricsModes)[number];
  /** Documented seconds of work that begins by itself right after the next read over loopback, which is told nothing of it. */
  busyAfterRead?: Seconds;
  /** The process ends with this code, at once. */
  exit?: number;
  /** `fail`: new requests are logged as received, and answered with 500 before any byte of a stream. */
  generate?: 'normal' | 'fail';
}

export const metricsModes = [
  'normal',
  'fail-http',
  'hang',
  'garbage',
  'partial',
  'absent',
  'huge',
  'refuse',
  'break-tls',
] as const;

/** Environment variable in which a Pod's double finds its {@link EngineBehaviour}, as JSON. */
export const ENGINE_BEHAVIOUR_VARIABLE = 'QUIESCE_ENGINE';

/** Path to which an {@link EngineControl} is posted, as JSON; a real engine has no such path. */
export const ENGINE_CONTROL_PATH = '/-/quiesce/control';
