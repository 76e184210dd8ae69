// The thread that starts containers and hooks: a start blocks its thread until the program is executed, many milliseconds
// where no core is free, and must not hold up the API server, the kubelet and the Service proxies. See spawner.ts.
import type { Readable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { clockOrigin } from '../../time/clock.ts';
import { runProgram } from './program-run.ts';
import type { Message, Order, SpawnerData } from './spawner.ts';
import { throttle } from './throttle.ts';

/** Milliseconds of the wall that a dead program's pipes are given to close. */
const DRAIN_MS = 500;
/** Bytes of output under way to the main thread at which no pipe is read on. */
const MOST_UNREAD = 2 * 2 ** 20;

const port = parentPort;
if (!port) throw new Error('this is a thread of the embedded cluster');
const { origin, unread } = workerData as SpawnerData;
/** From this thread's clock to that of the main thread. */
const shift = clockOrigin() - origin;
const post = (message: Message, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const held = () => Atomics.load(unread, 0) > MOST_UNREAD;

const waiting: Order[] = [];
port.on('message', (order: Order) => {
  if (waiting.push(order) === 1) next();
});

/** Pipes and ends get their turn between two starts, so that instants are not noticed later than one start takes. */
function next(): void {
  const order = waiting[0];
  if (!order) return;
  run(order);
  setImmediate(() => {
    waiting.shift();
    next();
  });
}

function run({ id, start }: Order): void {
  const child = runProgram(start, DRAIN_MS, (told) =>
    post({ id, ...told, ...('at' in told ? { at: told.at + shift } : {}) }),
  );
  if (!child) return;
  const free = (['stdout', 'stderr'] as const).map((stream) =>
    throttle(
      child[stream] as Readable,
      (chunk) => {
        const bytes = new Uint8Array(chunk); // a copy that has its memory to itself
        Atomics.add(unread, 0, bytes.length);
        post({ id, is: 'output', stream, bytes }, [bytes.buffer]);
      },
      held,
    ),
  );
  child.once('exit', () => free.forEach((release) => release()));
}
