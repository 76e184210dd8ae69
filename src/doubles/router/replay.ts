import type { IncomingMessage } from 'node:http';
import type { Program } from '../program.ts';
import type { Passage } from './passage.ts';

/** Documented seconds without a byte after which the fault takes a stream for cut. */
const SILENCE = 2;

/** An event that tells of a cut: an abort as finish reason, or an error instead of an end. */
const tellsOfCut = (event: string): boolean => /"finish_reason":"abort"|^data: \{"error":/.test(event);

/** Sends a request once more, to another worker than `but`. */
export type Resend<W> = (
  but: W,
  on: { answer: (worker: W, answer: IncomingMessage) => void; none: () => void },
) => void;

/**
 * Fault router-retries-midstream: whatever cuts a stream (closed connection, abort, error event, silence) makes the
 * router send the request to another replica and write that answer behind what the client already has.
 */
export function replayCuts<W>(
  program: Program,
  passage: Passage,
  worker: W,
  answer: IncomingMessage,
  resend: Resend<W>,
): void {
  const { response } = passage;
  let rest = '';
  let over = false;
  let silence: NodeJS.Timeout | undefined;
  const cut = () => {
    if (over) return;
    over = true;
    clearTimeout(silence);
    answer.destroy();
    if (response.destroyed) return;
    program.log(`INFO Retrying ${passage.requestId}`);
    resend(worker, {
      answer: (other, next) => replayCuts(program, passage, other, next, resend),
      none: () => response.destroy(),
    });
  };
  answer.setEncoding('utf8');
  answer.on('data', (part: string) => {
    clearTimeout(silence);
    silence = setTimeout(cut, program.scale.toMs(SILENCE));
    const events = (rest + part).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (over) return;
      if (tellsOfCut(event)) cut();
      else response.write(`${event}\n\n`);
    }
  });
  answer.on('error', cut);
  answer.on('end', () => {
    clearTimeout(silence);
    if (!over) response.end(rest);
    over = true;
  });
  response.once('close', () => {
    over = true;
    clearTimeout(silence);
  });
}
