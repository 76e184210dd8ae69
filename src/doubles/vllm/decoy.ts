import { Listener } from './listener.ts';
import { Metrics } from './metrics.ts';
import type { VllmOptions } from './options.ts';

/**
 * A second listener that always tells of an idle engine, for hooks that read the wrong port. It logs nothing: an access
 * line of it could not be told from one of the engine's.
 */
export async function startDecoy(host: string, options: VllmOptions): Promise<void> {
  const port = options.behaviour.decoyPort ?? 0;
  const metrics = new Metrics(options.model, options.behaviour.ranks);
  await Listener.open({
    host,
    port,
    tls: options.tls,
    handler: (request, response) => {
      request.resume();
      void metrics.page({ running: 0, capacity: 0, deferred: 0 }, 'true').then((page) => {
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page);
      });
    },
  });
}
