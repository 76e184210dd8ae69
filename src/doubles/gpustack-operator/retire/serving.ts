import { observer, parseObserverView, recentDispatch, type ObserverView } from '../../../routers/observer.ts';
import type { Pod } from '../../../systems/gpustack/readers.ts';
import type { ModelDeployment, RouterName } from '../../../systems/gpustack/types.ts';
import type { Context } from '../context.ts';
import { leaving } from '../snapshot.ts';
import { fetchView } from './fetch.ts';
import { routerPods } from './routers.ts';

/** What the routers of a deployment say together of whom they serve. */
export type Serving =
  | { state: 'NotConfigured' }
  | { state: 'Unknown'; why: string }
  /** `serving`, `recent`: UIDs of Pods in selection, and of those with a recent dispatch. */
  | { state: 'Confirmed'; serving: ReadonlySet<string>; recent: ReadonlySet<string> };

/** Reads every router process once. A view that cannot be used makes the whole answer Unknown, never a zero. */
export async function observeServing(deployment: ModelDeployment, pods: Pod[], context: Context): Promise<Serving> {
  const { router } = deployment.spec;
  if (!router) return { state: 'NotConfigured' };
  const processes = await routerPods(context.client, deployment);
  if (processes.length === 0) return { state: 'Unknown', why: 'no router view was collected' };
  const deadline = Date.now() + context.scale.toMs(observer.pass);
  const views = await Promise.all(
    processes.map(async (pod): Promise<{ rows: Row[] } | { why: string }> => {
      try {
        const port = observer.port[router.name as RouterName];
        const view = parseObserverView(await fetchView(pod.status?.podIP ?? '', port, deadline - Date.now()));
        return { rows: rowsOf(view, router.name, context.faults.has('retire-any-dispatch-holds')) };
      } catch (error) {
        return { why: `router ${pod.metadata.name}: ${(error as Error).message}` };
      }
    }),
  );
  const serving = new Set<string>();
  const recent = new Set<string>();
  for (const found of views) {
    if ('why' in found) return { state: 'Unknown', why: found.why };
    for (const worker of found.rows) {
      const host = hostOf(worker.url);
      const here = pods.filter((pod) => pod.status?.podIP === host);
      if (worker.recent) for (const { metadata } of here) recent.add(metadata.uid ?? '');
      if (!worker.served) continue;
      // One that is served and cannot be told is no answer at all: it might be the target.
      const [pod, ...more] = here;
      if (!pod || more.length > 0) return unbound(host, `resolves to ${here.length} live pods, not one`);
      if (leaving(pod) || pod.status?.phase !== 'Running')
        return unbound(host, `is pod ${pod.metadata.name} which is not live`);
      serving.add(pod.metadata.uid ?? '');
    }
  }
  if (context.faults.has('serving-counts-recent')) for (const uid of recent) serving.add(uid);
  return { state: 'Confirmed', serving, recent };
}

interface Row {
  url: string;
  served: boolean;
  /** Out of selection, but sent to a moment ago; llm-d-router alone keeps such a journal. */
  recent: boolean;
}

/** `any`: for a fault alone, rows in selection are looked at too. */
const rowsOf = ({ workers }: ObserverView, router: string, any: boolean): Row[] =>
  workers.map((worker) => {
    const served = worker.selection.in_selection;
    const asked = router === 'llm-d-router' && (any || !served);
    return { url: worker.url, served, recent: asked && recentDispatch(worker) };
  });

const unbound = (host: string, why: string): Serving => ({
  state: 'Unknown',
  why: `binding indeterminate: ${host || 'a worker without an address'} ${why}`,
});

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
}
