import type { TimeScale } from '../../time/scale.ts';

/** Those of how an SGLang server ends; a vLLM has none of them. */
export const ENGINE_FAULTS = ['engine-aborts', 'scheduler-hangs', 'skips-wait'] as const;

/** Faults that the simulated system can have; each breaks a promise by construction. */
export const simFaults = [
  'none',
  'hook-missing',
  'hook-early',
  'hook-waits-for-grace',
  'one-idle-read',
  'settle-long',
  'slow-poll',
  'late-bound',
  'sigterm-first',
  'kills-early',
  'never-kills',
  'late-hook',
  'signal-late',
  'router-late',
  'router-keeps',
  'engine-drops',
  'capacity-early',
  'router-retries',
  ...ENGINE_FAULTS,
] as const;
export type SimFault = (typeof simFaults)[number];

/** What is drawn for one history. Seconds are documented ones, `Ms` are milliseconds of the wall. */
export interface Draw {
  scale: number;
  grace: number;
  work: 'idle' | 'ends' | 'outlasts';
  /** Where in its allowed range the last work of `ends` ends, 0 to 1. */
  phase: number;
  engine: 'vLLM' | 'SGLang' | 'prefill' | 'decode';
  /** Where between two looks of SGLang's watchdog the signal comes, 0 to 1. */
  watchdog: number;
  abort: 'abort' | 'error-frame' | 'silence';
  ignoresSigterm: boolean;
  beginMs: number;
  startMs: number;
  readMs: number;
  lagMs: number;
  signalMs: number;
  kubeletLog: boolean;
  killingEvent: boolean;
  fault: SimFault;
  seed: number;
}

/** A request as it truly went; milliseconds of the wall from the delete. */
export interface TrueRequest {
  id: string;
  group: string;
  via: 'router' | 'pod';
  sent: number;
  tokens: number;
  tokenSeconds: number;
  server: 'victim' | 'survivor' | 'nobody';
  /** Where a router sent it on after its first server cut it. */
  movedTo?: 'survivor';
  end: 'complete' | 'abort' | 'error-frame' | 'silence' | 'reset' | 'damaged' | 'refused';
  /** When its last byte left. */
  last: number;
  /** When the client saw its end. */
  over: number;
  /** When the engine gave it up, which the gauges show. */
  freed?: number;
  tokensSeen: number;
}

/** A departure as it truly went; milliseconds of the wall from the delete. */
export interface Truth {
  draw: Draw;
  scale: TimeScale;
  K: number;
  hookStart: number | undefined;
  alive: number | undefined;
  hookEnd: number | undefined;
  reads: { start: number; end: number; busy: boolean }[];
  S: number | undefined;
  E: number;
  exitCode: number;
  /** When the last work that was not cut ended; -Infinity for an idle replica. */
  x: number;
  requests: TrueRequest[];
  bound: number;
}
