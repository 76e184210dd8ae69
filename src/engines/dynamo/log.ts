import { constants } from 'node:os';

/** What one line of a Dynamo component's log says, as far as anybody here asks. */
export type DynamoMark =
  | 'signal'
  | 'unregistered'
  | 'not-unregistered'
  | 'grace'
  | 'runtime'
  | 'waiting'
  | 'drained'
  | 'timed-out'
  | 'teardown'
  | 'cleanup'
  | 'cleanup-error'
  | 'engine-shut-down'
  | 'engine-failed'
  | 'engine-timed-out'
  | 'fatal'
  | 'fatal-cleanup-error'
  | 'forced-exit'
  | 'ingress-timed-out'
  | 'active'
  | 'draining'
  | 'http-timed-out'
  | 'stopping'
  | 'selected';

/** A line with its mark and its further fields. */
export interface DynamoLine {
  mark: DynamoMark;
  fields: Readonly<Record<string, unknown>>;
}

/** The wording of 1.6.1, each line seen in the log of the real program or named by the document (from `cleanup` on). */
export const dynamoLines = {
  signalReceived: (signal: NodeJS.Signals) =>
    `Received signal ${constants.signals[signal]}, starting graceful shutdown`,
  signal: 'Received shutdown signal; unregistering endpoints from discovery',
  unregistered: 'Successfully unregistered endpoint instance from discovery - worker removed from routing pool',
  notUnregistered: 'Unable to unregister endpoint instance from discovery',
  grace: (seconds: number) => `Grace period ${seconds.toFixed(2)}s before stopping endpoints`,
  initiating: 'Initiating runtime shutdown',
  readiness: 'Runtime readiness withdrawn for shutdown',
  runtime: 'Runtime shutdown initiated',
  phase1: 'Phase 1: Cancelling endpoint shutdown token',
  phase2: 'Phase 2: Waiting for graceful endpoints to complete',
  active: (endpoints: number) => `Active graceful endpoints: ${endpoints}`,
  handlerGone: 'Unregistered TCP endpoint handler',
  waiting: 'Waiting for inflight requests to complete',
  drained: 'All inflight requests completed',
  last: 'Last endpoint completed, notifying all waiters',
  timedOut: 'Graceful endpoint shutdown timed out; proceeding with runtime teardown',
  ingressTimedOut: 'Timed out waiting for inflight requests to drain; proceeding with shutdown',
  teardown: 'Phase 3: Connections to backend services will now be disconnected',
  draining: 'frontend service entering draining stage',
  serverShutdown: 'HTTP server shutdown requested',
  httpTimedOut: 'Timed out waiting for inflight inference requests to drain',
  stopping: 'frontend service entering stopping stage',
  selected: 'Selected worker',
  noHandler: 'No handler found for endpoint',
  prefillEngineShutdown: 'Prefill engine shutdown',
  engineShutdown: 'Engine shutdown',
  engineTimedOut: 'vLLM engine shutdown failed: Engine shutdown timed out',
  cleanup: 'Cleaning up worker',
  cleanupError: 'Error during cleanup',
  healthFailed: 'Health check failed',
  fatal: 'Initiating graceful shutdown due to',
  fatalCleanupError: 'Error during graceful shutdown',
  forcedExit: 'Forcing process exit for restart',
} as const;

const marks: readonly (readonly [DynamoMark, RegExp])[] = [
  ['signal', /^(Received shutdown signal\b|Received signal \d+, starting graceful shutdown|SIG(TERM|INT) received)/],
  ['unregistered', /^Successfully unregistered endpoint instance from discovery/],
  ['not-unregistered', /^Unable to unregister endpoint instance from discovery/],
  ['grace', /^Grace period [\d.]+s before/],
  ['runtime', /^Runtime shutdown initiated/],
  ['waiting', /^Waiting for inflight (TCP )?requests to complete/],
  ['drained', /^All inflight (TCP )?requests completed/],
  ['active', /^Active graceful endpoints: \d+/],
  ['ingress-timed-out', /^Timed out waiting for inflight requests to drain/],
  ['timed-out', /^Graceful endpoint shutdown timed out/],
  ['teardown', /^Phase 3: /],
  ['cleanup', /Cleaning up worker/],
  // What follows has other words in the document than in 1.6.1, which shares some of them between its backends.
  ['cleanup-error', /^Error during (cleanup|shutdown): /],
  ['engine-shut-down', /^(Prefill e|E)ngine shutdown$/],
  ['engine-failed', /^(vLLM AsyncLLM h|H)ealth check failed: /],
  ['engine-timed-out', /^vLLM engine shutdown failed: /],
  ['fatal', /^(Initiating graceful shutdown due to: |Initiating Dynamo Runtime shutdown\.)/],
  ['fatal-cleanup-error', /^(Error during graceful shutdown|TRT-LLM engine shutdown failed): /],
  ['forced-exit', /^Forcing process exit (for restart|after fatal TRT-LLM engine error)/],
  ['draining', /^frontend service entering draining stage/],
  ['http-timed-out', /^Timed out waiting for inflight inference requests to drain/],
  ['stopping', /^frontend service entering stopping stage/],
  ['selected', /^Selected worker/],
];

/** Reads one line as `DYN_LOGGING_JSONL=1` gives it; undefined where it says nothing of the above. */
export function parseDynamoLine(line: string): DynamoLine | undefined {
  if (!line.startsWith('{"')) return undefined;
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { message } = fields;
  if (typeof message !== 'string') return undefined;
  const found = marks.find(([, text]) => text.test(message));
  return found && { mark: found[0], fields };
}
