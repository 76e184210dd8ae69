import http from 'node:http';
import https from 'node:https';
import type { Place } from './downward.ts';
import type { ContainerSpec, HttpGet } from './pod.ts';
import { portNumber } from './ports.ts';

/** Probes and httpGet hooks of a node on loopback come from this address; see {@link sourceOf}. */
export const KUBELET_ADDRESS = '127.0.0.8';

/** A refused connection in the words of Go; any other problem as it is. */
export function dialProblem(error: Error, host: string, port: number, asked = ''): Error {
  const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  return refused ? new Error(`${asked}dial tcp ${host}:${port}: connect: connection refused`, { cause: error }) : error;
}

/**
 * Where probes and httpGet hooks come from, so that an access log tells them from the reads of an exec hook, which come from the
 * Pod's own address: the node's own address, as on a real node.
 */
export const sourceOf = ({ hostIP }: Place): string => (hostIP.startsWith('127.') ? KUBELET_ADDRESS : hostIP);

/**
 * Asks as a kubelet does: certificates are not checked, redirects not followed. Answers the status.
 * @throws the connection's error, or a timeout
 */
export function httpGet(container: ContainerSpec, place: Place, get: HttpGet, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const secure = get.scheme?.toUpperCase() === 'HTTPS';
    const headers = Object.fromEntries((get.httpHeaders ?? []).map(({ name, value }) => [name, value]));
    const path = get.path ?? '/';
    const port = portNumber(container, get.port);
    const request = (secure ? https : http).get({
      host: get.host ?? place.podIP,
      port,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: { 'user-agent': 'kube-probe/1.34', accept: '*/*', ...headers },
      localAddress: sourceOf(place),
      agent: false,
      rejectUnauthorized: false,
    });
    const timer = setTimeout(
      () => request.destroy(new Error('context deadline exceeded (Client.Timeout exceeded while awaiting headers)')),
      timeoutMs,
    );
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(
        dialProblem(
          error,
          request.host,
          port,
          `Get "${secure ? 'https' : 'http'}://${request.host}:${port}${request.path}": `,
        ),
      );
    });
    request.on('response', (response) => {
      clearTimeout(timer);
      resolve(response.statusCode ?? 0);
      response.on('error', () => {});
      request.destroy(); // nobody reads the body
    });
  });
}
