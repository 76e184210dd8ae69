import http from 'node:http';
import https from 'node:https';
import type { ObservedWorker, ObserverView } from '../../../routers/observer.ts';
import { annotations, defaults, labels } from '../../../systems/gpustack/names.ts';
import { replicaReady, roleOf, type Pod } from '../../../systems/gpustack/readers.ts';
import type { DeploymentInput, Retirement, RoleInput } from '../../../systems/gpustack/types.ts';
import { freshAddress } from '../../testing/wire.ts';
import type { RetirementFault } from '../faults.ts';
import type { Release } from '../../../systems/gpustack/operator.ts';
import { Lab } from '../lab.testing.ts';
import { SCALE, type Bench } from './bench.testing.ts';
import { paths } from '../snapshot.ts';

/** Answers of a member's `/metrics`, in turn; the last one goes on. A function answers as it likes. */
export type Page = string | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

const gauges = (running: number, waiting = 0) =>
  `vllm:num_requests_running{engine="0"} ${running}\nvllm:num_requests_waiting{engine="0"} ${waiting}\n`;
export const pages = { idle: gauges(0), busy: gauges(2, 1), of: gauges } as const;

interface Engine {
  pages: Page[];
  reads: number;
  server: http.Server | undefined;
}

/** A namespace with engines that answer and one router that tells what it is told to tell. */
export class RetireLab {
  readonly lab: Lab;
  readonly bench: Bench;
  /** Every status of the retirement that was stored, in order; null where it was cleared. */
  readonly told: (Retirement | null)[] = [];
  readonly #engines = new Map<string, Engine>();
  readonly #routers: http.Server[] = [];
  /** Answers of the router: a view made from the Pods, unless a test says otherwise. */
  view: (() => { status?: number; body: string } | undefined) | undefined;
  /** UIDs that the router is said to serve although they have lost their label. */
  readonly clings = new Set<string>();
  /** UIDs with a recent dispatch. */
  readonly recent = new Set<string>();
  observed = 0;

  private constructor(bench: Bench, lab: Lab) {
    this.bench = bench;
    this.lab = lab;
    lab.onDeployment = ({ status }) => {
      const now = status?.retirement ?? null;
      if (JSON.stringify(this.told.at(-1) ?? null) !== JSON.stringify(now)) this.told.push(now);
    };
  }

  static async open(bench: Bench, name: string): Promise<RetireLab> {
    return new RetireLab(bench, await Lab.open(bench.server, name));
  }

  start(
    faults: RetirementFault[] = [],
    { release = 'v0.9.2', factor = SCALE }: { release?: Release; factor?: number } = {},
  ) {
    this.lab.start(faults, release, factor);
  }

