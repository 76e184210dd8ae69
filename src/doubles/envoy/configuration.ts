import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import type { Seconds } from '../../time/scale.ts';

// As far as this double goes by it; everything else of the document is accepted.
const socket = z.object({ socket_address: z.object({ port_value: z.number() }) });
const duration = z.string().regex(/^\d+s$/);
const cluster = z.object({ name: z.string(), connect_timeout: duration.optional() });
const document = z.object({
  static_resources: z.object({
    listeners: z.array(
      z.object({
        address: socket,
        filter_chains: z.array(
          z.object({ filters: z.array(z.object({ typed_config: z.object({ route_config: z.unknown() }) })) }),
        ),
      }),
    ),
    clusters: z.array(cluster),
  }),
});

export interface EnvoyOptions {
  port: number;
  routeTimeout: Seconds;
  connectTimeout: Seconds;
  /** Port of the picker, in the same Pod. */
  extProcPort: number;
}

/** Reads an Envoy configuration as the operator writes it. @throws ZodError where it is none */
export function readConfiguration(path: string): EnvoyOptions {
  const text = readFileSync(path, 'utf8');
  const { listeners, clusters } = document.parse(parse(text)).static_resources;
  const [listener] = listeners;
  const seconds = (value: string | undefined, unset: Seconds) => (value ? Number.parseInt(value, 10) : unset);
  const route = /"?timeout"?: ?"?(\d+s)/.exec(JSON.stringify(listener?.filter_chains ?? []))?.[1];
  const upstream = clusters.find(({ name }) => name === 'original_destination_cluster')?.connect_timeout;
  return {
    port: listener?.address.socket_address.port_value ?? llmdRouter.ports.http,
    routeTimeout: seconds(route, llmdRouter.requestTimeoutSeconds),
    connectTimeout: seconds(upstream, llmdRouter.connectTimeoutSeconds),
    extProcPort: llmdRouter.ports.extProc,
  };
}
