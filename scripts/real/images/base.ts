import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'zx';
import { cacheFolder } from '../places.ts';
import { readLayer, Stage, writeLayer, type Layer } from './layer.ts';

export const BUSYBOX = '/bin/busybox';

/** Where Node is in the doubles' images. */
export const NODE = '/usr/local/bin/node';

/** Counted up where {@link fill} changes, so that no layer of before is taken from the cache. */
const EDITION = 1;

/** The small layer: a shell and the usual commands, all of them busybox. */
export const shellLayer = (): Promise<Layer> =>
  cached('shell', [BUSYBOX], async (stage) => {
    stage.folders('tmp', 'proc', 'sys', 'dev', 'run', 'root', 'var/tmp');
    stage.write('/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n');
    stage.write('/etc/group', 'root:x:0:\nnogroup:x:65534:\n');
    await stage.program(BUSYBOX, '/bin/busybox');
    const { stdout } = await $`${BUSYBOX} --list`;
    for (const name of stdout.trim().split('\n')) if (name !== 'busybox') stage.link('busybox', `/bin/${name}`);
  });

/** This very Node with its libraries. */
export const nodeLayer = (): Promise<Layer> =>
  cached('node', [process.execPath], (stage) => stage.program(process.execPath, NODE));

/** A layer of the cache, made where it is not there or not what it was. */
async function cached(name: string, programs: string[], fill: (stage: Stage) => Promise<void>): Promise<Layer> {
  const told = programs.map((path) => [path, statSync(path).size, statSync(path).mtimeMs]);
  const key = createHash('sha256')
    .update(JSON.stringify([EDITION, told]))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cacheFolder(), 'images');
  const file = join(folder, `${name}-${key}.tar`);
  const sum = `${file}.sha256`;
  const found = await readLayer(file).catch(() => undefined);
  if (found && found.digest === read(sum)) return found;
  const work = join(folder, `${name}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const stage = new Stage(work);
    await fill(stage);
    const { digest } = await writeLayer(stage, `${work}.tar`);
    renameSync(`${work}.tar`, file);
    writeFileSync(sum, digest);
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(`${work}.tar`, { force: true });
  }
  return readLayer(file);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
