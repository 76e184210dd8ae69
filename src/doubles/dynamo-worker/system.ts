import http, { type Server } from 'node:http';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';

/** What the system port tells. */
export interface Vitals {
  /** Whether the endpoint `generate` is ready. */
  ready: () => boolean;
  inflight: () => number;
}

/** The system port: `/health` and `/live` share one payload, `/metrics` has the requests in flight. */
export function systemServer({ ready, inflight }: Vitals): Server {
  const startedAt = performance.now();
  return http.createServer((request, response) => {
    request.resume();
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/metrics') {
      const labels = 'dynamo_component="backend",dynamo_endpoint="generate"';
      const name = dynamoFacts.gauges.worker;
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
        .end(`# TYPE ${name} gauge\n${name}{${labels}} ${inflight()}\n`);
    } else if (path === '/health' || path === '/live') {
      const state = ready() ? 'ready' : 'notready';
      const secs = Math.floor((performance.now() - startedAt) / 1000);
      response
        .writeHead(ready() ? 200 : 503, { 'content-type': 'text/plain' })
        .end(JSON.stringify({ status: state, endpoints: { generate: state }, uptime: { secs, nanos: 0 } }));
    } else response.writeHead(404).end();
  });
}
