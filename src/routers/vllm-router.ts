/**
 * What is known of vllm-router (0.1.15 as GPUStack ships it, 0.1.17 as measured): how it is called and what it counts.
 */
export const vllmRouter = {
  /** Name in `spec.router.name`. */
  name: 'vllm-router',
  command: 'vllm-router',
  defaultHost: '127.0.0.1',
  defaultPort: 30000,
  defaultPrometheusPort: 29000,
  /** Half an hour, unless `--request-timeout-secs` says otherwise. */
  requestTimeoutSeconds: 1800,
  /** Attempts in all that 0.1.17 makes at its defaults; the document says that it makes one. */
  measuredAttempts: 5,
  policies: ['random', 'round_robin', 'cache_aware'],
  defaultPolicy: 'cache_aware',
  metrics: {
    requests: 'vllm_router_requests_total',
    requestErrors: 'vllm_router_request_errors_total',
    retries: 'vllm_router_retries_total',
    retriesExhausted: 'vllm_router_retries_exhausted_total',
    processed: 'vllm_router_processed_requests_total',
    decisions: 'vllm_router_policy_decisions_total',
    running: 'vllm_router_running_requests',
    activeWorkers: 'vllm_router_active_workers',
  },
  /** Body of the 503 where it has nobody to send a request to. */
  noWorkers: 'No available workers (all circuits open or unhealthy)',
  signalledMark: 'Received terminate signal, starting graceful shutdown',
} as const;

export type RouterPolicy = (typeof vllmRouter.policies)[number];
