/** What is known of llm-d's routing proxy beside a decoder (pd-sidecar v0.10.0), all of it measured. */
export const routingProxy = {
  /** Name of its container beside the engine's, as the operator renders it. */
  container: 'routing-proxy',
  defaultPort: 8000,
  defaultEnginePort: 8001,
  /** Names the prefiller that computes a request's KV first; never passed on. */
  prefillerHeader: 'x-prefiller-host-port',
  /** The process is gone this many milliseconds of the wall after SIGTERM, whatever is open; measured 2 to 43. */
  exitMs: 15,
  /** Its only word about a signal. */
  signalledMark: '"msg":"shutting down"',
} as const;
