import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The only minor version whose wheels of Dynamo 1.6.1 all come from an index: from 3.11 on one of its dependencies is a source
 * package that fetches its wheel elsewhere while it is built.
 */
export const PYTHON = '3.10';

/** Variable that names the interpreter, for machines that have it in a place where nobody looks. */
export const PYTHON_VARIABLE = 'QUIESCE_PYTHON';

const run = promisify(execFile);

/** Every place that is looked into, in order: the variable, the PATH, what pyenv and uv installed. */
function candidates(env: NodeJS.ProcessEnv): string[] {
  const named = env[PYTHON_VARIABLE];
  if (named) return [named];
  const below = (folder: string, prefix: string) => {
    try {
      const found = readdirSync(folder).filter((name) => name.startsWith(prefix));
      return found.map((name) => join(folder, name, 'bin', `python${PYTHON}`));
    } catch {
      return [];
    }
  };
  return [
    `python${PYTHON}`,
    'python3',
    ...below(join(env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions'), `${PYTHON}.`),
    ...below(join(homedir(), '.local/share/uv/python'), `cpython-${PYTHON}.`),
  ];
}

/** An interpreter of that version which can make virtual environments; undefined where none is found. */
export async function findPython(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  const say = 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2], sys.executable)';
  for (const candidate of candidates(env)) {
    // A shim of pyenv exists for versions that are not chosen, and fails when it is run.
    const said = await run(candidate, ['-c', say]).catch(() => undefined);
    const [version, path] = said?.stdout.trim().split(' ') ?? [];
    if (version === PYTHON && path) return path;
  }
  return undefined;
}
