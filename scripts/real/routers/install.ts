import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../places.ts';

/** Real routers that stand in for a double, as wheels of PyPI; pinned, since the doubles were measured against these. */
export const realRouters = {
  'vllm-router': { wheel: 'vllm-router==0.1.17', command: ['vllm-router'] },
  'sglang-gateway': { wheel: 'sglang-router==0.3.2', command: ['sglang-router', 'launch'] },
} as const;

export type RealRouter = keyof typeof realRouters;

const folderOf = (name: RealRouter): string =>
  join(cacheFolder(), 'routers', realRouters[name].wheel.replace('==', '-'));

/** How an installed router is started; undefined where it is not installed. */
export function commandOf(name: RealRouter): { file: string; args: string[] } | undefined {
  const [program, ...args] = realRouters[name].command;
  const file = join(folderOf(name), 'bin', program);
  return existsSync(file) ? { file, args } : undefined;
}

/** Installs a router, each into a virtual environment of its own: two of them bring a script of the same name. */
async function install(name: RealRouter): Promise<void> {
  if (commandOf(name)) return console.log(`${name}: ${folderOf(name)}`);
  const run = promisify(execFile);
  const folder = folderOf(name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(cacheFolder(), 'routers'), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', folder]);
    const pip = ['install', '--quiet', '--no-input', '--disable-pip-version-check', realRouters[name].wheel];
    await run(join(folder, 'bin', 'pip'), pip);
    console.log(`${name}: ${folder}`);
  } catch (error) {
    await rename(folder, `${folder}.failed-${process.pid}`).catch(() => undefined);
    await rm(`${folder}.failed-${process.pid}`, { recursive: true, force: true });
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(realRouters) as RealRouter[]) await install(name);
}
