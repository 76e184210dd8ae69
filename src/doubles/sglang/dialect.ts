import { sglang } from '../../engines/sglang.ts';
import type { Dialect, Waits } from '../openai/dialect.ts';
import { BadRequest, type Generation } from '../openai/request.ts';
import type { SglangLog } from './log.ts';
import { Metrics } from './metrics.ts';
import type { SglangOptions } from './options.ts';

const errorBody = (message: string, code: number, type: string, param: string | null) => ({
  object: 'error',
  message,
  type,
  param,
  code,
});

/** SGLang's dialect of the API, and where its requests wait. */
export function sglangDialect(options: SglangOptions, log: SglangLog, faults: ReadonlySet<string>): Dialect {
  return {
    choice: { matched_stop: null },
    dead: { error: errorBody('Internal server error', 500, 'InternalServerError', null) },
    errorBody: ({ message, status, type, param }) => errorBody(message, status, type, param),
    modelCard: (model) => ({ id: model, owned_by: 'sglang', root: model, parent: null, max_model_len: 8192 }),
    // The id comes in the body, never in a header.
    idOf: ({ rid }) => rid ?? crypto.randomUUID().replaceAll('-', ''),
    waits: (generation, ms) => waitsOf(options, generation, ms),
    received: (_generation, id) => {
      if (options.logRequests) log.say(`Receive: obj=GenerateReqInput(rid='${id}', http_worker_ipc=None)`);
    },
    metrics: new Metrics(options.model, options.mode, options.ranks, faults.has('sglang-kv-gauges-zero')),
  };
}

/**
 * A decoder waits for its KV in two queues, first for room and then for the transfer; a prefiller holds a request in its
 * transfer queue once it has computed; a server of its own has the ordinary queue alone. `waits_in` names one instead.
 */
function waitsOf({ mode }: SglangOptions, { waitsIn }: Generation, ms: number): Waits {
  const queues: Record<string, string> = sglang.queues[mode];
  if (waitsIn !== undefined) {
    const name = Object.hasOwn(queues, waitsIn) ? queues[waitsIn] : undefined;
    if (name === undefined)
      throw new BadRequest(`waits_in ${waitsIn}: a ${mode} server has ${Object.keys(queues).join(', ')}`);
    const wait = [{ in: name, ms }];
    return waitsIn === 'inflight' ? { before: [], after: wait } : { before: wait, after: [] };
  }
  const { prefill, decode, unified } = sglang.queues;
  if (mode === 'prefill') return { before: [], after: [{ in: prefill.inflight, ms }] };
  if (mode === 'unified') return { before: [{ in: unified.queue, ms }], after: [] };
  const before = [decode.prealloc, decode.transfer].map((name) => ({ in: name, ms: ms / 2 }));
  return { before, after: [] };
}
