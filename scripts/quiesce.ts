import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { DEFAULT_PROFILE, profileNames } from '../src/requirements/profiles.ts';
import { duration, engineRelease, scale, whole } from './arguments.ts';
import { clusterCommand } from './commands/cluster.ts';
import { detectionCommand } from './commands/detection.ts';
import { faultsCommand } from './commands/faults.ts';
import { judgeCommand } from './commands/judge.ts';
import { listCommand } from './commands/list.ts';
import { nodeCommand } from './commands/node.ts';
import { preflightCommand } from './commands/preflight.ts';
import { planCommand } from './commands/plan.ts';
import { reportCommand, reportFormats } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { showCommand } from './commands/show.ts';
import { sweepCommand } from './commands/sweep.ts';
import { verifyCommand } from './commands/verify.ts';
import { doubleUsage } from './doubles.ts';
import { exitCodes } from './exit-codes.ts';
import { explain } from './explain.ts';
import { projectRoot } from './run/perform.ts';
import { realParts } from './target/real.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

const several = (flags: string, description: string) =>
  new Option(flags, description).argParser((value, all: string[]) => [...all, value]).default([], 'none');

const timeScaleOption = (where = '') =>
  new Option('--time-scale <factor>', `documented seconds in one second of the wall; 1 is real time${where}`).argParser(
    scale,
  );
const timeScale = () => timeScaleOption().default(5);
const untilDecided = () =>
  new Option(
    '--until-decided <n>',
    'repeat what is inconclusive, up to n samples, each at half the time scale; a fail is never repeated',
  )
    .argParser(whole(1))
    .default(1);
const json = () => new Option('--json', 'JSON instead of a table');
const profile = () =>
  new Option('--profile <name>', `the release whose documents decide: ${profileNames.join(', ')}`).default(
    DEFAULT_PROFILE,
  );
const workers = () => new Option('--workers <n>', 'scenarios side by side at most (default: 3)').argParser(whole(1));
const out = () => new Option('--out <folder>', 'folder of the run; must be empty or absent (default: out/TIME-PID)');

const exits = `
Exit codes of run, detection and judge:
  0 all pass   1 some fail   2 some inconclusive, none failed   3 harness error   64 usage   69 nothing could be tried
  130, 143 interrupted`;
const next = `
First steps:
  quiesce run                     every scenario on the embedded cluster, two to three minutes
  quiesce list                    what is promised; quiesce run GS-DW-07 tries one requirement
  quiesce show out/RUN/bundles/SCENARIO    the evidence behind a verdict
A bundle is what one scenario recorded: history, manifest with hashes, verdicts.`;

/** Runs an action and ends with its code. */
const ending =
  <A extends unknown[]>(action: (...args: A) => number | Promise<number>) =>
  async (...args: A) => {
    process.exitCode = await action(...args);
  };

const program = new Command('quiesce')
  .description('Conformance harness for how LLM serving leaves a Kubernetes cluster')
  .version(version)
  .addHelpText('after', `${next}\n${exits}`)
  .configureHelp({ helpWidth: 110 })
  .exitOverride()
  .showHelpAfterError('(quiesce --help lists the commands)');

program
  .command('run')
  .description('run scenarios and judge them')
  .argument('[selection...]', 'scenario ids, requirement ids, or globs; all where none is given')
  .addOption(several('--tag <tag>', 'only scenarios with this tag (repeatable)'))
  .addOption(
    several('--fault <name>', 'switch a fault on (repeatable); without a selection: in the scenarios that try it'),
  )
  .addOption(several('--double <name=behaviour>', `how a double behaves: ${doubleUsage}`))
  .addOption(profile())
  .addOption(new Option('--target <target>', 'where to run').choices(['embedded', 'kubernetes']).default('embedded'))
  .option('--kubeconfig <file>', 'kubeconfig of the cluster, or in-cluster in a Pod, for --target kubernetes')
  .option('--context <name>', 'context of that kubeconfig')
  .option('--install-crds', 'create the resource definitions that the cluster lacks; they stay')
  .option('--double-images', 'the nodes have containers of our doubles under the names of the images')
  .option('--model <name>', 'the engines are real, with the operator that is there: the model that they serve')
  .option(
    '--engine <name=image>',
    'image of an engine, with --model (repeatable; default: as our doubles)',
    engineRelease,
  )
  .option('--instance-type <name>', "the cluster's name for its accelerators, with --model")
  .option('--ready <time>', 'how long a system may take to be ready (default: 15m with --model, else 150s)', duration)
  .addOption(new Option('--real <part>', 'real programs in place of doubles, in real time').choices(realParts))
  .addOption(timeScaleOption(' (default: 5 embedded, else that of the kubelets, 1 where they are real)'))
  .option('--seed <n>', 'seed of the load plan', whole(0), 1)
  .option('--repeat <n>', 'samples of each scenario; each has its own seed', whole(1, 1000), 1)
  .addOption(untilDecided())
  .addOption(workers())
  .addOption(out())
  .option('--list', 'print what would run, and stop')
  .addOption(json())
  .action(ending(runCommand));
