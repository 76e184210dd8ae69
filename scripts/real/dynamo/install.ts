import { spawn } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import { interrupt } from '../interrupt.ts';
import { withLock } from '../lock.ts';
import type { Say } from '../step.ts';
import { writeModel } from './model.ts';
import { dynamoPlaces, requirementsFile } from './places.ts';
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
 * Makes a virtual environment with the pinned wheels, and the model, in the cache; nothing where they are there. An interrupt
 * or a failure leaves nothing half done.
 * @throws UnsupportedError where there is no Python or the wheels cannot be had
 */
export async function setUpDynamo(say: Say): Promise<void> {
  const places = dynamoPlaces();
  await withLock(places.lock, say, async () => {
    if (!existsSync(places.ready)) await install(places, say);
    if (!existsSync(places.model)) await makeModel(places.model);
  });
  say(`${release}: ${places.folder}`);
}

type Places = ReturnType<typeof dynamoPlaces>;

async function install({ folder, venv, python, ready }: Places, say: Say): Promise<void> {
  const base = await findPython();
  if (base === undefined)
    throw new UnsupportedError(
      `real Dynamo needs Python ${PYTHON} with venv, and none was found`,
      `python${PYTHON} on the PATH, below pyenv or uv, or named by ${PYTHON_VARIABLE}`,
      `install it (uv python install ${PYTHON}; pyenv install ${PYTHON}), then again`,
    );
  await rm(folder, { recursive: true, force: true }); // what a kill left half done
  await mkdir(folder, { recursive: true });
  try {
    say(`- a virtual environment of Python ${PYTHON}, by ${base}`);
    await command(base, ['-m', 'venv', venv]);
    say(`- the wheels of ${release} (about 630 MB, one to three minutes)`);
    const wheels = ['--require-hashes', '--only-binary', ':all:', '-r', requirementsFile];
    await command(python, ['-m', 'pip', 'install', '--quiet', '--no-input', ...wheels]).catch(unavailable);
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
  await rm(part, { recursive: true, force: true });
  writeModel(part);
  await rename(part, folder);
}

function unavailable(error: Error): never {
  if (interrupt.aborted) throw error;
  const said = error.message.split('\n').filter((line) => /ERROR|error:/.test(line));
  throw new UnsupportedError(
    `pip did not install ${release}: ${said[0] ?? error.message}`,
    'an index with the wheels of requirements.txt, for this machine',
    'see pip config list for the index that it asks, and run the set-up again',
  );
}

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
