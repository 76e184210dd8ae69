import type { Socket } from 'node:net';

/** Milliseconds of the wall for bytes that are still on their way out before a reset follows them. */
const FLUSH_MS = 1000;

/**
 * Joins two sockets (both with `allowHalfOpen`) so that each side sees what the other did: bytes at once, a FIN as a FIN
 * while the other direction stays open, a reset as a reset after the bytes that came before it.
 */
export function splice(a: Socket, b: Socket): void {
  relay(a, b);
  relay(b, a);
}

function relay(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.pipe(to, { end: false }); // holds `from` back while `to` is full
  from.on('end', () => passEnd(from, to));
  from.on('error', () => reset(to));
  from.on('close', () => {
    if (!from.readableEnded) reset(to); // gone without a FIN: destroyed from our side
  });
}

/**
 * Node reads bytes and a reset that come together as bytes and an end (libuv takes the hang-up for a FIN). An empty write
 * sends nothing, and fails where it was a reset; the failure is an `error` of `from`.
 */
function passEnd(from: Socket, to: Socket): void {
  if (!from.writable) to.end();
  else from.write('', (error) => (error ? undefined : to.end()));
}

/** Sends RST once what was written before has left. */
export function reset(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.writableLength === 0) {
    socket.resetAndDestroy();
    return;
  }
  // An empty write is done when all before it is; the time limit is for a client that reads no more.
  const timer = setTimeout(() => socket.resetAndDestroy(), FLUSH_MS);
  socket.write('', () => {
    clearTimeout(timer);
    socket.resetAndDestroy();
  });
}
