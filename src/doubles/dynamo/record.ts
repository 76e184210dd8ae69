import { createHash } from 'node:crypto';
import { isStatus } from '../../cluster/errors.ts';
import { objectPath } from '../../cluster/paths.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';

const { record } = dynamoFacts;

/** An endpoint as it stands in a record. */
interface Endpoint {
  type: 'Endpoint';
  namespace: string;
  component: string;
  endpoint: string;
  instance_id: number;
  transport: { tcp: string };
}

/** The object in which a Pod stands in Kubernetes discovery. */
export interface WorkerRecord extends KubeObject {
  spec: { data: { endpoints?: Record<string, Endpoint>; model_cards?: Record<string, unknown> } };
}

/** Path of the records of a Kubernetes namespace. */
export const recordsPath = (namespace: string): string =>
  `/apis/${record.apiVersion}/namespaces/${namespace}/${record.plural}`;

/** A number that follows from the Pod's name alone and that a double-precision number holds, as in the real program. */
const instanceOf = (pod: string): number =>
  Number(BigInt(`0x${createHash('sha256').update(pod).digest('hex').slice(0, 16)}`) & 0x1f_ffff_ffff_ffffn);

/** What a worker registers. */
export interface Registered {
  component: string;
  endpoints: readonly string[];
  /** Absent: it serves no model of its own, and has no card. */
  model?: string | undefined;
  /** Host and port of the request plane. */
  address: string;
}

/** A worker's record: made once it serves, emptied of its endpoints when it unregisters. */
export class Registration {
  readonly #client: KubeClient;
  readonly #object: WorkerRecord;
  readonly #keys: readonly string[];

  constructor(client: KubeClient, env: NodeJS.ProcessEnv, { component, endpoints, model, address }: Registered) {
    const { POD_NAME: pod = '', POD_UID: uid = '', POD_NAMESPACE: kubeNamespace = '' } = env;
    const { DYN_NAMESPACE: namespace = 'dynamo' } = env;
    const instance = instanceOf(pod);
    this.#client = client;
    const keyOf = (endpoint: string) => `${namespace}/${component}/${endpoint}/${instance.toString(16)}`;
    const placeOf = (endpoint: string) => ({ namespace, component, endpoint, instance_id: instance });
    const [first = 'generate'] = endpoints;
    this.#keys = endpoints.map(keyOf);
    this.#object = {
      apiVersion: record.apiVersion,
      kind: record.kind,
      metadata: {
        name: pod,
        namespace: kubeNamespace,
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: pod, uid, controller: false, blockOwnerDeletion: false },
        ],
      },
      spec: {
        data: {
          endpoints: Object.fromEntries(
            endpoints.map((name) => [keyOf(name), { type: 'Endpoint', ...placeOf(name), transport: { tcp: address } }]),
          ),
          model_cards:
            model === undefined
              ? {}
              : { [keyOf(first)]: { type: 'Model', ...placeOf(first), card_json: { display_name: model } } },
        },
      },
    };
  }

  /** Puts the record there; one that an earlier run of the same container left is written over. */
  async register(): Promise<void> {
    const { namespace = '' } = this.#object.metadata;
    try {
      await this.#client.create(recordsPath(namespace), this.#object);
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
      await this.#client.patch(objectPath(this.#object), { spec: this.#object.spec });
    }
  }

  /** Takes the endpoints out of it. */
  unregister(): Promise<void> {
    return this.#empty({ endpoints: this.#none() });
  }

  /** Takes the rest out of it: the model card goes with the runtime. */
  withdraw(): Promise<void> {
    return this.#empty({ endpoints: this.#none(), model_cards: this.#none() });
  }

  async #empty(data: object): Promise<void> {
    try {
      await this.#client.patch(objectPath(this.#object), { spec: { data } });
    } catch (error) {
      if (!isStatus(error, 404)) throw error; // somebody has removed it: it stands nowhere any more
    }
  }

  #none(): Record<string, null> {
    return Object.fromEntries(this.#keys.map((key) => [key, null]));
  }
}
