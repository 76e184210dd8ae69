import http from 'node:http';

/** Asks a worker for a path; answers the status, 0 where none came in time. Never rejects. */
export function askStatus(
  { host, port, path, from }: { host: string; port: number; path: string; from: string },
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve) => {
    const request = http.get({ host, port, path, agent: false, localAddress: from });
    const timer = setTimeout(() => request.destroy(new Error('timed out')), timeoutMs);
    const settle = (status: number) => {
      clearTimeout(timer);
      resolve(status);
    };
    request.on('error', () => settle(0));
    request.on('response', (response) => {
      response.resume();
      response.on('error', () => undefined);
      settle(response.statusCode ?? 0);
    });
  });
}
