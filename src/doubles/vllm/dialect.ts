import type { Dialect } from '../openai/dialect.ts';
import { BadRequest } from '../openai/request.ts';
import type { VllmLog } from './log.ts';
import { Metrics } from './metrics.ts';
import type { VllmOptions } from './options.ts';

export const AFTER_SHUTDOWN = 'cannot schedule new futures after shutdown';
const ENGINE_DEAD = 'EngineCore encountered an issue. See stack trace (above) for the root cause.';

/** Body of an error as vLLM's OpenAI API writes it. */
const errorBody = (message: string, code: number, type: string, param: string | null) => ({
  error: { message, type, param, code },
});

/** vLLM's dialect of the API. `refusing` is set once the renderer has stopped. */
export interface VllmDialect extends Dialect {
  refusing: boolean;
}

export function vllmDialect(options: VllmOptions, log: VllmLog): VllmDialect {
  const dialect: VllmDialect = {
    refusing: false,
    choice: { stop_reason: null },
    dead: errorBody(ENGINE_DEAD, 500, 'InternalServerError', null),
    errorBody: ({ message, status, type, param }) => errorBody(message, status, type, param),
    modelCard: (model) => ({ id: model, owned_by: 'vllm', root: model, parent: null, max_model_len: 8192 }),
    // A prefiller hands out what the decoder needs to pull the KV with.
    whole: ({ remoteDecode }) =>
      options.kvRole === 'kv_consumer' || options.kvRole === undefined || !remoteDecode
        ? {}
        : { kv_transfer_params: { do_remote_prefill: true, do_remote_decode: false, remote_port: options.port } },
    idOf: ({ chat }, { headers }) => {
      const given = headers['x-request-id'];
      const base = typeof given === 'string' && given ? given : crypto.randomUUID().replaceAll('-', '');
      return `${chat ? 'chatcmpl' : 'cmpl'}-${base}`;
    },
    waits: (_generation, ms) => ({ before: [{ in: 'deferred', ms }], after: [] }),
    admit: () => {
      if (dialect.refusing) throw new BadRequest(AFTER_SHUTDOWN, 500, 'InternalServerError');
    },
    received: ({ chat, maxTokens, prompt }, id) => {
      if (!options.logRequests) return;
      const text = JSON.stringify(prompt.slice(0, 80));
      const params = `params: SamplingParams(n=1, max_tokens=${maxTokens}).`;
      log.info('logger.py:40', `Received request ${chat ? id : `${id}-0`}: prompt: ${text}, ${params}`);
    },
    metrics: new Metrics(options.model, options.ranks),
  };
  return dialect;
}
