import { homedir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { interrupt, interruptCode, listenForInterrupt } from '../real/interrupt.ts';
import { perform, type Step } from '../real/step.ts';
import { cloudSteps } from './cloud.ts';
import { kindSteps } from './kind.ts';
import { operatorSteps } from './operator.ts';

const say = (line: string) => console.log(line);
const whole = (text: string) => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1 on');
  return Number(text);
};

interface Flags {
  dryRun?: boolean;
}

function program(): Command {
  const all = new Command('scripts/gpu').exitOverride();
  const command = (name: string, description: string) =>
    all.command(name).description(description).option('--dry-run', 'print every step and do nothing');
  command('kind-up', 'a Kubernetes in Docker, with this machine’s GPUs')
    .option('--name <name>', 'its name', 'quiesce')
    .option('--without-gpu', 'for doubles')
    .action((flags: Flags & { name: string; withoutGpu?: boolean }) =>
      act(kindSteps({ name: flags.name, gpu: !flags.withoutGpu }), flags),
    );
  command('cloud', 'check a cluster that you have; nothing is made or changed')
    .option('--kubeconfig <file>', 'default: $KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'default: the current one')
    .option('--gpus <n>', 'GPUs that a run needs at once', whole, 1)
    .action(
      ({ kubeconfig, context, gpus, ...flags }: Flags & { kubeconfig?: string; context?: string; gpus: number }) =>
        act(cloudSteps({ kubeconfig: kubeconfig ?? defaultKubeconfig(), context, gpus }), flags),
    );
  command('operator-install', 'install the GPUStack operator, or its double')
    .option('--context <name>', 'default: the current one')
    .option('--release <version>', 'release of the operator', 'v0.9.2')
    .option('--double', 'our double instead, with the definitions of manifests/')
    .action(
      ({
        context,
        release,
        double = false,
        ...flags
      }: Flags & { context?: string; release: string; double?: boolean }) =>
        act(operatorSteps({ context, release, double }), flags),
    );
  return all;
}

const defaultKubeconfig = () => process.env['KUBECONFIG'] || join(homedir(), '.kube/config');

async function act(steps: Step[], { dryRun = false }: Flags): Promise<void> {
  listenForInterrupt();
  await perform(steps, { dryRun, say, stop: () => (interrupt.aborted ? (interrupt.reason as Error) : undefined) });
  if (!dryRun) say('done');
}

/** Runs one of the scripts; sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      return;
    }
    console.error(`${argv[0]}: ${(error as Error).message}`);
    process.exitCode = interruptCode() ?? exitCodes.harnessError;
  }
}
