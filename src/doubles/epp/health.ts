import http2 from 'node:http2';

const SERVING = 1;
const NOT_SERVING = 2;

/** The gRPC health service (`grpc.health.v1.Health/Check`); it answers alike for every service name. */
export function healthServer(serving: () => boolean): http2.Http2Server {
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.resume();
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    // A frame: not compressed, two bytes; HealthCheckResponse, field 1.
    stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, serving() ? SERVING : NOT_SERVING]));
  });
  return server;
}
