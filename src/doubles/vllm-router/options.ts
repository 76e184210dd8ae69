import { flag, listFlag, numberFlag } from '../../engines/argv.ts';
import { type RouterPolicy, vllmRouter } from '../../routers/vllm-router.ts';
import type { Seconds } from '../../time/scale.ts';

export interface RouterOptions {
  host: string | undefined;
  port: number;
  prometheusHost: string | undefined;
  prometheusPort: number;
  /** Undefined: the Pods of all namespaces. */
  namespace: string | undefined;
  /** Port on which every worker listens. */
  workerPort: number;
  selector: Record<string, string>;
  policy: RouterPolicy;
  requestTimeout: Seconds;
}

/** Reads the command line; flags that it does not know are accepted. */
export function readOptions(argv: readonly string[]): RouterOptions {
  const text = (name: string) => {
    const value = flag(argv, name);
    return typeof value === 'string' ? value : undefined;
  };
  const policy = text('--policy');
  return {
    host: text('--host'),
    port: numberFlag(argv, '--port', vllmRouter.defaultPort),
    prometheusHost: text('--prometheus-host'),
    prometheusPort: numberFlag(argv, '--prometheus-port', vllmRouter.defaultPrometheusPort),
    namespace: text('--service-discovery-namespace'),
    workerPort: numberFlag(argv, '--service-discovery-port', 80),
    selector: Object.fromEntries(listFlag(argv, '--selector').map(keyAndValue)),
    policy: vllmRouter.policies.find((known) => known === policy) ?? vllmRouter.defaultPolicy,
    requestTimeout: numberFlag(argv, '--request-timeout-secs', vllmRouter.requestTimeoutSeconds),
  };
}

function keyAndValue(term: string): [key: string, value: string] {
  const at = term.indexOf('=');
  return at < 0 ? [term, ''] : [term.slice(0, at), term.slice(at + 1)];
}
