import type { Seconds } from '../time/scale.ts';

/** The constants of Dynamo's shutdown. Page: "Graceful Shutdown Architecture". None is shared with GPUStack's. */
export const dynamo = {
  /** `HEALTH_CHECK_INTERVAL`: "2 seconds between checks". */
  healthCheckInterval: 2 as Seconds,
  /** `ENGINE_SHUTDOWN_TIMEOUT`: "30 seconds max for engine shutdown". */
  engineShutdown: 30 as Seconds,
  /** `terminationGracePeriodSeconds` of Pods that the Dynamo operator creates: "default: 60s". */
  podGrace: 60 as Seconds,
} as const;
