import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { clockOrigin } from '../../time/clock.ts';
import type { Start, Told } from './program-run.ts';

export interface SpawnerData {
  /** `clockOrigin` of the main thread, to whose clock all instants are converted. */
  origin: number;
  /** Shared memory: bytes of output that were sent and not yet taken. */
  unread: Int32Array;
}

export interface Order {
  id: number;
  start: Start;
}

export type Message = { id: number } & (Told | { is: 'output'; stream: 'stdout' | 'stderr'; bytes: Uint8Array });

/** Who wants to know what becomes of a program. */
export interface Client {
  /** `lost`: the thread is gone, and whoever was left to it with it. */
  tell: (told: Told | { is: 'lost'; message: string }) => void;
  output: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

interface Thread {
  worker: Worker;
  unread: Int32Array;
  clients: Map<number, Client>;
}

/**
 * Starts programs from a thread of its own, and reads their output there. The thread is made at the first need, keeps the
 * process alive only while a program runs, and is made anew after a crash.
 */
export class Spawner {
  readonly #entry: URL | undefined;
  #thread: Thread | undefined;
  #last = 0;

  /** `entry` is the thread's program; absent: found beside the bundle, or run from its source. */
  constructor(entry?: URL) {
    this.#entry = entry;
  }

  /** Makes the thread ahead of need. */
  warmUp(): void {
    this.#thread ??= this.#begin();
  }

  /** @throws Error where no thread can be made */
  run(start: Start, client: Client): void {
    const { worker, clients } = (this.#thread ??= this.#begin());
    const id = (this.#last += 1);
    worker.postMessage({ id, start } satisfies Order);
    clients.set(id, client);
    worker.ref();
  }

  #begin(): Thread {
    const unread = new Int32Array(new SharedArrayBuffer(4));
    const { source, ...how } = program(this.#entry);
    const worker = new Worker(source, {
      ...how,
      execArgv: [],
      workerData: { origin: clockOrigin(), unread } satisfies SpawnerData,
    });
    const thread: Thread = { worker, unread, clients: new Map() };
    worker.on('message', (message: Message) => hear(thread, message));
    let cause = '';
    worker.on('error', (error) => (cause = `: ${error.message}`));
    worker.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { tell } of thread.clients.values()) tell({ is: 'lost', message: `the spawner thread ended${cause}` });
      thread.clients.clear();
    });
    // After the listeners: one for messages would hold the process again.
    worker.unref();
    return thread;
  }
}

function hear({ worker, unread, clients }: Thread, message: Message): void {
  const client = clients.get(message.id);
  if (message.is === 'output') {
    const { buffer, byteOffset, byteLength } = message.bytes;
    Atomics.sub(unread, 0, byteLength);
    client?.output(message.stream, Buffer.from(buffer, byteOffset, byteLength));
    return;
  }
  if (message.is === 'refused' || message.is === 'over') {
    clients.delete(message.id);
    if (clients.size === 0) worker.unref();
  }
  client?.tell(message);
}

/** The bundled program of the thread, or a text that loads its source: in Node 20 `--import` does not reach a thread's own file. */
function program(entry: URL | undefined): { source: URL | string; eval: boolean } {
  const bundled = entry ?? new URL('./spawner.mjs', import.meta.url);
  if (entry ?? existsSync(bundled)) return { source: bundled, eval: false };
  const [loader, path] = [import.meta.resolve('tsx/esm/api'), new URL('./spawner-thread.ts', import.meta.url).href];
  const source = `import('${loader}').then(({ tsImport }) => tsImport('${path}', '${path}'))`;
  return { source, eval: true };
}
