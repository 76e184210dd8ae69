import { execInPod } from '../cluster/exec.ts';
import type { KubeObject } from '../cluster/rest.ts';
import { seededRandom } from '../load/random.ts';
import { OPERATOR } from '../systems/gpustack/operator.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Acting } from './acting.ts';
import { DeadlineError } from './live.ts';
import { isLeaving } from './pods.ts';
import type { Step } from './scenario.ts';

/** Documented seconds until the state must have been seen and the operator killed and started again. */
const PATIENCE = 100;

/** The Pods of the operator's double in the scenario's namespace. */
export const operatorPods = ({ live }: Acting): KubeObject[] =>
  live.of('Pod').filter((pod) => pod.metadata.name.startsWith(`${OPERATOR}-`));

const restartsOf = (pod: KubeObject): number => {
  const { containerStatuses = [] } = (pod['status'] ?? {}) as { containerStatuses?: { restartCount?: number }[] };
  return containerStatuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
};

/** Has the operator killed at an instant that the seed draws; recorded as an action, proved by the restart of its container. */
export async function killOperator(
  { deployment, state, within }: Extract<Step, { do: 'kill-operator' }>,
  id: string,
  acting: Acting,
): Promise<void> {
  const { live, env } = acting;
  const { namespace, scale } = env;
  const [pod] = operatorPods(acting).filter((p) => !isLeaving(p));
  if (!pod) throw new Error('no operator Pod to kill');
  const { name } = pod.metadata;
  const before = restartsOf(pod);
  const after = Math.round(seededRandom(env.seed, `kill ${state}`)() * within * 1000) / 1000;
  const command = [
    ...['kill-at', '--namespace', namespace, '--deployment', deployment],
    ...['--state', state, '--after', String(after)],
  ];
  const target = `Pod/${namespace}/${name}`;
  const request = { command, deployment, state, after };
  live.record('action.sent', exactly(now()), `action/${id}`, { id, verb: 'kill', target, request });
  // The container's end may take the command's answer with it: what proves the kill is the restart.
  const ended = execInPod(env.client, namespace, name, 'operator', command, { timeoutMs: scale.toMs(PATIENCE) }).then(
    ({ code, stderr }) => (code === 0 ? undefined : stderr.trim()),
    (error: Error) => error.message,
  );
  try {
    await live.until(
      'the restart of the operator',
      () => operatorPods(acting).find((p) => p.metadata.name === name && restartsOf(p) > before),
      scale.toMs(PATIENCE),
    );
    live.record('action.answered', exactly(now()), `action/${id}`, { id, status: 200 });
    acting.actions.prove(id, `the operator's container was started again`);
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    acting.problem(`action ${id}`, `the operator was not killed: ${(await ended) ?? error.message}`);
  }
}
