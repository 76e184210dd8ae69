import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tail } from './sandbox.ts';
import { shown, type Step } from './step.ts';
import { until } from './until.ts';

/** A program of the cluster that runs until the end. */
export interface Daemon {
  name: string;
  argv: string[];
  /** Files that it reads, written before it starts: path to content, objects as JSON. */
  files?: Record<string, string | object>;
  /** What tells that it does its work. */
  ready?: { fact: string; seen: () => Promise<boolean>; seconds: number };
}

/** Starts a daemon, with `log`/NAME.log for all that it says, and waits until it does its work. */
export function daemonStep({ name, argv, files = {}, ready }: Daemon, log: string): Step {
  return {
    does: `start ${name}${ready ? ` and wait for ${ready.fact}` : ''}`,
    shows: [...Object.keys(files).map((path) => `write ${path}`), `${shown(argv)} > ${join(log, `${name}.log`)}`],
    run: async () => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
      }
      const ended = start(name, argv, log);
      if (!ready) return;
      await until(ready.fact, ready.seen, {
        seconds: ready.seconds,
        hopeless: ended,
        look: () => `${join(log, `${name}.log`)}:\n${tail(join(log, `${name}.log`))}`,
      });
    },
  };
}

/** Starts it so that it outlives this process; the answer tells, once it has ended, how. */
function start(name: string, [file = '', ...args]: string[], log: string): () => string | undefined {
  const path = join(log, `${name}.log`);
  const output = openSync(path, 'w');
  const child = spawn(file, args, { detached: true, cwd: '/', stdio: ['ignore', output, output] });
  closeSync(output);
  child.unref();
  let how: string | undefined;
  child.once('error', (error) => (how = `${name}: ${error.message}`));
  child.once(
    'exit',
    (code, signal) => (how = `${name} ended with ${signal ?? `exit code ${code}`}; ${path}:\n${tail(path)}`),
  );
  return () => how;
}
