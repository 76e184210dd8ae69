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

/** An interpreter of that version which can make virtual environments, or what was seen in the place of one. */
export async function findPython(env: NodeJS.ProcessEnv = process.env): Promise<{ path: string } | { seen: string }> {
  const seen: string[] = [];
  for (const candidate of candidates(env)) {
    const found = await tryPython(candidate, env);
    if ('path' in found) return found;
    seen.push(`${candidate} ${found.seen}`);
  }
  return { seen: seen.join(', ') };
}

const ASK = 'import sys; sys.stdout.write("%d.%d %s" % (sys.version_info[:2] + (sys.executable,)))';

async function tryPython(candidate: string, env: NodeJS.ProcessEnv): Promise<{ path: string } | { seen: string }> {
  try {
    const [version, path = candidate] = (await run(candidate, ['-c', ASK], { env })).stdout.split(' ');
    if (version !== PYTHON) return { seen: `is Python ${version}` };
    const whole = await run(path, ['-c', 'import venv, ensurepip'], { env }).catch(() => undefined);
    return whole ? { path } : { seen: 'has no venv or no ensurepip' };
  } catch (error) {
    // A shim of pyenv exists for versions that are not chosen, and fails when it is run.
    const { code } = error as NodeJS.ErrnoException;
    return { seen: code === 'ENOENT' ? 'is not there' : 'does not run' };
  }
}
