import { sglangGateway } from '../../routers/sglang-gateway.ts';
import { vllmRouter } from '../../routers/vllm-router.ts';
import type { Counters, Failure, Manners, Reply } from '../router/manners.ts';
import type { Passage } from '../router/passage.ts';

/** How the SGLang gateway speaks; every text measured on sglang-router 0.3.2. */
export const gatewayManners = (count: Counters): Manners => ({
  count,
  failure,
  // A client's other headers stop here.
  passesHeader: (name) => ['authorization', 'content-type', 'traceparent', 'tracestate', 'x-request-id'].includes(name),
  rewrite,
  fails: (status) => status >= 400,
});

function failure(what: Failure): Reply {
  switch (what.kind) {
    case 'no-workers':
      return own(503, 'Service Unavailable', 'no_available_workers', vllmRouter.noWorkers);
    case 'no-answer': {
      const { url } = what;
      const message = `error sending request for url (${url}). URL: ${url}`;
      return own(500, 'Internal Server Error', 'call_upstream_request_error', message);
    }
    case 'cut': {
      const message = 'Failed to get response body: error decoding response body';
      return own(500, 'Internal Server Error', 'read_response_body_failed', message);
    }
  }
}

const own = (status: number, type: string, code: string, message: string): Reply => ({
  status,
  headers: { 'content-type': 'application/json', [sglangGateway.errorHeader]: code },
  body: JSON.stringify({ error: { type, code, message } }),
  code,
});

/** A chat request's `max_tokens` goes on under its newer name. */
function rewrite({ route, body }: Passage): Buffer {
  if (route !== '/v1/chat/completions') return body;
  const { max_tokens: tokens, ...rest } = JSON.parse(body.toString()) as Record<string, unknown>;
  return tokens === undefined ? body : Buffer.from(JSON.stringify({ ...rest, max_completion_tokens: tokens }));
}
