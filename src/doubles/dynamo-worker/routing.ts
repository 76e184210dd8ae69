import http from 'node:http';
import { pathOf, type Piece } from '../dynamo/plane.ts';
import type { Fleet } from '../dynamo/fleet.ts';
import type { Work } from './endpoint.ts';
import { begin } from './generate.ts';

const CANCELLED: Piece = { cancelled: true };

/** What `python3 -m dynamo.router` does with a request: it chooses a backend, in turn, and hands its answer through. */
export function routing(fleet: Fleet, podIP: string): Work {
  let turn = 0;
  return (order, response, over) => {
    const backends = fleet.all.filter(({ component }) => component === 'backend');
    const chosen = backends[turn++ % Math.max(1, backends.length)];
    if (!chosen) {
      setImmediate(() => {
        response.writeHead(503).end();
        over();
      });
      return () => undefined;
    }
    const [host, port] = chosen.address.split(':');
    const upstream = http.request({
      ...{ host, port, path: pathOf(chosen.endpoint), method: 'POST', agent: false, localAddress: podIP },
    });
    let ended = false;
    const broken = () => {
      if (ended) return;
      ended = true;
      response.destroy();
      over();
    };
    upstream.on('error', broken);
    upstream.once('response', (answer) => {
      if (answer.statusCode !== 200) return broken();
      begin(response);
      answer.on('error', () => undefined);
      answer.on('data', (part: Buffer) => response.write(part));
      answer.once('end', () => {
        if (ended) return;
        ended = true;
        response.end();
        over();
      });
      answer.once('close', broken);
    });
    upstream.end(JSON.stringify(order));
    return () => {
      ended = true;
      upstream.destroy();
      response.end(`${JSON.stringify(CANCELLED)}\n`);
    };
  };
}
