import type { Seconds } from '../time/scale.ts';

/** The constants of Dynamo's shutdown. Page: "Graceful Shutdown Architecture". None is shared with GPUStack's. */
export const dynamo = {
  /** `DYN_GRACEFUL_SHUTDOWN_GRACE_PERIOD_SECS`: "default 5s". */
  gracePeriod: 5 as Seconds,
  /** `DYN_RUNTIME_GRACEFUL_SHUTDOWN_TIMEOUT_SECS`: "900 seconds". */
  runtimeTimeout: 900 as Seconds,
  /** `DYN_HTTP_GRACEFUL_SHUTDOWN_TIMEOUT_SECS`: "default 5 seconds". */
  httpTimeout: 5 as Seconds,
  /** `HEALTH_CHECK_INTERVAL`: "2 seconds between checks". */
  healthCheckInterval: 2 as Seconds,
  /** `ENGINE_SHUTDOWN_TIMEOUT`: "30 seconds max for engine shutdown". */
  engineShutdown: 30 as Seconds,
  /** `terminationGracePeriodSeconds` of Pods that the Dynamo operator creates: "default: 60s". */
  podGrace: 60 as Seconds,
} as const;
