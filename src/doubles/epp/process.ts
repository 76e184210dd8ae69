import type { IncomingMessage, ServerResponse } from 'node:http';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import { readPassage } from '../router/passage.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import type { Journal } from './journal.ts';
import { link } from './link.ts';
import type { PickerMetrics } from './metrics.ts';
import type { Picker } from './picker.ts';

const text = { 'content-type': 'text/plain' };
const at = ({ address, port }: Endpoint) => `${address}:${port}`;

/** Chooses for each request that Envoy brings, once: a choice is never taken back or made anew. */
export class Processor {
  readonly #endpoints: Endpoints;
  readonly #picker: Picker;
  readonly #journal: Journal;
  readonly #metrics: PickerMetrics;

  constructor(endpoints: Endpoints, picker: Picker, journal: Journal, metrics: PickerMetrics) {
    this.#endpoints = endpoints;
    this.#picker = picker;
    this.#journal = journal;
    this.#metrics = metrics;
  }

  async process(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passage = await readPassage(request, response);
    if (!passage) return;
    const { model, prompt } = passage;
    const window = this.#journal.begin();
    response.once('close', () => window.finish());
    const but = request.headers[link.notHeader];
    const endpoint = this.#picker.pick(
      this.#endpoints.choosable.filter((one) => at(one) !== but),
      prompt,
    );
    if (!endpoint) {
      this.#metrics.failed(model, 'ServiceUnavailable');
      response.writeHead(503, text).end(llmdRouter.noEndpoints, () => window.finish());
      return;
    }
    window.record(endpoint);
    this.#metrics.picked(endpoint, model);
    this.#metrics.running(model, 1);
    endpoint.running += 1;
    response.once('close', () => {
      endpoint.running -= 1;
      this.#metrics.running(model, -1);
    });
    response.writeHead(link.routed, { [llmdRouter.destinationHeader]: at(endpoint) });
    // The headers go out with the first piece of a body; when they are out, the choice has been sent.
    response.write('\n', () => window.finish());
  }
}
