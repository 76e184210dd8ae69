/**
 * How the two doubles of llm-d-router speak, in place of ext_proc over gRPC: for each request Envoy posts its body to
 * `link.path` and gets the destination in a header, or an answer for the client. The exchange stays open for as long as the
 * client's answer goes on, so that the end of either side is seen by the other, as with ext_proc.
 */
export const link = {
  path: '/process',
  /** Status of an answer that carries a destination; any other one goes to the client as it is. */
  routed: 200,
  /** A fault alone: an endpoint not to be chosen. */
  notHeader: 'x-quiesce-other-than',
} as const;
