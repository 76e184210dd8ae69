import type http from 'node:http';
import { isStatus } from './errors.ts';
import { OWNED_LABEL } from './ownership.ts';
import { parseApiPath } from './paths.ts';
import type { ApiPath } from './paths.ts';
import { changesLabel } from './label-change.ts';
import { Patience } from './patience.ts';
import { KubeClient } from './rest.ts';
import type { Answer, Connection, KubeObject, RequestOptions } from './rest.ts';

export type GuardRule = 'grace' | 'ownership' | 'label' | 'path';

/** A write that the harness must never make; nothing was sent. */
export class GuardError extends Error {
  readonly code = 'QUIESCE_GUARD';
  readonly rule: GuardRule;
  constructor(rule: GuardRule, method: string, path: string, problem: string) {
    super(`${method} ${path} was not sent: ${problem}`);
    this.name = 'GuardError';
    this.rule = rule;
  }
}

/**
 * The client through which the harness writes. It never forces a delete or lowers a grace, and never touches what does
 * not carry its run's label: a namespaced object through its namespace, any other by itself. Reads pass. It waits for an
 * API server that is away for a moment.
 */
export class GuardedClient extends KubeClient {
  readonly run: string;
  readonly #owned = new Set<string>();
  readonly #patience = new Patience();
  #allowed = false;

  /** `run`: the id of the run, which the label of everything that it owns carries. */
  constructor(connection: Connection, run: string) {
    super(connection);
    this.run = run;
  }

  /** @throws GuardError where the write is refused, else as {@link KubeClient.exchange} */
  override async exchange<T = KubeObject>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<T>> {
    await this.check(method, path, options);
    const send = () => {
      this.#allowed = true;
      try {
        return super.exchange<T>(method, path, options);
      } finally {
        this.#allowed = false;
      }
    };
    return options.once ? send() : this.#patience.through(method, send);
  }

  /** Waits until the API server answers: what is sent then leaves when it is said to. @throws KubeError where it is gone */
  async reached(): Promise<void> {
    await this.get('/version');
  }

  /** @throws GuardError for anything but a read: a bare request cannot be checked */
  override open(
    method: string,
    path: string,
    headers?: Record<string, string>,
    agent?: http.Agent | false,
  ): http.ClientRequest {
    if (method !== 'GET' && !this.#allowed)
      throw new GuardError('path', method, path, 'a write needs its body to be checked');
    return super.open(method, path, headers, agent);
  }

  /** @throws GuardError where this request would be refused */
  async check(method: string, path: string, { body }: RequestOptions = {}): Promise<void> {
    if (method === 'GET') return;
    const target = parseApiPath(path);
    const refuse = (rule: GuardRule, problem: string): never => {
      throw new GuardError(rule, method, path, problem);
    };
    if (!target) return refuse('path', 'it names no resource');
    if (setsGrace(target, method, body)) refuse('grace', 'a delete keeps the grace that the object has');
    if (
      ['PATCH', 'PUT'].includes(method) &&
      !target.subresource &&
      changesLabel(method, body, this.run, isOwner(target))
    ) {
      refuse('label', `it would change the label ${OWNED_LABEL}`);
    }
    if (method === 'POST' && target.resource.endsWith('reviews')) return; // a question in the form of a write
    if (target.namespace !== undefined) {
      if (!(await this.#ownsNamespace(target.namespace))) {
        refuse('ownership', `namespace ${target.namespace} does not carry ${OWNED_LABEL}=${this.run}`);
      }
    } else if (target.name === undefined) {
      if (method !== 'POST') refuse('ownership', 'it would touch a whole collection of the cluster');
      if (!this.#isOurs(body)) refuse('label', `the object does not carry ${OWNED_LABEL}=${this.run}`);
    } else if (!(await this.#ownsObject(path, target, body))) {
      refuse('ownership', `${target.resource}/${target.name} does not carry ${OWNED_LABEL}=${this.run}`);
    }
    if (method === 'DELETE' && target.resource === 'namespaces' && target.name) this.#owned.delete(target.name);
  }

  async #ownsNamespace(name: string): Promise<boolean> {
    if (this.#owned.has(name)) return true;
    const owns = await this.#carriesLabel(`/api/v1/namespaces/${name}`);
    if (owns) this.#owned.add(name);
    return owns === true;
  }

  /** Of an object that is not there yet (server-side apply), what is to be created counts. */
  async #ownsObject(path: string, { subresource, query }: ApiPath, body: unknown): Promise<boolean> {
    let object = path.slice(0, path.length - (query.size > 0 ? path.length - path.indexOf('?') : 0));
    if (subresource) object = object.slice(0, -subresource.length - 1);
    return (await this.#carriesLabel(object)) ?? this.#isOurs(body);
  }

  /** Undefined where there is no such object. */
  async #carriesLabel(path: string): Promise<boolean | undefined> {
    try {
      return this.#isOurs((await this.#patience.through('GET', () => super.exchange('GET', path))).body);
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  #isOurs(object: unknown): boolean {
    return (object as Partial<KubeObject> | undefined)?.metadata?.labels?.[OWNED_LABEL] === this.run;
  }
}

/** Whether the object's own label, not its namespace's, is what makes it ours. */
const isOwner = (target: ApiPath): boolean => target.namespace === undefined;

function setsGrace({ query, subresource }: ApiPath, method: string, body: unknown): boolean {
  const options = (subresource === 'eviction' ? (body as { deleteOptions?: unknown })?.deleteOptions : body) as
    { gracePeriodSeconds?: unknown } | null | undefined;
  const deletes = method === 'DELETE' || subresource === 'eviction';
  return deletes && (query.has('gracePeriodSeconds') || options?.gracePeriodSeconds !== undefined);
}
