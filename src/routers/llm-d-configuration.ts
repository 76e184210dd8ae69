import { stringify } from 'yaml';
import type { Seconds } from '../time/scale.ts';
import { llmdRouter } from './llm-d-router.ts';

const { ports, scorers } = llmdRouter;

/** What of a deployment decides how its llm-d-router is configured. */
export interface LlmdInput {
  /** Kinds of roles that answer requests: `server`, or `prefill` and `decode`. */
  kinds: readonly string[];
  /** Label of a Pod that holds the kind of its role. */
  roleKindLabel: string;
  /** Name of the engine, and its gauges of queued and running requests. */
  engine: { name: string; queued: string; running: string; kv?: string; cacheInfo?: string };
  /** Documented seconds that a request may take in all. */
  timeoutSeconds?: Seconds;
}

/**
 * The two files that llm-d-router reads: an EndpointPickerConfig and a bootstrap for Envoy, with the plugins, weights, modes
 * and timeouts of the operator's own. Envoy 1.40 takes the second one as it is.
 */
export const llmdConfiguration = (input: LlmdInput): Record<'epp.yaml' | 'envoy.yaml', string> => ({
  'epp.yaml': stringify(pickerConfiguration(input)),
  'envoy.yaml': stringify(envoyConfiguration(input.timeoutSeconds ?? llmdRouter.requestTimeoutSeconds)),
});

function pickerConfiguration({ kinds, roleKindLabel, engine }: LlmdInput): object {
  const { name, queued: queuedRequestsSpec, running: runningRequestsSpec, kv, cacheInfo } = engine;
  const cache = { ...(kv ? { kvUsageSpec: kv } : {}), ...(cacheInfo ? { cacheInfoSpec: cacheInfo } : {}) };
  const split = kinds.includes('prefill');
  const filters = kinds.map((kind) => ({
    ...{ name: `${kind}-pods`, type: 'label-selector-filter' },
    parameters: { matchLabels: { [roleKindLabel]: kind } },
  }));
  const decider = 'prefix-based-pd-decider';
  const halves = [
    { type: decider, parameters: { nonCachedTokens: 8, promptTokens: 0 } },
    {
      type: 'disagg-profile-handler',
      parameters: { deciders: { prefill: decider }, profiles: { decode: 'decode', prefill: 'prefill' } },
    },
  ];
  // A decode half sees no prompt that it could have cached.
  const weighted = (kind: string) =>
    Object.entries(scorers)
      .filter(([type]) => kind !== 'decode' || type !== 'prefix-cache-scorer')
      .map(([pluginRef, weight]) => ({ pluginRef, weight }));
  return {
    apiVersion: 'llm-d.ai/v1alpha1',
    kind: 'EndpointPickerConfig',
    plugins: [
      ...filters,
      { type: 'approx-prefix-cache-producer' },
      ...Object.keys(scorers).map((type) => ({ type })),
      { type: 'max-score-picker' },
      { type: 'metrics-data-source' },
      {
        type: 'core-metrics-extractor',
        parameters: { engineConfigs: [{ name, queuedRequestsSpec, runningRequestsSpec, ...cache }] },
      },
      ...(split ? halves : []),
    ],
    schedulingProfiles: kinds.map((kind) => ({
      name: kind,
      plugins: [{ pluginRef: `${kind}-pods` }, ...weighted(kind), { pluginRef: 'max-score-picker' }],
    })),
  };
}

const typed = (type: string, config: object) => ({ '@type': `type.googleapis.com/${type}`, ...config });

const filter = (name: string, type: string, config: object) => ({
  name: `envoy.filters.http.${name}`,
  typed_config: typed(`envoy.extensions.filters.http.${name}.v3.${type}`, config),
});

const socket = (address: string, port: number) => ({ socket_address: { address, port_value: port } });

/** One listener; the picker decides by a header that no client can set; no retry policy, no health check, no breaker. */
function envoyConfiguration(timeout: Seconds): object {
  const manager = typed('envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager', {
    stat_prefix: 'router',
    route_config: {
      name: 'router',
      virtual_hosts: [{ name: 'model', domains: ['*'], routes: [routeWithin(timeout)] }],
    },
    access_log: [accessLog],
    http_filters: [
      // A client's own header would choose the replica: it goes before the picker is asked.
      filter('header_mutation', 'HeaderMutation', {
        mutations: { request_mutations: [{ remove: llmdRouter.destinationHeader }] },
      }),
      filter('ext_proc', 'ExternalProcessor', {
        failure_mode_allow: true,
        grpc_service: {
          envoy_grpc: { cluster_name: 'ext_proc', authority: `localhost:${ports.extProc}` },
          timeout: '10s',
        },
        processing_mode: {
          ...{ request_header_mode: 'SEND', response_header_mode: 'SEND' },
          ...{ request_body_mode: 'FULL_DUPLEX_STREAMED', response_body_mode: 'FULL_DUPLEX_STREAMED' },
          ...{ request_trailer_mode: 'SEND', response_trailer_mode: 'SEND' },
        },
      }),
      filter('router', 'Router', {}),
    ],
  });
  const connection = { name: 'envoy.filters.network.http_connection_manager', typed_config: manager };
  return {
    static_resources: {
      listeners: [{ name: 'http', address: socket('0.0.0.0', ports.http), filter_chains: [{ filters: [connection] }] }],
      clusters: [replicas, picker],
    },
  };
}

const routeWithin = (timeout: Seconds) => ({
  match: { prefix: '/' },
  route: { cluster: 'original_destination_cluster', timeout: `${timeout}s` },
});

const replicas = {
  ...{ name: 'original_destination_cluster', type: 'ORIGINAL_DST', lb_policy: 'CLUSTER_PROVIDED' },
  connect_timeout: `${llmdRouter.connectTimeoutSeconds}s`,
  original_dst_lb_config: { use_http_header: true, http_header_name: llmdRouter.destinationHeader },
};

const UPSTREAM = 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions';
const picker = {
  ...{ name: 'ext_proc', type: 'STATIC', connect_timeout: '1s' },
  typed_extension_protocol_options: {
    [UPSTREAM]: typed(UPSTREAM, { explicit_http_config: { http2_protocol_options: {} } }),
  },
  load_assignment: {
    cluster_name: 'ext_proc',
    endpoints: [{ lb_endpoints: [{ endpoint: { address: socket('127.0.0.1', ports.extProc) } }] }],
  },
};

const accessLog = {
  name: 'envoy.access_loggers.stdout',
  typed_config: typed('envoy.extensions.access_loggers.stream.v3.StdoutAccessLog', {
    log_format: {
      json_format: {
        start_time: '%START_TIME%',
        method: '%REQ(:METHOD)%',
        path: '%REQ(:PATH)%',
        response_code: '%RESPONSE_CODE%',
        response_flags: '%RESPONSE_FLAGS%',
        duration: '%DURATION%',
        upstream_host: '%UPSTREAM_HOST%',
        request_id: '%REQ(X-REQUEST-ID)%',
      },
    },
  }),
};
