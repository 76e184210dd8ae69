import http from 'node:http';
import { observer } from '../../../routers/observer.ts';

/**
 * The body of a router's view, from the router's own Pod.
 * @param timeoutMs milliseconds of the wall until the read is given up, its last byte included
 * @throws Error for any status but 200, a body above 4 MiB or one that breaks off, and where none came in time
 */
export function fetchView(address: string, port: number, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: address, port, path: observer.path, agent: false });
    const fail = (error: Error) => {
      clearTimeout(timer);
      request.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error(`no answer within ${Math.round(timeoutMs)} ms`)), timeoutMs);
    request.on('error', fail);
    request.on('response', (response) => {
      if (response.statusCode !== 200) return fail(new Error(`observer answered ${response.statusCode}`));
      const parts: Buffer[] = [];
      let size = 0;
      response.on('error', fail);
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > observer.maxBytes) fail(new Error(`observer served more than the ${observer.maxBytes} byte bound`));
      });
      response.on('end', () => {
        clearTimeout(timer);
        if (response.complete) resolve(Buffer.concat(parts).toString());
        else reject(new Error('the observer broke off in its answer'));
      });
    });
  });
}
