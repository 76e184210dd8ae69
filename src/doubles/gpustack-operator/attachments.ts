import { isStatus } from '../../cluster/errors.ts';
import type { KubeClient, KubeObject } from '../../cluster/rest.ts';
import { annotations, labels, routerName } from '../../systems/gpustack/names.ts';
import { roleOf } from '../../systems/gpustack/readers.ts';
import type { ModelDeployment } from '../../systems/gpustack/types.ts';
import { isEligible } from './eligibility.ts';
import { routerCollections, routerObjects } from './render/router.ts';
import { services } from './render/services.ts';
import { leaving, paths, type Snapshot } from './snapshot.ts';

/** Creates, corrects and removes what stands around the replicas of a deployment: its Services and its router. */
export class Attachments {
  readonly #client: KubeClient;
  /** Deployments (by UID) whose router's account and rights were written by this process. */
  readonly #granted = new Set<string>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async ensure(deployment: ModelDeployment, snapshot: Snapshot): Promise<void> {
    const { namespace = '', uid = '' } = deployment.metadata;
    // Once a Service selects by eligibility it goes on so, whoever is eligible then.
    const decided = (role: string, name: string) =>
      snapshot.services.some((s) => s.metadata.name === name && selectorOf(s)[labels.eligible] !== undefined) ||
      snapshot.pods.some((pod) => roleOf(pod)?.role === role && belongs(pod, uid) && isEligible(pod));
    for (const service of services(deployment, decided)) await this.#service(service, snapshot.services);
    const { router } = deployment.spec;
    const found = snapshot.routers.find((r) => owned(r, uid));
    if (!router) {
      if (found && !leaving(found)) await this.#removeRouter(namespace, deployment.metadata.name);
      this.#granted.delete(uid);
      return;
    }
    for (const object of routerObjects(deployment, router)) {
      if (object.kind === 'Service') await this.#service(object, snapshot.services);
      else if (object.kind === 'Deployment') await this.#deployment(object, found);
      else if (!this.#granted.has(uid)) await this.#create(object);
    }
    this.#granted.add(uid);
  }

  async #service(wanted: KubeObject, existing: KubeObject[]): Promise<void> {
    const found = existing.find((s) => s.metadata.name === wanted.metadata.name);
    if (!found) return this.#create(wanted);
    if (shape(found) === shape(wanted) || leaving(found)) return;
    const { namespace = '', name } = wanted.metadata;
    // A merge would keep a label that is no longer asked for.
    const gone = Object.keys(selectorOf(found)).filter((key) => !Object.hasOwn(selectorOf(wanted), key));
    const selector = { ...selectorOf(wanted), ...Object.fromEntries(gone.map((key) => [key, null])) };
    const spec = { ...(wanted['spec'] as object), selector };
    await this.#client.patch(`${paths.services(namespace)}/${name}`, { spec });
  }

  async #deployment(wanted: KubeObject, found: KubeObject | undefined): Promise<void> {
    if (!found) return this.#create(wanted);
    const hash = (object: KubeObject) => object.metadata.annotations?.[annotations.routerHash];
    if (hash(found) === hash(wanted) || leaving(found)) return;
    const { metadata, spec } = wanted as KubeObject & { spec: { replicas: number; template: object } };
    await this.#client.patch(`/apis/apps/v1/namespaces/${metadata.namespace ?? ''}/deployments/${metadata.name}`, {
      metadata: { annotations: metadata.annotations },
      spec: { replicas: spec.replicas, template: spec.template },
    });
  }

  async #create(object: KubeObject): Promise<void> {
    const collection = routerCollections[object.kind ?? ''];
    if (!collection) throw new Error(`no collection is known for ${object.kind}`);
    try {
      await this.#client.create(collection(object.metadata.namespace ?? ''), object);
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
  }

  async #removeRouter(namespace: string, deployment: string): Promise<void> {
    for (const collection of Object.values(routerCollections)) {
      try {
        await this.#client.remove(`${collection(namespace)}/${routerName(deployment)}`);
      } catch (error) {
        if (!isStatus(error, 404)) throw error;
      }
    }
  }
}

const belongs = (pod: KubeObject, uid: string): boolean =>
  pod.metadata.ownerReferences?.some((o) => o.uid === uid) ?? false;

const selectorOf = (service: KubeObject): Record<string, string> =>
  (service['spec'] as { selector?: Record<string, string> }).selector ?? {};

const owned = (router: KubeObject, uid: string): boolean =>
  router.metadata.labels?.[labels.router] !== undefined &&
  (router.metadata.ownerReferences?.some((o) => o.uid === uid) ?? false);

/** What of a Service the operator says; the rest belongs to the API server. */
function shape(service: KubeObject): string {
  const { selector = {}, ports = [] } = service['spec'] as {
    selector?: Record<string, string>;
    ports?: { name?: string; port: number; targetPort?: unknown }[];
  };
  const sorted = Object.entries(selector).sort(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([sorted, ports.map(({ name, port, targetPort }) => [name, port, targetPort])]);
}
