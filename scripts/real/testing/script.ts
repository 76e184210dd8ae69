import { spawn } from 'node:child_process';
import { root } from '../root.ts';

export interface Ended {
  code: number | null;
  /** Both standard output and standard error. */
  output: string;
}

export interface Running {
  ended: Promise<Ended>;
  /** Settles as soon as it has said something that matches. */
  said(text: RegExp): Promise<void>;
  interrupt(signal: NodeJS.Signals): void;
}

/** Runs one of the scripts as a person does, such as `real/kubernetes-up`. */
export const script = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running =>
  start(['node_modules/.bin/zx', `scripts/${name}`, ...args], env);

/** Starts a command in the project's folder, such as `['sh', 'scripts/gpu/nightly.sh']`. */
export function start([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const watch of watchers) watch();
    });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
  return {
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          if (text.test(output)) resolve();
        };
        watchers.add(watch);
        watch();
        void ended.then(() => reject(new Error(`it ended without ${String(text)}:\n${output}`)));
      }),
    interrupt: (signal) => child.kill(signal),
  };
}
