import type { ServerResponse } from 'node:http';
import type { ObservedWorker } from '../../routers/observer.ts';
import type { Program } from '../program.ts';

/** What a router says of its endpoints; a text says why it cannot say it now. */
export type View = { boot: bigint; revision: number; workers: ObservedWorker[] } | string;

/** Bytes of the answer that is too long. */
const HUGE = 5 * 1_048_576;

/** Answers `GET /observer/endpoints`: the view, 503 where there is none now, or what a fault makes of it. */
export function answerObserver({ faults }: Program, response: ServerResponse, view: () => View): void {
  const send = (status: number, body: string, type = 'application/json') =>
    response.writeHead(status, { 'content-type': type }).end(body);
  if (faults.has('observer-hangs')) return;
  if (faults.has('observer-absent')) return void send(404, '404 page not found\n', 'text/plain');
  const seen = faults.has('observer-unavailable') ? 'native endpoint selection or send is pending' : view();
  if (typeof seen === 'string') return void send(503, `${seen}\n`, 'text/plain; charset=utf-8');
  const body = written(seen, faults);
  if (!faults.has('observer-half')) return void send(200, body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
}

function written({ boot, revision, workers }: Exclude<View, string>, faults: ReadonlySet<string>): string {
  if (faults.has('observer-garbage')) return '<html><body>ok</body></html>';
  const generation = faults.has('observer-boot-zero') ? 0 : boot;
  const router = `"router":{"boot_generation":${generation},"now_ms":${Date.now()}},"registry_revision":${revision}`;
  const more = faults.has('observer-unknown-field') ? ',"shards":[]' : '';
  if (faults.has('observer-no-workers')) return `{${router}${more}}`;
  const body = `{${router},"workers":${JSON.stringify(workers)}${more}}`;
  return faults.has('observer-huge') ? body.padEnd(HUGE) : body;
}
