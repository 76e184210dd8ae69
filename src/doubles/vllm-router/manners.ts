import { vllmRouter } from '../../routers/vllm-router.ts';
import type { Counters, Failure, Manners, Reply } from '../router/manners.ts';

const text = { 'content-type': 'text/plain; charset=utf-8' };

/** How vllm-router speaks; every text measured on 0.1.17. */
export const vllmManners = (count: Counters): Manners => ({
  count,
  failure,
  passesHeader: () => true,
  rewrite: ({ body }) => body,
  fails: (status) => status >= 500,
});

function failure(what: Failure): Reply {
  switch (what.kind) {
    case 'no-workers':
      return { status: 503, headers: text, body: vllmRouter.noWorkers, code: 'no_available_workers' };
    case 'no-answer': {
      const body = `Request failed: error sending request for url (${what.url})`;
      return { status: 500, headers: text, body, code: 'request_failed' };
    }
    case 'cut': {
      const body = `Failed to get response body: error decoding response body for url (${what.url})`;
      return { status: 500, headers: text, body, code: 'response_body' };
    }
  }
}
