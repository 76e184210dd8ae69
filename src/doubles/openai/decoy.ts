import { Listener } from './listener.ts';
import type { ServerOptions } from './options.ts';

/**
 * A second listener that always tells of an idle engine, for hooks that read the wrong port. It logs nothing: an access
 * line of it could not be told from one of the engine's.
 */
export async function startDecoy(host: string, { behaviour, tls }: ServerOptions, idlePage: () => Promise<string>) {
  const { decoyPort: port } = behaviour;
  if (port === undefined) return;
  await Listener.open({
    host,
    port,
    tls,
    handler: (request, response) => {
      request.resume();
      void idlePage().then((page) => {
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page);
      });
    },
  });
}
