import type { Recorder } from '../history/event.ts';
import { clockOrigin, now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Interval } from '../time/interval.ts';
import { KubeError } from './errors.ts';
import type { KubeClient } from './rest.ts';

/** Milliseconds between two samples; a second's turn is found to within this and a round trip. */
const EVERY_MS = 20;

/** Samples are taken for this many milliseconds: one turn of a second is among them. */
const SPAN_MS = 1100;

/** A bound of this many milliseconds is good enough to stop early. */
const ENOUGH_MS = 100;

/** Milliseconds that a server's Date may lag behind its clock: Node renders it once a second, by a timer. */
const DATE_LAG_MS = 50;

/**
 * How far the API server's clock is ahead of the harness's (clock origin plus monotonic time), in milliseconds. Its Date
 * header has whole seconds; the samples around a second's turn bound it to a small part of one.
 * @throws KubeError where the API server does not answer, or without a Date
 */
export async function measureOffset(client: KubeClient): Promise<Interval> {
  const start = now();
  let bound: Interval = [-Infinity, Infinity];
  let widest: Interval = [Infinity, -Infinity];
  for (;;) {
    const sample = await sampleOffset(client);
    widest = [Math.min(widest[0], sample[0]), Math.max(widest[1], sample[1])];
    bound = [Math.max(bound[0], sample[0]), Math.min(bound[1], sample[1])];
    // Samples that exclude each other: a clock was set meanwhile. Then nothing narrower than all of them is sure.
    if (bound[0] > bound[1]) return widest;
    if (bound[1] - bound[0] <= ENOUGH_MS || now() - start >= SPAN_MS) return bound;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

/** Measures and records the offset of a node whose clock is the API server's, as on one machine. */
export async function recordOffset(client: KubeClient, node: string, recorder: Recorder): Promise<Interval> {
  const offset = await measureOffset(client);
  recorder.record('clock.offset', exactly(now()), `Node/${node}`, { node, offset: [...offset] });
  return offset;
}

function sampleOffset(client: KubeClient): Promise<Interval> {
  const path = '/readyz';
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new KubeError('GET', path, 0, undefined, cause));
    const sent = clockOrigin() + now();
    const request = client.open('GET', path);
    request.setTimeout(5000, () => request.destroy(new Error('no answer within 5000 ms')));
    request.on('error', fail);
    request.on('response', (response) => {
      const answered = clockOrigin() + now();
      response.resume();
      response.on('error', fail);
      response.on('end', () => {
        const second = Date.parse(response.headers.date ?? '');
        if (Number.isNaN(second)) fail(new Error('the answer has no Date'));
        // Some instant between sent and answered was within that second on the server's clock.
        else resolve([second - answered, second + 1000 + DATE_LAG_MS - sent]);
      });
    });
    request.end();
  });
}
