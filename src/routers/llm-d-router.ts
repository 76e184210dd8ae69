/**
 * What is known of llm-d-router v0.10.0 as GPUStack runs it: an Envoy that asks an endpoint picker (EPP) where each request
 * goes. Sources: the operator's render of both, measurements of Envoy 1.40.0 with the EPP.
 */
export const llmdRouter = {
  /** Name in `spec.router.name`. */
  name: 'llm-d-router',
  command: 'epp',
  ports: { http: 8081, extProc: 9002, health: 9003, metrics: 9090 },
  /** Seconds that a request may take in all, unless the deployment says otherwise. */
  requestTimeoutSeconds: 86_400,
  /** Seconds that Envoy tries to connect to a replica, as the operator renders it. */
  connectTimeoutSeconds: 1,
  /** Seconds from the death of a replica to the end of the connection that a client of HTTP/1.1 sees: Envoy's default. */
  delayedCloseSeconds: 1,
  /** Seconds for which the EPP goes on choosing after SIGTERM, with the endpoints frozen. */
  drainTimeoutSeconds: 30,
  /** Weights of the scorers in the operator's profile. */
  scorers: { 'queue-scorer': 2, 'kv-cache-utilization-scorer': 2, 'prefix-cache-scorer': 3 },
  /** Header by which the EPP tells Envoy where a request goes; a client's own is removed. */
  destinationHeader: 'x-gateway-destination-endpoint',
  metrics: {
    requests: 'llm_d_epp_request_total',
    errors: 'llm_d_epp_request_error_total',
    running: 'llm_d_epp_request_running',
    ready: 'llm_d_epp_ready_endpoints',
    queue: 'llm_d_epp_per_endpoint_queue_size',
    attempts: 'llm_d_epp_scheduler_attempts_total',
    picks: 'inference_extension_scheduler_attempts_total',
  },
  /** Body of the 503 where there is no endpoint. */
  noEndpoints: 'inference error: ServiceUnavailable - failed to find endpoint candidates for serving the request',
  /** Body of the 503 where a replica took no connection. */
  refused: 'upstream connect error or disconnect/reset before headers. reset reason: remote connection failure',
  signalledMark: 'Shutdown signal received: draining (NotServing) while finishing in-flight requests',
  drainedMark: 'Drain window elapsed, stopping ext_proc server',
} as const;