program
  .command('detection')
  .description('switch every fault on in the scenarios that try it: each must break exactly what names it')
  .argument('[faults...]', 'faults; all where none is given')
  .addOption(new Option('--target <target>', 'where to run').choices(['embedded', 'kubernetes']).default('embedded'))
  .option('--kubeconfig <file>', 'kubeconfig of the cluster, or in-cluster in a Pod, for --target kubernetes')
  .option('--context <name>', 'context of that kubeconfig')
  .option('--install-crds', 'create the resource definitions that the cluster lacks; they stay')
  .option('--double-images', 'the nodes have containers of our doubles under the names of the images')
  .addOption(timeScaleOption(' (default: 5 embedded, else that of the kubelets, 1 where they are real)'))
  .addOption(untilDecided())
  .addOption(workers())
  .addOption(out())
  .addOption(json())
  .action(ending(detectionCommand));
program
  .command('plan')
  .description('what a run would do and cost, before anything runs')
  .argument('[selection...]', 'as of run')
  .addOption(several('--tag <tag>', 'only scenarios with this tag (repeatable)'))
  .option(
    '--budget <time>',
    'choose the scenarios that decide the most requirements in this time, such as 90s or 10m',
    duration,
  )
  .addOption(profile())
  .option('--real-engines', 'only what can be tried with the real engines and the operator of a cluster')
  .addOption(timeScale())
  .addOption(workers())
  .addOption(json())
  .action(ending(planCommand));
program
  .command('list')
  .description('the requirements, as a profile has them, and who decides them')
  .addOption(profile())
  .addOption(json())
  .action(ending(listCommand));
program
  .command('faults')
  .description('the faults: switches that make a double break a promise')
  .addOption(json())
  .action(ending(faultsCommand));
program
  .command('judge')
  .description('judge stored bundles again, without a cluster')
  .argument('<bundle...>', 'folders such as out/RUN/bundles/SCENARIO')
  .addOption(json())
  .action(ending(judgeCommand));
program
  .command('verify')
  .description('find any changed byte of stored bundles')
  .argument('<bundle...>', 'folders such as out/RUN/bundles/SCENARIO')
  .action(ending(verifyCommand));
program
  .command('show')
  .description('the evidence of one bundle: timeline, events, verdicts')
  .argument('<bundle>', 'a folder such as out/RUN/bundles/SCENARIO')
  .option('--width <columns>', 'columns of the time axis', whole(20))
  .action(ending(showCommand));
program
  .command('report')
  .description('a bundle of a real program, written down for others')
  .argument('<bundle>', 'a folder such as out/RUN/bundles/SCENARIO, of a run with --real')
  .addOption(
    new Option('--format <format>', "issue: for the program's own project, a text for each requirement that failed")
      .choices(reportFormats)
      .makeOptionMandatory(),
  )
  .option('--only <requirement>', 'of all that failed, this one')
  .action(ending(reportCommand));
program
  .command('cluster')
  .description('the embedded cluster in the foreground, for kubectl')
  .addOption(timeScale())
  .option('--port <n>', 'port of the API server; 0: any free one', whole(0, 65_535), 0)
  .action(ending(clusterCommand));
program
  .command('node')
  .description('the process kubelet as a Node of a real cluster, in the foreground')
  .requiredOption('--kubeconfig <file>', "kubeconfig of the cluster's administrator")
  .option('--context <name>', 'context of that kubeconfig')
  .requiredOption('--ca-cert <file>', 'authority that the API server trusts for clients and for kubelets')
  .requiredOption('--ca-key <file>', 'its key, which issues the certificates of the nodes')
  .requiredOption('--address <ip>', "the nodes' own address, not on loopback")
  .option('--pod-range <range>', 'addresses of the Pods, local to this host', '10.250.0.0/16')
  .option('--no-services', 'leave the addresses of Services to a kube-proxy')
  .option('--name <name>', 'the Node that is there from the start', 'process-1')
  .addOption(timeScaleOption().default(1))
  .option('--images <file>', 'JSON file of images and the programs that stand for them')
  .action(ending(nodeCommand));
program
  .command('preflight')
  .description('what a cluster can give and what is missing, before anything is deployed')
  .requiredOption('--kubeconfig <file>', 'kubeconfig of the cluster, or in-cluster in a Pod')
  .option('--context <name>', 'context of that kubeconfig')
  .addOption(several('--need <feature>', 'not ready without it (repeatable)'))
  .option('--no-canary', 'create nothing at all')
  .option('--canary-image <image>', 'an image with sh and sleep')
  .addOption(json())
  .action(ending(preflightCommand));
program
  .command('sweep')
  .description('remove what runs that were killed left behind, on this machine or in a cluster')
  .option('--kubeconfig <file>', 'kubeconfig of a cluster, or in-cluster; without it this machine is swept')
  .option('--context <name>', 'context of that kubeconfig')
  .option('--wait', 'wait until every lease has run out or is seen to be renewed')
  .option('--dry-run', 'say what would go, and remove nothing')
  .action(ending(sweepCommand));

// `| head` closes the pipe early, a closed window the terminal; what was begun is still done, and its exit code still says how it ended.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'EIO') return;
    console.error(`quiesce: the output cannot be written: ${error.message}\n  next: write it elsewhere`);
    process.exit(exitCodes.harnessError);
  });
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    const { text, code } = explain(error);
    console.error(text);
    process.exitCode = code;
  }
}
