import type { PlannedRequest } from './plan.ts';

/**
 * Whose words bodies hold: `doubles` are told how fast they are to be; `engines` are real, behind whichever router; `dynamo` is a
 * real frontend of it, which refuses every field that it does not know.
 */
export type Listener = 'doubles' | 'engines' | 'dynamo';

/** The body of a streamed completion that makes exactly the tokens of its plan; its prompt is the request's id. */
export function completionBody(
  { id, tokens, tokenSeconds, waitsForKv, waitsIn }: PlannedRequest,
  model: string,
  listener: Listener,
): string {
  const plain = { model, prompt: id, stream: true, max_tokens: tokens, ignore_eos: true };
  // A real frontend of Dynamo refuses what it does not know; an annotation reaches the worker, which takes its time for it.
  const annotations = [`quiesce-prefill-seconds=${waitsForKv}`];
  if (listener === 'dynamo') return JSON.stringify(waitsForKv > 0 ? { ...plain, nvext: { annotations } } : plain);
  // SGLang takes a request's id from its body; vLLM, which has it from X-Request-Id, ignores this.
  const named = { ...plain, rid: id };
  if (listener === 'engines') return JSON.stringify(named);
  return JSON.stringify({
    ...named,
    // Read by a double of an engine alone; a real one ignores it.
    quiesce: {
      token_seconds: tokenSeconds,
      ...(waitsForKv > 0 ? { kv_wait_seconds: waitsForKv } : {}),
      ...(waitsIn === undefined ? {} : { waits_in: waitsIn }),
    },
  });
}

/** The events by which a session says of which model and how long, and then asks for its one response. */
export const sessionEvents = ({ tokens, tokenSeconds }: PlannedRequest, model: string): string[] =>
  [
    { type: 'session.update', session: { type: 'realtime', model, max_output_tokens: tokens } },
    // What stands under `quiesce` is read by a double alone.
    { type: 'response.create', quiesce: { tokens, token_seconds: tokenSeconds } },
  ].map((event) => JSON.stringify(event));
