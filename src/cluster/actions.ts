import type { Recorder } from '../history/event.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import { KubeError } from './errors.ts';
import type { GuardedClient } from './guard.ts';
import { collectionPath, objectPath, subjectOf } from './paths.ts';
import { patchTypes } from './rest.ts';
import type { KubeObject, RequestOptions } from './rest.ts';

/** What an action was answered. */
export interface ActionAnswer {
  /** HTTP status; 0 where no answer came. */
  status: number;
  object?: KubeObject | undefined;
  /** `reason` and `message` of a refusal. */
  reason?: string | undefined;
  message?: string | undefined;
}

/**
 * What the harness does to the system: each call is recorded as it is sent, exactly then, and with its answer. A refusal
 * by the API server is an answer and no error; a write that the guard refuses throws, and nothing is recorded of it as sent.
 */
export interface Actions {
  create(id: string, object: KubeObject): Promise<ActionAnswer>;
  patch(id: string, target: string, path: string, operations: object[]): Promise<ActionAnswer>;
  /** Deletes with the object's own grace; its UID, where known, is a precondition. */
  remove(id: string, object: KubeObject): Promise<ActionAnswer>;
  /** Evicts with the Pod's own grace and its UID as precondition. */
  evict(id: string, pod: KubeObject): Promise<ActionAnswer>;
  read(id: string, target: string, path: string): Promise<ActionAnswer>;
  /** Says by what it is known that the action took effect. */
  prove(id: string, proof: string): void;
}

/** The actions of a run on its cluster. Ids are the caller's, and name each action in the history. */
export function actions(client: GuardedClient, recorder: Recorder): Actions {
  const act = async (
    id: string,
    verb: string,
    target: string,
    method: string,
    path: string,
    options: RequestOptions = {},
  ) => {
    const subject = `action/${id}`;
    // Checked before the instant that is recorded, which is the one at which the request leaves.
    await client.check(method, path, options);
    await client.reached().catch(() => undefined); // where it is gone, this action is what tells it
    const request = options.body === undefined ? {} : { request: options.body };
    recorder.record('action.sent', exactly(now()), subject, { id, verb, target, ...request });
    const answer = await client.exchange<KubeObject>(method, path, { ...options, once: true }).then(
      ({ status, body }): ActionAnswer => ({ status, object: withoutManagedFields(body) }),
      (error: unknown): ActionAnswer => {
        if (!(error instanceof KubeError)) throw error;
        return { status: error.status, reason: error.reason, message: error.message };
      },
    );
    const { reason, message, object } = answer;
    recorder.record('action.answered', exactly(now()), subject, {
      id,
      status: answer.status,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
      ...(object === undefined ? {} : { object }),
    });
    return answer;
  };
  const preconditions = ({ metadata: { uid } }: KubeObject) => (uid ? { preconditions: { uid } } : {});
  return {
    create: (id, object) => act(id, 'create', target(object), 'POST', collectionPath(object), { body: object }),
    patch: (id, target, path, operations) =>
      act(id, 'patch', target, 'PATCH', path, { body: operations, contentType: patchTypes.json }),
    remove: (id, object) =>
      act(id, 'delete', target(object), 'DELETE', objectPath(object), {
        body: { ...DELETE_OPTIONS, ...preconditions(object) },
      }),
    evict: (id, pod) => {
      const { name, namespace } = pod.metadata;
      const deleteOptions = { ...DELETE_OPTIONS, ...preconditions(pod) };
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
      return act(id, 'evict', target(pod), 'POST', `${objectPath(pod)}/eviction`, { body });
    },
    read: (id, target, path) => act(id, 'get', target, 'GET', path),
    prove: (id, proof) => recorder.record('action.proved', exactly(now()), `action/${id}`, { id, proof }),
  };
}

const DELETE_OPTIONS = { apiVersion: 'v1', kind: 'DeleteOptions' } as const;

const target = ({ kind = '', metadata }: KubeObject) => subjectOf(kind, metadata);

/** An object without the book-keeping of its writers, which says nothing here and is half of its size. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!object?.metadata || !('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
