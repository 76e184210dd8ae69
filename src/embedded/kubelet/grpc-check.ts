import http2 from 'node:http2';
import net from 'node:net';
import type { Place } from './downward.ts';
import { sourceOf } from './http-get.ts';

const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/**
 * Asks `grpc.health.v1.Health/Check` without TLS, as a kubelet's gRPC probe does.
 * @throws Error with a real kubelet's words where the service does not say that it serves in time
 */
export async function grpcCheck(place: Place, port: number, service: string, timeoutMs: number): Promise<void> {
  const host = place.podIP;
  const late = AbortSignal.timeout(timeoutMs);
  const session = http2.connect(`http://${host}:${port}`, {
    createConnection: () => net.connect({ host, port, localAddress: sourceOf(place) }),
  });
  const failed = new Promise<never>((_resolve, reject) => {
    const tooLate = () => reject(new Error(`timeout: health rpc did not complete within ${timeoutMs / 1000}s`));
    late.addEventListener('abort', tooLate, { once: true });
    session.once('error', (error: Error) =>
      reject(new Error(`error: failed to connect service "${host}:${port}": ${error.message}`)),
    );
  });
  try {
    const status = await Promise.race([ask(session, service), failed]);
    if (status !== 'SERVING') throw new Error(`service unhealthy (responded with "${status}")`);
  } finally {
    session.on('error', () => undefined);
    session.destroy();
  }
}

async function ask(session: http2.ClientHttp2Session, service: string): Promise<string> {
  const stream = session.request({
    ...{ ':method': 'POST', ':path': '/grpc.health.v1.Health/Check', te: 'trailers' },
    ...{ 'content-type': 'application/grpc', 'user-agent': 'kube-probe/1.34' },
  });
  // HealthCheckRequest, field 1, in a frame that is not compressed. A service has a name of less than 128 bytes.
  const name = Buffer.from(service);
  const message = name.length > 0 ? Buffer.concat([Buffer.from([0x0a, name.length]), name]) : name;
  stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]));
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  // HealthCheckResponse, field 1; a message without it says UNKNOWN, which is 0.
  const answer = Buffer.concat(parts).subarray(5);
  return statuses[answer[0] === 0x08 ? (answer[1] ?? 0) : 0] ?? 'UNKNOWN';
}
