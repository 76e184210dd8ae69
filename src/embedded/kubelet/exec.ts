import { KubeletError, type ExecOptions, type ExecSession } from '../kubelet-api.ts';
import { execProblem } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Runs a command in a container for a caller of `exec`: in its folder, with its variables. A terminal is not served: a caller
 * that wants one gets plain pipes.
 */
export async function execIn(sandbox: Sandbox, command: string[], options: ExecOptions): Promise<ExecSession> {
  if (command.length === 0) throw new KubeletError(400, 'you must specify at least one command for the container');
  try {
    const process = await sandbox.run(command, { stdin: options.stdin });
    if (!options.stdout) process.stdout?.resume();
    if (!options.stderr) process.stderr?.resume();
    return {
      ...(process.stdin ? { stdin: process.stdin } : {}),
      ...(options.stdout && process.stdout ? { stdout: process.stdout } : {}),
      ...(options.stderr && process.stderr ? { stderr: process.stderr } : {}),
      exit: process.exited.then(({ code }) => code),
      kill: () => process.kill(),
    };
  } catch (error) {
    const refused = new KubeletError(500, `error executing command in container: ${execProblem(error as Error)}`);
    return { exit: Promise.resolve(refused), kill: () => {} };
  }
}
