import { execInPod } from '../cluster/exec.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Acting } from './acting.ts';

/** Sends a signal to the first process of a case's container `main`, by a command in it; recorded as an action. */
export async function signalCase(
  id: string,
  name: string,
  signal: 'INT' | 'TERM' | 'KILL',
  acting: Acting,
): Promise<void> {
  const pod = acting.bound.get(name);
  if (!pod) throw new Error(`case "${name}" has no Pod`);
  const { name: podName, namespace = '' } = pod.metadata;
  const target = `Pod/${namespace}/${podName}`;
  const { live, env } = acting;
  const command = ['kill', `-${signal}`, '1'];
  live.record('action.sent', exactly(now()), `action/${id}`, { id, verb: 'signal', target, request: { command } });
  const { code, stderr } = await execInPod(env.client, namespace, podName, 'main', command);
  live.record('action.answered', exactly(now()), `action/${id}`, { id, status: code === 0 ? 200 : 500 });
  if (code === 0) acting.actions.prove(id, 'the command that sends the signal ended with 0');
  else acting.problem(`action ${id}`, `${command.join(' ')} ended with ${code}: ${stderr.trim()}`);
}
