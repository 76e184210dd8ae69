import { spawn } from 'node:child_process';
import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import { interrupt } from '../interrupt.ts';
import { withLock } from '../lock.ts';
import type { Say } from '../step.ts';
import { whatIsWrongWithModel, whatIsWrongWithWheels } from './examine.ts';
import { writeModel } from './model.ts';
import { dynamoPlaces, requirementsFile, type DynamoPlaces } from './places.ts';
import { findPython, PYTHON, PYTHON_VARIABLE } from './python.ts';

/** Real Dynamo cannot be had on this machine: what is missing, and what to type. */
export class UnsupportedError extends Error {
  readonly code = 'QUIESCE_UNSUPPORTED';
  constructor(seen: string, expected: string, next: string) {
    super(`unsupported: ${seen}\n  expected: ${expected}\n  next: ${next}`);
    this.name = 'UnsupportedError';
  }
}

const release = `ai-dynamo ${dynamoFacts.version}`;

/** What must be importable, and the version that must be there, before a set-up counts. */
const PROOF = [
  'import importlib.metadata as m',
  'import dynamo.frontend, dynamo.runtime, dynamo.llm, dynamo.common.utils.graceful_shutdown',
  'print(m.version("ai-dynamo"), m.version("ai-dynamo-runtime"))',
].join('; ');

/**
 * Makes a virtual environment with the pinned wheels, and the model, in the cache; nothing where they are there and whole. An
 * interrupt or a failure leaves nothing half done.
 * @throws UnsupportedError where there is no Python, or the wheels cannot be had, or the cache cannot be written
 */
export async function setUpDynamo(say: Say): Promise<void> {
  const places = dynamoPlaces();
  const cache = dirname(places.folder);
  await mayWrite(cache).catch(unwritable(cache));
  await withLock(places.lock, say, async () => {
    const wrong = await whatIsWrongWithWheels(places);
    if (wrong !== undefined) await install(places, wrong, say);
    if (whatIsWrongWithModel(places) !== undefined) await makeModel(places.model).catch(unwritable(cache));
  });
  say(`${release}: ${places.folder}`);
}

async function mayWrite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Turns an error of the file system into one with the next step. */
const unwritable =
  (cache: string) =>
  (error: Error): never => {
    throw new UnsupportedError(
      `the cache ${cache} cannot be written: ${error.message}`,
      'a folder that this user may write, on a disk with 1 GB to spare',
      'set QUIESCE_CACHE to one, for the runs too, or make room; then again',
    );
  };

async function install({ folder, venv, python, ready }: DynamoPlaces, wrong: string, say: Say): Promise<void> {
  const base = await findPython();
  if ('seen' in base)
    throw new UnsupportedError(
      `no Python ${PYTHON} with venv, which real Dynamo needs: ${base.seen}`,
      `python${PYTHON} on the PATH, below pyenv or uv, or named by ${PYTHON_VARIABLE}`,
      `install it (uv python install ${PYTHON}; pyenv install ${PYTHON}), then again`,
    );
  const cache = dirname(folder);
  say(`- to be made: ${wrong}`);
  await rm(folder, { recursive: true, force: true }).catch(unwritable(cache));
  await mkdir(folder, { recursive: true }).catch(unwritable(cache));
  try {
    say(`- a virtual environment of Python ${PYTHON}, by ${base.path}`);
    await command(base.path, ['-m', 'venv', venv]).catch(unwritable(cache));
    say(`- the wheels of ${release} (about 630 MB, one to three minutes)`);
    const wheels = ['--require-hashes', '--only-binary', ':all:', '-r', requirementsFile];
    await command(python, ['-m', 'pip', 'install', '--quiet', '--no-input', ...wheels]).catch(unavailable(cache));
    const versions = await command(python, ['-c', PROOF]);
    await writeFile(`${ready}.part`, JSON.stringify({ versions: versions.trim() }));
    await rename(`${ready}.part`, ready);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw interrupt.aborted ? interrupt.reason : error;
  }
}

/** Writes the model beside its place and moves it there whole. */
async function makeModel(folder: string): Promise<void> {
  const part = `${folder}.part`;
  try {
    await rm(part, { recursive: true, force: true });
    writeModel(part);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

/** What Python calls errors of a file system: no permission, too large, no space, read-only, quota. */
const FILE_SYSTEM = /\[Errno (13|27|28|30|122)\]/;

const unavailable =
  (cache: string) =>
  (error: Error): never => {
    if (interrupt.aborted) throw error;
    const said = /(ERROR|error): .*/.exec(error.message)?.[0] ?? error.message;
    if (FILE_SYSTEM.test(said)) return unwritable(cache)(new Error(said));
    throw new UnsupportedError(
      `pip did not install ${release}: ${said}`,
      'an index with the wheels of requirements.txt, for this machine',
      'see pip config list for the index that it asks, and run the set-up again',
    );
  };

/** Runs a program to its end, which the interrupt hastens; answers what it printed. @throws Error with its last words */
function command(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], signal: interrupt });
    let out = '';
    let said = '';
    let failed: Error | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
    child.once('error', (error) => (failed = error));
    // An interrupt is told before the program has ended; what it writes until then is to be removed too.
    child.once('close', (code) => {
      if (code === 0 && !failed) resolve(out);
      else reject(failed ?? new Error(`${file} ended with ${String(code)}: ${said.trim()}`));
    });
  });
}
