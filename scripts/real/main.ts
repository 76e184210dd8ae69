import { mkdirSync } from 'node:fs';
import { Argument, Command, CommanderError } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { makeNodeCredentials } from './certificates.ts';
import { down } from './down.ts';
import { setUpDynamo, UnsupportedError } from './dynamo/install.ts';
import { insideSteps } from './inside.ts';
import { interruptCode, listenForInterrupt } from './interrupt.ts';
import { writeImages } from './images/write.ts';
import { runInNetwork } from './net.ts';
import { placesOf } from './places.ts';
import { perform } from './step.ts';
import { up } from './up.ts';

export { placesOf } from './places.ts';
export { whyNotUp } from './possible.ts';

const say = (line: string) => console.log(line);

const collect = (value: string, all: string[]) => [...all, value];

interface Named {
  name: string;
}

function program(): Command {
  const all = new Command('scripts/real').exitOverride().enablePositionalOptions();
  const command = (name: string, description: string) =>
    all
      .command(name)
      .description(description)
      .option('--name <name>', 'which cluster: several can run side by side', 'kubernetes');
  command('kubernetes-up', 'start a real Kubernetes of one Node on this machine')
    .option('--without-kubelet', 'the control plane only: a process kubelet is to serve its Nodes')
    .option('--dry-run', 'print every step and do nothing')
    .action(async ({ name, withoutKubelet = false, dryRun = false }: Named & Flags) => {
      listenForInterrupt();
      await up(placesOf(name), { dryRun, kubelet: !withoutKubelet }, say);
    });
  command('kubernetes-down', 'end it and remove all that it left, apart from the build')
    .option('--dry-run', 'print every step and do nothing')
    .action(({ name, dryRun = false }: Named & Flags) => down(placesOf(name), { dryRun }, say));
  command('in-cluster-net', 'run a command in its network, with KUBECONFIG set and kubectl on the PATH')
    .argument('<command...>')
    .option('--process-node', 'serve Nodes with the process kubelet while it runs')
    .passThroughOptions()
    .action(async (argv: string[], { name, processNode }: Named & Flags) => {
      process.exitCode = await runInNetwork(placesOf(name), argv, processNode);
    });
  command('node-credentials', 'make credentials for Nodes that a process kubelet serves')
    .argument('<node...>')
    .action(async (nodes: string[], { name }: Named) => {
      const { pki } = placesOf(name);
      mkdirSync(pki, { recursive: true });
      for (const node of nodes) {
        await makeNodeCredentials(pki, node);
        say(`${pki}/nodes/${node}.kubeconfig`);
      }
    });
  all
    .command('double-images')
    .description('write the doubles as container images, in one archive of OCI layout')
    .argument('<file>')
    .option('--image <reference>', 'another name for a double, such as gpustack/runner:x (repeatable)', collect, [])
    .action((file: string, { image }: { image: string[] }) => writeImages(file, image, say));
  all
    .command('setup')
    .description('install a real program that can stand in for a double, into the cache')
    .addArgument(new Argument('<part>', 'which one').choices(['dynamo']))
    .action(async () => {
      listenForInterrupt();
      await setUpDynamo(say);
    });
  command('inside', 'the part of kubernetes-up that runs in the namespaces')
    .option('--without-kubelet')
    .action(({ name, withoutKubelet = false }: Named & Flags) =>
      perform(insideSteps(placesOf(name), !withoutKubelet), { say: (line) => say(`  ${line}`) }),
    );
  return all;
}

interface Flags {
  processNode?: boolean;
  withoutKubelet?: boolean;
  dryRun?: boolean;
}

function codeOf(error: unknown): number {
  if (error instanceof UnsupportedError) return exitCodes.unsupported;
  return error instanceof UsageError ? exitCodes.usage : exitCodes.harnessError;
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
    process.exitCode = interruptCode() ?? codeOf(error);
  }
}

if (process.argv[2] === 'inside') await main(process.argv.slice(2));
