import http, { type IncomingMessage } from 'node:http';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import { routingProxy } from '../../routers/routing-proxy.ts';
import { link } from '../epp/link.ts';
import { passedOn } from '../router/headers.ts';
import { type Passage, readWhole } from '../router/passage.ts';

/** What the picker makes of a request. */
export type Pick =
  | {
      kind: 'routed';
      address: string;
      port: number;
      /** What the picker adds to the request. */
      headers: Record<string, string>;
      /** Lets go of the picker. */
      done: () => void;
    }
  /** It answers for itself. */
  | { kind: 'answered'; status: number; headers: Record<string, string | string[]>; body: Buffer }
  | { kind: 'unreachable' };

/**
 * Asks the picker where a request goes. The exchange stays open until `done`; if the picker dies before that, `lost` is
 * called: it carries the answer's body too.
 */
export function askPicker(
  { host, port }: { host: string; port: number },
  { body, requestId, request }: Passage,
  lost: () => void,
  but?: string,
): Promise<Pick> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': request.headers['content-type'] ?? 'application/json',
      'content-length': body.length,
      'x-request-id': requestId,
      ...(but === undefined ? {} : { [link.notHeader]: but }),
    };
    const where = { host, port, path: link.path, method: 'POST', headers };
    const asked = http.request({ ...where, agent: false, localAddress: host });
    asked.on('error', () => resolve({ kind: 'unreachable' }));
    asked.on('response', (answer) => void routed(answer));
    asked.end(body);

    async function routed(answer: IncomingMessage): Promise<void> {
      const destination = answer.headers[llmdRouter.destinationHeader];
      if (typeof destination !== 'string') {
        const own = await readWhole(answer);
        if (own === undefined) return resolve({ kind: 'unreachable' });
        const { statusCode: status = 500 } = answer;
        return resolve({ kind: 'answered', status, headers: passedOn(answer.headers), body: own });
      }
      let over = false;
      answer.resume();
      answer.on('error', () => undefined);
      answer.on('close', () => over || lost());
      const [address = '', number] = destination.split(':');
      const done = () => {
        over = true;
        asked.destroy();
      };
      const prefiller = answer.headers[routingProxy.prefillerHeader];
      const added = typeof prefiller === 'string' ? { [routingProxy.prefillerHeader]: prefiller } : {};
      resolve({ kind: 'routed', address, port: Number(number), headers: added, done });
    }
  });
}
