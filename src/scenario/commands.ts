import { execInPod, type ExecResult } from '../cluster/exec.ts';
import { backendOf, backends } from '../engines/dynamo/backends.ts';
import { now } from '../time/clock.ts';
import { exactly } from '../time/interval.ts';
import type { Acting } from './acting.ts';
import { hasRestarted } from './main-container.ts';
import { commandOf, isLeaving } from './pods.ts';

/** Documented seconds within which a container that ended runs again. */
const RESTART_SECONDS = 40;

/** A command that is run in the container `main` of a case, recorded as an action with what it said. */
interface Command {
  id: string;
  /** Name of the case. */
  name: string;
  verb: string;
  command: string[];
  proof: string;
  /** Exit codes that tell that it was done. Default: 0. */
  done?: readonly number[];
  /** Of a Pod that is on its way out and has ended by then there is nothing to be said: whoever judges will miss it. */
  unlessEnded?: boolean;
}

/** What a command ends with whose container ended under it: the SIGKILL that takes the rest of a container. */
const KILLED_WITH_CONTAINER = 137;

/** Runs a command in a case's container; one that does not end as it should is a problem of the harness. */
export async function runCommand(
  { id, name, verb, command, proof, done = [0], unlessEnded = false }: Command,
  acting: Acting,
): Promise<void> {
  const pod = await acting.podOf(name);
  const { name: podName, namespace = '' } = pod.metadata;
  const target = `Pod/${namespace}/${podName}`;
  const { live, env } = acting;
  live.record('action.sent', exactly(now()), `action/${id}`, { id, verb, target, request: { command } });
  const ended = (message: string) =>
    live.record('action.answered', exactly(now()), `action/${id}`, { id, status: 404, message });
  const mayHaveEnded = () => {
    const seen = live.objects.get(target);
    return unlessEnded && (!seen || seen.metadata.uid !== pod.metadata.uid || isLeaving(seen));
  };
  let result: ExecResult;
  try {
    result = await execInPod(env.client, namespace, podName, 'main', command);
  } catch (error) {
    const { message } = error as Error;
    if (!mayHaveEnded() || !/not found/.test(message)) throw error;
    return void ended(message);
  }
  const { code, stdout, stderr } = result;
  if (code === KILLED_WITH_CONTAINER && !done.includes(code) && mayHaveEnded()) return void ended('it ended meanwhile');
  const isDone = done.includes(code);
  const answer = { id, status: isDone ? 200 : 500, ...(stdout === '' ? {} : { message: stdout }) };
  live.record('action.answered', exactly(now()), `action/${id}`, answer);
  if (isDone) acting.actions.prove(id, proof);
  else acting.problem(`action ${id}`, `${command.join(' ')} ended with ${code}: ${stderr.trim()}`);
}

/** Sends a signal to the first process of a case's container. */
export const signalCase = (
  id: string,
  name: string,
  signal: 'INT' | 'TERM' | 'KILL',
  acting: Acting,
): Promise<void> => {
  const command = ['kill', `-${signal}`, '1'];
  // The end of the first process takes the command with it: it has killed by then.
  const done = signal === 'KILL' ? [0, KILLED_WITH_CONTAINER] : [0];
  const proof = `the command that sends the signal ended with ${done.join(' or ')}`;
  return runCommand({ id, name, verb: 'signal', command, proof, done, unlessEnded: true }, acting);
};

/** Kills the processes of a Dynamo worker's engine, and leaves the worker alive. */
export function killEngine(id: string, name: string, acting: Acting): Promise<void> {
  const pod = acting.bound.get(name);
  const backend = pod && backendOf(commandOf(pod));
  if (!backend) throw new Error(`case "${name}" has no engine of Dynamo`);
  const command = ['pkill', '-KILL', '-f', backends[backend].process];
  // A worker that ends at once takes the command with it: it has killed by then.
  const done = [0, KILLED_WITH_CONTAINER];
  const proof = 'a process of the engine was there to kill';
  return runCommand({ id, name, verb: 'kill-engine', command, proof, done }, acting);
}

/** Lists a folder of a case's container, once that has started again where `restarted`. */
export async function listFiles(
  id: string,
  name: string,
  folder: string,
  restarted: boolean,
  acting: Acting,
): Promise<void> {
  const { live, env, bound } = acting;
  const pod = bound.get(name);
  if (!pod) throw new Error(`case "${name}" has no Pod`);
  const now = () => live.objects.get(`Pod/${env.namespace}/${pod.metadata.name}`);
  if (restarted) {
    const again = () => {
      const seen = now();
      return seen && hasRestarted(seen);
    };
    await live.until(`main of ${name} to run again`, again, env.scale.toMs(RESTART_SECONDS));
  }
  await runCommand({ id, name, verb: 'list-files', command: ['ls', '-A', folder], proof: 'the list was read' }, acting);
}
