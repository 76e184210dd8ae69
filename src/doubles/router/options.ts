import { flag, listFlag, numberFlag } from '../../engines/argv.ts';
import type { RouterPolicy } from '../../routers/vllm-router.ts';
import type { Seconds } from '../../time/scale.ts';
import type { BreakerOptions } from './breaker.ts';

export interface RouterOptions {
  host: string;
  port: number;
  prometheusHost: string;
  prometheusPort: number;
  /** Undefined: the Pods of all namespaces. */
  namespace: string | undefined;
  /** Port on which every worker listens. */
  workerPort: number;
  selector: Record<string, string>;
  policy: RouterPolicy;
  requestTimeout: Seconds;
  /** Attempts that a request gets in all; 1 is no retry. */
  attempts: number;
  breaker: BreakerOptions | undefined;
  health: HealthOptions;
}

export interface HealthOptions {
  path: string;
  every: Seconds;
  timeout: Seconds;
  /** Checks in a row that make a worker unhealthy, or healthy again. */
  failures: number;
  successes: number;
}

/** What a router of this family does where its command line says nothing. */
export interface RouterDefaults {
  defaultHost: string;
  defaultPort: number;
  defaultPrometheusHost?: string;
  defaultPrometheusPort: number;
  requestTimeoutSeconds: Seconds;
  policies: readonly RouterPolicy[];
  defaultPolicy: RouterPolicy;
  /** Attempts in all where no `--retry-max-retries` says otherwise; 1 is no retry. */
  attempts: number;
}

/** Reads the command line that vllm-router and sglang-gateway share; flags that it does not know are accepted. */
export function readOptions(argv: readonly string[], router: RouterDefaults): RouterOptions {
  const text = (name: string, unset: string) => {
    const value = flag(argv, name);
    return typeof value === 'string' ? value : unset;
  };
  const number = (name: string, unset: number) => numberFlag(argv, name, unset);
  const has = (name: string) => flag(argv, name) !== undefined;
  const policy = text('--policy', router.defaultPolicy);
  const namespace = text('--service-discovery-namespace', '');
  return {
    host: text('--host', router.defaultHost),
    port: number('--port', router.defaultPort),
    prometheusHost: text('--prometheus-host', router.defaultPrometheusHost ?? router.defaultHost),
    prometheusPort: number('--prometheus-port', router.defaultPrometheusPort),
    namespace: namespace || undefined,
    workerPort: number('--service-discovery-port', 80),
    selector: Object.fromEntries(listFlag(argv, '--selector').map(keyAndValue)),
    policy: router.policies.find((known) => known === policy) ?? router.defaultPolicy,
    requestTimeout: number('--request-timeout-secs', router.requestTimeoutSeconds),
    attempts: has('--disable-retries') ? 1 : number('--retry-max-retries', router.attempts),
    breaker: has('--disable-circuit-breaker')
      ? undefined
      : {
          failures: number('--cb-failure-threshold', 10),
          successes: number('--cb-success-threshold', 3),
          open: number('--cb-timeout-duration-secs', 60),
        },
    health: {
      path: text('--health-check-endpoint', '/health'),
      every: number('--health-check-interval-secs', 60),
      timeout: number('--health-check-timeout-secs', 5),
      failures: number('--health-failure-threshold', 3),
      successes: number('--health-success-threshold', 2),
    },
  };
}

function keyAndValue(term: string): [key: string, value: string] {
  const at = term.indexOf('=');
  return at < 0 ? [term, ''] : [term.slice(0, at), term.slice(at + 1)];
}
