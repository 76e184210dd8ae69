import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { environment } from '../../embedded/environment.ts';
import type { BackendName } from '../../engines/dynamo/backends.ts';
import { backends } from '../../engines/dynamo/backends.ts';

/** A program that does nothing, under any name: busybox, in the images of the doubles, is another program by each name. */
function idle(): [file: string, args: string[]] {
  if (basename(realpathSync('/bin/sleep')) !== 'busybox') return ['sleep', ['86400']];
  return [process.execPath, ['-e', 'setInterval(() => undefined, 2 ** 30)']];
}

/** Thrown by an engine whose shutdown is told to fail. */
class EngineError extends Error {}

/** How the shutdown of an engine goes wrong, where it does. */
export type Trouble = 'hangs' | 'raises' | undefined;

/**
 * The engine of a worker, as far as it leaves traces in its container: a process of its own, a segment of shared memory and,
 * for vLLM, a temporary folder with an adapter. `TMPDIR` says where the files go, as for any Python program.
 */
export class Engine {
  readonly #trouble: Trouble;
  readonly #process: ChildProcess;
  readonly #folders: string[] = [];
  readonly #segment: string;
  #dead = false;

  constructor(backend: BackendName, trouble: Trouble, env: NodeJS.ProcessEnv) {
    this.#trouble = trouble;
    const root = env[environment.root];
    const place = root === undefined ? tmpdir() : join(root, env['TMPDIR'] ?? '/tmp');
    mkdirSync(place, { recursive: true });
    this.#segment = mkdtempSync(join(place, 'psm_'));
    if (backend === 'vLLM') {
      const folder = mkdtempSync(join(place, 'lora-'));
      writeFileSync(join(folder, 'adapter_config.json'), '{}');
      this.#folders.push(folder);
    }
    this.#process = spawn(...idle(), { argv0: backends[backend].process, stdio: 'ignore' });
    this.#process.once('exit', () => (this.#dead = true));
  }

  /** Whether its process has ended by itself. */
  get dead(): boolean {
    return this.#dead;
  }

  onDeath(tell: () => void): void {
    this.#process.once('exit', tell);
  }

  /** Removes the worker's own temporary folders. */
  removeFolders(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  /** Ends its process and frees its memory; settles never where it hangs. @throws EngineError where it is told to */
  async shutDown(): Promise<void> {
    if (this.#trouble === 'hangs') return new Promise(() => undefined);
    if (this.#trouble === 'raises') throw new EngineError('the executor does not answer');
    this.#process.removeAllListeners('exit');
    this.#process.kill('SIGKILL');
    rmSync(this.#segment, { recursive: true, force: true });
  }
}