  async close(): Promise<void> {
    await this.lab.close();
    const servers = [...this.#routers, ...[...this.#engines.values()].flatMap(({ server }) => server ?? [])];
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  /** Deploys, with a router that can be read unless `router` is null, and engines that are idle. */
  async deploy(
    name: string,
    roles: RoleInput[],
    more: Partial<DeploymentInput> & { router?: never } = {},
    router = 'vllm-router',
  ) {
    const named = router === '' ? {} : { router: { name: router as 'vllm-router' } };
    await this.lab.create(name, roles, { ...more, ...named });
    await this.lab.settled(name);
    for (const pod of this.lab.pods) await this.serve(pod, [pages.idle]);
    if (router !== '') await this.route(name, router);
  }

  /** Makes a Pod's engine answer. */
  async serve(pod: Pod, answers: Page[], tls?: https.ServerOptions): Promise<Engine> {
    const known = this.#engines.get(pod.metadata.uid ?? '');
    if (known) {
      known.pages = answers;
      return known;
    }
    const engine: Engine = { pages: answers, reads: 0, server: undefined };
    this.#engines.set(pod.metadata.uid ?? '', engine);
    const answer: http.RequestListener = (request, response) => {
      engine.reads += 1;
      const page = engine.pages.length > 1 ? engine.pages.shift() : engine.pages[0];
      if (typeof page === 'function') page(request, response);
      else response.end(page);
    };
    engine.server = tls ? https.createServer(tls, answer) : http.createServer(answer);
    const port = Number(pod.metadata.annotations?.[annotations.scrapePort] ?? defaults.servingPort);
    await new Promise<void>((done) => engine.server?.listen(port, pod.status?.podIP, done));
    return engine;
  }

  engineOf(pod: Pod): Engine {
    const found = this.#engines.get(pod.metadata.uid ?? '');
    if (!found) throw new Error(`no engine answers for ${pod.metadata.name}`);
    return found;
  }

  /** A router Pod with its owners, and the process in it. */
  async route(deployment: string, router: string): Promise<void> {
    const { client, ns } = this.lab;
    const name = `${deployment}-router`;
    const apps = `/apis/apps/v1/namespaces/${ns}`;
    const owner = await this.lab.until('router Deployment', async () => {
      const found = await client.list(`${apps}/deployments`);
      return found.find((d) => d.metadata.name === name);
    });
    const marks = { [labels.name]: 'model-deployment', [labels.instance]: deployment, [labels.router]: router };
    const ownedBy = (kind: string, object: { metadata: { name: string; uid?: string } }) => [
      { apiVersion: 'apps/v1', kind, name: object.metadata.name, uid: object.metadata.uid ?? '', controller: true },
    ];
    const template = { metadata: { labels: marks }, spec: { containers: [{ name: 'router', image: 'any' }] } };
    const set = await client.create<typeof owner>(`${apps}/replicasets`, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `${name}-1`, labels: marks, ownerReferences: ownedBy('Deployment', owner) },
      spec: { replicas: 1, selector: { matchLabels: marks }, template },
    });
    const metadata = { name: `${name}-1-a`, labels: marks, ownerReferences: ownedBy('ReplicaSet', set) };
    const address = freshAddress();
    const server = http.createServer((request, response) => {
      this.observed += 1;
      const said = this.view?.() ?? { body: JSON.stringify(this.#viewNow(deployment)) };
      response.statusCode = request.url === '/observer/endpoints' ? (said.status ?? 200) : 404;
      response.end(said.body);
    });
    this.#routers.push(server);
    const port = router === 'llm-d-router' ? 9090 : 8081;
    await new Promise<void>((done) => server.listen(port, address, done));
    await client.create(`${paths.pods(ns)}`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { ...template.spec, nodeName: 'any' },
    });
    await client.patch(`${paths.pods(ns)}/${metadata.name}/status`, { status: { phase: 'Running', podIP: address } });
  }

  #viewNow(deployment: string): ObserverView {
    const workers = this.lab.pods
      .filter((pod) => roleOf(pod)?.deployment === deployment)
      .map((pod): ObservedWorker => {
        const uid = pod.metadata.uid ?? '';
        const eligible = pod.metadata.labels?.[labels.eligible] === 'true' && replicaReady(pod);
        const serves = eligible || this.clings.has(uid);
        return {
          url: `http://${pod.status?.podIP}:8000`,
          port: '8000',
          role: roleOf(pod)?.role ?? '',
          pod_hint: pod.metadata.name,
          worker_id: `${this.lab.ns}/${pod.metadata.name}`,
          selection: { registered: serves, healthy: serves, circuit_open: false, in_selection: serves },
          ...(this.recent.has(uid) ? { last_job: { recent_dispatch: true } } : {}),
        };
      })
      .filter(({ selection, last_job: job }) => selection.in_selection || job);
    return { router: { boot_generation: 1, now_ms: Date.now() }, registry_revision: 1, workers };
  }

  replicas(name: string, value: number, role = 0): Promise<number> {
    return this.lab.edit(name, [{ op: 'replace', path: `/spec/roles/${role}/replicas`, value }]);
  }

  /** The replica's Pods, lowest seat first. */
  pods(role: string, ordinal: number): Pod[] {
    const seat = (pod: Pod) => pod.metadata.labels?.[labels.memberIndex] ?? '';
    return this.lab.pods
      .filter((pod) => roleOf(pod)?.role === role && roleOf(pod)?.ordinal === ordinal)
      .sort((a, b) => seat(a).localeCompare(seat(b)));
  }

  /** The retirement, once it satisfies `fact`. */
  until(name: string, what: string, fact: (retirement: Retirement) => boolean): Promise<Retirement> {
    return this.lab.until(`retirement of ${name}: ${what}`, async () => {
      const { status } = await this.lab.deployment(name);
      return status?.retirement && fact(status.retirement) ? status.retirement : undefined;
    });
  }

  /** Settles when there was an operation and none is left. */
  async ended(name: string): Promise<void> {
    await this.lab.until(`end of the retirement of ${name}`, async () => {
      return this.told.some((r) => r !== null) && !(await this.lab.deployment(name)).status?.retirement;
    });
  }

  /** States in the order in which they were stored, each once in a row. */
  get states(): string[] {
    const all = this.told.map((retirement) => retirement?.state ?? 'none');
    return all.filter((state, index) => state !== all[index - 1]);
  }

  get reasons(): string[] {
    return [...new Set(this.told.map((retirement) => retirement?.reason ?? ''))];
  }
}
