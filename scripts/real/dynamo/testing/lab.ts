import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ClusterProcess } from '../../../../fixtures/cluster-process.ts';
import { environmentOf } from '../../../../fixtures/testing/environment.ts';
import { catalogue } from '../../../../suites/catalogue.ts';
import { decide, frontend, graphs, pod, scenarioOf, worker } from '../../../../suites/dynamo/scenario.ts';
import { GuardedClient } from '../../../../src/cluster/guard.ts';
import { readKubeconfig } from '../../../../src/cluster/kubeconfig.ts';
import { KubeClient, type Connection } from '../../../../src/cluster/rest.ts';
import type { ImageMap } from '../../../../src/doubles/images.ts';
import { readBundle } from '../../../../src/history/bundle.ts';
import { judge } from '../../../../src/judge/judge.ts';
import { runScenario } from '../../../../src/scenario/run.ts';
import { createDefinitions } from '../../../../src/systems/gpustack/install.ts';
import { dynamoDefinitions } from '../../../../src/systems/gpustack/manifests.ts';
import { scratch } from '../../../testing/cli.ts';
import { realDynamo } from '../places.ts';

/** Decided by the log and the record of a worker that leaves, by its stream, by its exit, and by what it leaves behind. */
const requirements = ['DY-SG-01', 'DY-SQ-01', 'DY-SQ-02', 'DY-SQ-03', 'DY-ED-01', 'DY-MG-04', 'DY-CL-04'];

/** What a graph of one frontend and one worker, whose worker is deleted under a stream, came to. */
export interface Came {
  outcomes: Record<string, string>;
  /** What was seen, all findings in one text. */
  seen: string;
  problems: string[];
  /** Milliseconds of the wall. */
  took: number;
}

interface Trouble {
  real: boolean;
  /** Before those of the real programs, or of the doubles. */
  images?: ImageMap;
  /** What stands between a Pod and the API server. */
  between?: { upstream?: Connection };
  env?: Record<string, string>;
  readyMs?: number;
  /** Done once the stream flows; the namespace is the graph's. */
  disturb?: (client: KubeClient, namespace: string) => Promise<void>;
}

/** Deletes a worker under a stream, on a cluster of its own, with a trouble; answers its verdicts. Doubles are ten times as fast. */
export async function leaveWith(t: TestContext, trouble: Trouble): Promise<Came> {
  const { real, env = {}, readyMs, disturb, between } = trouble;
  const folder = scratch(t);
  const images = join(folder, 'images.json');
  writeFileSync(images, JSON.stringify({ ...(real ? realDynamo() : {}), ...trouble.images }));
  const timeScale = real ? 1 : 10;
  const cluster = await ClusterProcess.start({ timeScale, images });
  t.after(() => cluster.stop());
  const connection = readKubeconfig(cluster.address.kubeconfig);
  if (between) between.upstream = connection;
  const client = new GuardedClient(connection, 'trouble');
  t.after(() => client.close());
  const stranger = new KubeClient(connection);
  t.after(() => stranger.close());
  await createDefinitions(stranger, dynamoDefinitions());
  const namespace = 'q-trouble';
  const bundle = join(folder, 'bundle');
  const from = performance.now();
  const place = { client, namespace, folder: bundle, timeScale, readyMs, ...(real ? { real: ['dynamo'] } : {}) };
  const running = runScenario(scenario(env), environmentOf(place));
  const disturbed = disturb && flows(bundle, running).then((does) => (does ? disturb(stranger, namespace) : undefined));
  await Promise.all([running, disturbed]);
  const took = performance.now() - from;
  const read = readBundle(bundle);
  const verdicts = judge(read, catalogue);
  return {
    outcomes: Object.fromEntries(verdicts.map(({ requirement, outcome }) => [requirement, outcome])),
    seen: verdicts.flatMap(({ findings }) => findings.map(({ seen }) => seen)).join('\n'),
    problems: read.events.flatMap((e) => (e.kind === 'problem' ? [e.data.message] : [])),
    took,
  };
}

const scenario = (env: Record<string, string>) =>
  scenarioOf('Resource Cleanup')({
    id: 'trouble',
    title: 'a worker leaves under a stream',
    deploy: graphs({ name: 'chat', components: [frontend('frontend', { env }), worker('worker', { env })] }),
    cases: { worker: pod('chat', 'worker', 9) },
    load: { placed: [{ name: 'open', to: { service: 'chat', role: 'frontend' }, starts: -4, ends: 9 }] },
    act: [{ at: 0, do: 'delete', cases: ['worker'] }],
    until: { gone: ['worker'], then: 1, atMost: 40 },
    decides: decide(requirements, ['worker']).map((decision) => ({ ...decision, given: { open: 'open' } })),
    controls: [],
  });

/** Waits until a token of the stream is in the history; false where the scenario ends without one. */
async function flows(bundle: string, running: Promise<void>): Promise<boolean> {
  const history = join(bundle, 'history.jsonl');
  let over = false;
  const end = () => (over = true);
  running.then(end, end);
  while (!over) {
    if (existsSync(history) && readFileSync(history, 'utf8').includes('"request.chunk"')) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
