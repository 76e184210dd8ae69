/**
 * What is known of the SGLang model gateway (gateway-v0.3.1 as GPUStack ships it, sglang-router 0.3.2 as measured): how it is
 * called, how it retries and what it counts.
 */
export const sglangGateway = {
  /** Name in `spec.router.name`. */
  name: 'sglang-gateway',
  command: 'sgl-model-gateway',
  defaultHost: '0.0.0.0',
  defaultPort: 30000,
  defaultPrometheusPort: 29000,
  /** Half an hour, unless `--request-timeout-secs` says otherwise. */
  requestTimeoutSeconds: 1800,
  /** Attempts in all, as long as the response has not started. */
  attempts: 5,
  /** Seconds that open requests are given after SIGTERM. */
  shutdownGraceSeconds: 180,
  policies: ['random', 'round_robin', 'cache_aware'],
  defaultPolicy: 'cache_aware',
  metrics: {
    httpRequests: 'smg_http_requests_total',
    httpResponses: 'smg_http_responses_total',
    requests: 'smg_router_requests_total',
    requestErrors: 'smg_router_request_errors_total',
    upstreamResponses: 'smg_router_upstream_responses_total',
    retries: 'smg_worker_retries_total',
    retriesExhausted: 'smg_worker_retries_exhausted_total',
    selections: 'smg_worker_selection_total',
    active: 'smg_worker_requests_active',
    poolSize: 'smg_worker_pool_size',
    discovered: 'smg_discovery_workers_discovered',
  },
  /** Header with the code of an answer that the gateway made itself. */
  errorHeader: 'x-smg-error-code',
  signalledMark: 'Received terminate signal, starting graceful shutdown',
} as const;
