import { ask } from './ask.ts';
import type { Cluster } from './lab.ts';
import { Lab } from './lab.ts';
import { normalise } from './normal.ts';
import type { Entry } from './perform.ts';
import { perform } from './perform.ts';
import type { Experiment } from '../../suites/parity/experiment.ts';

/** Experiments at a time. They wait more than they work, but their timings must not disturb each other. */
const WIDTH = 6;

/** Label of every namespace that the suite makes. */
const LABEL = 'quiesce.dev/parity';

/** Answers by the id of the experiment; what could not be performed is an answer too. */
export type Answers = Record<string, unknown>;

/** Performs experiments on a cluster: side by side, then those that want it alone. Leaves nothing behind. */
export async function performAll(cluster: Cluster, experiments: readonly Experiment[]): Promise<Answers> {
  const answers: Answers = {};
  const run = Date.now().toString(36);
  const one = async (it: Experiment, serial: number) => {
    const begun = performance.now();
    answers[it.id] = await performOne(cluster, it, `parity-${run}-${serial}`);
    if (process.env['PARITY_TRACE']) console.error(it.id, Math.round(performance.now() - begun));
  };
  const numbered = experiments.map((it, i) => ({ it, i }));
  const together = numbered.filter(({ it }) => !it.alone);
  const worker = async () => {
    for (let next = together.shift(); next; next = together.shift()) await one(next.it, next.i);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  for (const { it, i } of numbered) if (it.alone) await one(it, i);
  return answers;
}

async function performOne(cluster: Cluster, it: Experiment, namespace: string): Promise<unknown> {
  const { client } = cluster;
  const sweep = async () => {
    for (const path of it.makes ?? []) await ask(client, 'DELETE', path, { payload: '{"gracePeriodSeconds":0}' });
  };
  const lab = new Lab(cluster, namespace);
  const entries: Entry[] = [];
  await sweep();
  try {
    const metadata = { name: namespace, labels: { [LABEL]: 'true' } };
    await client.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    // Pods are refused before it is there.
    for (
      let tries = 0;
      (await ask(client, 'GET', lab.path('serviceaccounts/default'), {})).status === 404;
      tries += 1
    ) {
      if (tries > 3000) throw new Error(`namespace ${namespace} got no default ServiceAccount`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const step of it.steps) {
      const entry = await perform(lab, step);
      if (entry) entries.push(entry);
    }
  } catch (error) {
    entries.push({ step: 'broken', error: (error as Error).message });
  } finally {
    lab.close();
    await sweep();
    await clearAway(lab);
  }
  return normalise(entries, { namespace, image: cluster.image, node: cluster.node });
}

/** Deletes the namespace; its Pods are not waited for, since they are nobody's any more. */
async function clearAway(lab: Lab): Promise<void> {
  const { client } = lab.cluster;
  await ask(client, 'DELETE', `/api/v1/namespaces/${lab.namespace}`, {});
  await ask(client, 'DELETE', lab.path('pods'), { payload: '{"gracePeriodSeconds":0}' });
}
