import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { Watch } from '../../cluster/watch.ts';
import { dynamoFacts } from '../../engines/dynamo/facts.ts';
import { recordsPath, type WorkerRecord } from './record.ts';

/** One endpoint of a worker as discovery shows it. */
export interface Instance {
  id: number;
  /** Host and port of its request plane. */
  address: string;
  component: string;
  endpoint: string;
  model: string;
}

/** A model's card, as far as anybody here reads it. */
interface Card {
  namespace?: string;
  card_json?: { display_name?: string };
}

const cardsOf = ({ spec: { data } }: WorkerRecord): Card[] => Object.values(data.model_cards ?? {}) as Card[];

interface Slice extends KubeObject {
  /** Null where a Service has no Pod. */
  endpoints?: { conditions?: { ready?: boolean }; targetRef?: { name?: string } }[] | null;
}

const slicesPath = (namespace: string): string => {
  const selector = encodeURIComponent(`${dynamoFacts.labels.discoveryBackend}=kubernetes`);
  return `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
};

/**
 * The instances that Kubernetes discovery tells of: those Pods that an EndpointSlice calls ready and whose record has an
 * endpoint. `frozenAt`: nothing is learned any more once so many are known.
 */
export class Fleet {
  readonly #records = new Map<string, WorkerRecord>();
  readonly #slices = new Map<string, Slice>();
  readonly #watches: { stop(): void }[];
  readonly #frozenAt: number | undefined;
  readonly #graph: string;
  /** Called with each model that has lost its last worker. */
  onModelGone: ((model: string) => void) | undefined;
  #known: Instance[] = [];
  #models: ReadonlySet<string> = new Set();

  /** `graph`: the Dynamo namespace whose workers count. */
  constructor(client: KubeClient, namespace: string, graph: string, frozenAt: number | undefined) {
    this.#frozenAt = frozenAt;
    this.#graph = graph;
    const follow = <T extends KubeObject>(into: Map<string, T>) => ({
      event: (type: string, object: T) => {
        if (type === 'DELETED') into.delete(object.metadata.name);
        else into.set(object.metadata.name, object);
        this.#learn();
      },
    });
    this.#watches = [
      new Watch(client, recordsPath(namespace), follow(this.#records)),
      new Watch(client, slicesPath(namespace), follow(this.#slices)),
    ];
  }

  get all(): readonly Instance[] {
    return this.#known;
  }

  /** Whether a record has a card of it, with an endpoint that serves it or without. */
  knowsModel(model: string): boolean {
    return this.#models.has(model);
  }

  /** Learns nothing more, and knows nobody: the runtime is gone. */
  close(): void {
    for (const watch of this.#watches) watch.stop();
    this.#known = [];
  }

  #learn(): void {
    if (this.#frozenAt !== undefined && this.#known.length >= this.#frozenAt) return;
    const ready = new Set(
      [...this.#slices.values()].flatMap(({ endpoints }) =>
        (endpoints ?? []).flatMap((one) => (one.conditions?.ready && one.targetRef?.name ? [one.targetRef.name] : [])),
      ),
    );
    const before = new Set(this.#known.map(({ model }) => model));
    const records = [...this.#records.values()];
    const cards = records.flatMap(cardsOf).filter(({ namespace }) => namespace === this.#graph);
    this.#models = new Set(cards.flatMap(({ card_json: card }) => card?.display_name ?? []));
    this.#known = records.flatMap((one) => {
      const { metadata, spec } = one;
      if (!ready.has(metadata.ownerReferences?.[0]?.name ?? metadata.name)) return [];
      const [card] = cardsOf(one);
      return Object.values(spec.data.endpoints ?? {})
        .filter(({ namespace }) => namespace === this.#graph)
        .map(({ instance_id: id, component, endpoint, transport: { tcp: address } }) => {
          return { id, address, component, endpoint, model: card?.card_json?.display_name ?? '' };
        });
    });
    for (const model of before) if (!this.#known.some((one) => one.model === model)) this.onModelGone?.(model);
  }
}
