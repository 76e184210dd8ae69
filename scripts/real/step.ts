import { $ } from 'zx';

/** One thing that a script does to the machine. A dry run prints it and does nothing. */
export interface Step {
  does: string;
  /** What exactly: command lines, files. */
  shows?: string[];
  run: () => void | Promise<void>;
  /** Takes it back; called, last step first, where a later one fails. */
  undo?: () => void | Promise<void>;
}

export type Say = (line: string) => void;

/** A step that runs one command. */
export function command(does: string, argv: string[]): Step {
  return {
    does,
    shows: [shown(argv)],
    run: async () => {
      await $`${argv}`;
    },
  };
}

/** A command line as a shell would take it. */
export const shown = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

export interface Performance {
  dryRun?: boolean;
  say: Say;
  /** Asked before each step: a reason to stop, such as an interrupt. */
  stop?: () => Error | undefined;
}

/** Does the steps in order. Where one fails, undoes what was done, last first, and throws what failed. */
export async function perform(steps: readonly Step[], { dryRun = false, say, stop }: Performance): Promise<void> {
  const done: Step[] = [];
  for (const step of steps) {
    say(`${dryRun ? 'would' : '-'} ${step.does}`);
    if (dryRun) {
      for (const line of step.shows ?? []) say(`    ${line}`);
      continue;
    }
    try {
      const reason = stop?.();
      if (reason) throw reason;
      done.push(step); // a step that fails half-way has something to take back too
      await step.run();
    } catch (error) {
      for (const { does, undo } of done.reverse()) {
        if (!undo) continue;
        say(`undo: ${does}`);
        try {
          await undo();
        } catch (problem) {
          say(`  could not: ${String(problem)}`);
        }
      }
      throw error;
    }
  }
}
