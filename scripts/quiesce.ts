import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { TimeScale } from '../src/time/scale.ts';
import { clusterCommand } from './commands/cluster.ts';
import { detectionCommand } from './commands/detection.ts';
import { faultsCommand } from './commands/faults.ts';
import { judgeCommand } from './commands/judge.ts';
import { listCommand } from './commands/list.ts';
import { runCommand } from './commands/run.ts';
import { showCommand } from './commands/show.ts';
import { sweepCommand } from './commands/sweep.ts';
import { verifyCommand } from './commands/verify.ts';
import { exitCodes } from './exit-codes.ts';
import { explain } from './explain.ts';

const scale = (text: string): number => {
  try {
    return new TimeScale(text.trim() === '' ? NaN : Number(text)).factor;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message.replace('NaN', `"${text}"`));
  }
};
const whole =
  (lowest: number, highest = Number.MAX_SAFE_INTEGER) =>
  (text: string) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    const range = highest === Number.MAX_SAFE_INTEGER ? `${lowest} on` : `${lowest} to ${highest}`;
    throw new InvalidArgumentError(`expected a whole number from ${range}`);
  };
const collect = (value: string, all: string[]) => [...all, value];

const timeScale = () =>
  new Option('--time-scale <factor>', 'documented seconds in one second of the wall').argParser(scale).default(5);
const untilDecided = () =>
  new Option('--until-decided <n>', 'samples at most of a scenario that leaves something inconclusive; a fail stays')
    .argParser(whole(1))
    .default(1);
const json = () => new Option('--json', 'JSON instead of a table');

/** Runs an action and ends with its code. */
const ending =
  <A extends unknown[]>(action: (...args: A) => number | Promise<number>) =>
  async (...args: A) => {
    process.exitCode = await action(...args);
  };

const program = new Command('quiesce')
  .description('Conformance harness for how LLM serving leaves a Kubernetes cluster')
  .exitOverride()
  .showHelpAfterError('(quiesce --help lists the commands)');

program
  .command('run')
  .description('run scenarios and judge them')
  .argument('[selection...]', 'scenario ids, requirement ids, or globs; all where none is given')
  .option('--tag <tag>', 'only scenarios with this tag (repeatable)', collect, [])
  .option('--fault <name>', 'switch a fault on (repeatable); runs the scenarios that try it', collect, [])
  .addOption(new Option('--target <target>', 'where to run').choices(['embedded', 'kubernetes']).default('embedded'))
  .option('--kubeconfig <file>', 'kubeconfig of a cluster that is there already')
  .option('--context <name>', 'context of that kubeconfig')
  .addOption(timeScale())
  .option('--seed <n>', 'seed of the load plan', whole(0), 1)
  .option('--repeat <n>', 'samples of each scenario', whole(1, 1000), 1)
  .addOption(untilDecided())
  .option('--workers <n>', 'scenarios side by side at most', whole(1))
  .option('--out <folder>', 'folder of the run; must be empty or absent')
  .option('--list', 'print what would run, and stop')
  .addOption(json())
  .action(ending(runCommand));
program
  .command('detection')
  .description('switch every fault on in the scenarios that try it: each must break exactly what names it')
  .argument('[faults...]', 'faults; all where none is given')
  .addOption(timeScale())
  .addOption(untilDecided())
  .option('--workers <n>', 'scenarios side by side at most', whole(1))
  .option('--out <folder>', 'folder of the run; must be empty or absent')
  .addOption(json())
  .action(ending(detectionCommand));
program
  .command('list')
  .description('the requirements and who decides them')
  .addOption(json())
  .action(ending(listCommand));
program
  .command('faults')
  .description('the faults that the doubles know')
  .addOption(json())
  .action(ending(faultsCommand));
program
  .command('judge')
  .description('judge stored bundles again, without a cluster')
  .argument('<bundle...>')
  .addOption(json())
  .action(ending(judgeCommand));
program
  .command('verify')
  .description('find any changed byte of stored bundles')
  .argument('<bundle...>')
  .action(ending(verifyCommand));
program
  .command('show')
  .description('the timeline of one bundle as text')
  .argument('<bundle>')
  .option('--width <columns>', 'columns of the time axis', whole(20))
  .action(ending(showCommand));
program
  .command('cluster')
  .description('the embedded cluster in the foreground, for kubectl')
  .addOption(timeScale())
  .option('--port <n>', 'port of the API server', whole(0, 65_535), 0)
  .action(ending(clusterCommand));
program.command('sweep').description('remove what dead runs left behind').action(ending(sweepCommand));

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
