import type { IncomingMessage, ServerResponse } from 'node:http';
import { llmdRouter } from '../../routers/llm-d-router.ts';
import { routingProxy } from '../../routers/routing-proxy.ts';
import { readPassage } from '../router/passage.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import type { Journal } from './journal.ts';
import { link } from './link.ts';
import type { PickerMetrics } from './metrics.ts';
import type { Picker } from './picker.ts';
import type { Split } from './profile.ts';

const text = { 'content-type': 'text/plain' };
/** Characters of a prompt for each of its tokens, as the picker estimates them. */
const PER_TOKEN = 4;

const has = (labels: Record<string, string>) => (one: Endpoint) =>
  Object.entries(labels).every(([key, value]) => one.labels[key] === value);
const at = ({ address, port }: Endpoint) => `${address}:${port}`;

/** Chooses for each request that Envoy brings, once: a choice is never taken back or made anew. */
export class Processor {
  readonly #endpoints: Endpoints;
  readonly #picker: Picker;
  readonly #journal: Journal;
  readonly #metrics: PickerMetrics;
  readonly #split: Split | undefined;

  constructor(endpoints: Endpoints, picker: Picker, journal: Journal, metrics: PickerMetrics, split?: Split) {
    this.#split = split;
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
    const all = this.#endpoints.choosable.filter((one) => at(one) !== but);
    const split = this.#split;
    const endpoint = this.#picker.pick(split ? all.filter(has(split.decode)) : all, prompt);
    const long = split !== undefined && prompt.length / PER_TOKEN >= split.fromTokens;
    const prefiller = long ? this.#picker.pick(all.filter(has(split.prefill)), prompt) : undefined;
    if (!endpoint) {
      this.#metrics.failed(model, 'ServiceUnavailable');
      response.writeHead(503, text).end(llmdRouter.noEndpoints, () => window.finish());
      return;
    }
    window.record(endpoint);
    if (prefiller) window.record(prefiller);
    this.#metrics.picked(endpoint, model);
    this.#metrics.running(model, 1);
    endpoint.running += 1;
    response.once('close', () => {
      endpoint.running -= 1;
      this.#metrics.running(model, -1);
    });
    response.writeHead(link.routed, {
      [llmdRouter.destinationHeader]: at(endpoint),
      ...(prefiller ? { [routingProxy.prefillerHeader]: at(prefiller) } : {}),
    });
    // The headers go out with the first piece of a body; when they are out, the choice has been sent.
    response.write('\n', () => window.finish());
  }
}
