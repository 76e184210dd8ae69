import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { environment } from '../environment.ts';
import type { Program } from '../programs.ts';
import type { PodContext } from './context.ts';
import { commandLine, specEnv } from './env.ts';
import type { HostProcess, Launch } from './host-process.ts';
import type { ContainerSpec } from './pod.ts';
import { inRoot } from './root-folder.ts';

/** A program that cannot be started in a container, with the text of a real runtime. */
export class StartError extends Error {
  readonly code = 'QUIESCE_START';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** One run of a container, seen as the place in which its programs run: its own, hooks, probes and execs. */
export class Sandbox {
  readonly #context: PodContext;
  readonly #spec: ContainerSpec;
  readonly #env: Record<string, string>;
  readonly #cwd: string;
  readonly #others = new Set<HostProcess>();
  readonly root: string;

  private constructor(context: PodContext, spec: ContainerSpec, env: Record<string, string>, root: string) {
    this.#context = context;
    this.#spec = spec;
    this.#env = env;
    this.root = root;
    this.#cwd = spec.workingDir === undefined ? root : inRoot(root, spec.workingDir);
  }

  /** @throws ConfigError where the container's variables cannot be had */
  static async make(context: PodContext, spec: ContainerSpec, root: string): Promise<Sandbox> {
    const { shared, place } = context;
    const pod = context.pod();
    const token = pod.spec.automountServiceAccountToken !== false;
    const env = {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: root,
      HOSTNAME: pod.spec.hostname ?? pod.metadata.name,
      ...(token ? { KUBECONFIG: await shared.kubeconfigFor(pod, dirname(root)) } : {}),
      ...(await specEnv(pod, spec, place, shared.sources)),
      [environment.podIP]: place.podIP,
      [environment.timeScale]: String(shared.scale.factor),
      [environment.faults]: [...context.faults()].join(','),
      [environment.cluster]: shared.clusterId,
      [environment.root]: root,
    };
    return new Sandbox(context, spec, env, root);
  }

  /** Starts the container's own program. @throws StartError */
  start(output: NonNullable<Launch['output']>): Promise<HostProcess> {
    const { command, args } = commandLine(this.#spec, this.#env);
    return this.#launch(command, args, { output, stdin: false, givesWay: true });
  }

  /** Starts another program in the container; it is killed when the container ends. @throws StartError */
  async run([command, ...args]: string[], options: Pick<Launch, 'output' | 'stdin'> = {}): Promise<HostProcess> {
    const process = await this.#launch(command ?? '', args, options);
    this.#others.add(process);
    void process.exited.then(() => this.#others.delete(process));
    return process;
  }

  /** Kills whatever was started beside the container's own program. */
  end(): void {
    for (const process of this.#others) process.kill();
  }

  async #launch(command: string | undefined, args: string[], options: Pick<Launch, 'output' | 'stdin' | 'givesWay'>) {
    const program: Program | undefined = this.#context.shared.programs.resolve(this.#spec.image, command);
    if (!program) throw new StartError(missing(command));
    try {
      return await this.#context.shared.processes.launch({ program, args, cwd: this.#cwd, env: this.#env, ...options });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StartError(
        code === 'ENOENT' ? missing(program.file) : `unable to start container process: ${message}`,
        { cause: error },
      );
    }
  }
}

/** The words of containerd where a program cannot be started beside the container's own; its exec has an id of its own. */
export const execProblem = ({ message }: Error): string =>
  `failed to exec in container: failed to start exec "${randomBytes(32).toString('hex')}": OCI runtime exec failed: exec failed: ${message}`;

const missing = (command: string | undefined) =>
  command === undefined
    ? 'unable to start container process: the image has no entrypoint: give a command'
    : `unable to start container process: exec: ${JSON.stringify(command)}: executable file not found in $PATH: unknown`;
