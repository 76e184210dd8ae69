import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, createReadStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { $ } from 'zx';

/** A folder that is to become a layer of an image, filled as if it were the container's root. */
export class Stage {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  folders(...paths: string[]): void {
    for (const path of paths) mkdirSync(join(this.folder, path), { recursive: true });
  }

  write(path: string, content: string, mode = 0o644): void {
    const file = this.#place(path);
    writeFileSync(file, content);
    chmodSync(file, mode);
  }

  copy(from: string, path = from, mode = 0o755): void {
    const file = this.#place(path);
    copyFileSync(from, file);
    chmodSync(file, mode);
  }

  link(target: string, path: string): void {
    symlinkSync(target, this.#place(path));
  }

  /** Copies a program with the shared libraries that it asks for, each to where it lies on this machine. */
  async program(from: string, path: string): Promise<void> {
    this.copy(from, path);
    for (const library of await sharedLibraries(from)) this.copy(library);
  }

  #place(path: string): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  }
}

/** Absolute paths of the libraries that a program is linked with, its loader included; none for a static one. */
async function sharedLibraries(program: string): Promise<string[]> {
  const { stdout, exitCode } = await $({ nothrow: true, quiet: true })`ldd ${program}`;
  if (exitCode !== 0) return []; // "not a dynamic executable"
  const missing = /^\s*(\S+) => not found$/m.exec(stdout);
  if (missing) throw new Error(`${program} asks for ${missing[1]}, which is not found on this machine`);
  return [...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
}

/** A layer as a file: the digest is that of its bytes, uncompressed. */
export interface Layer {
  file: string;
  digest: string;
  size: number;
}

/** Options by which the same folder gives the same bytes: names in order, no owners, no times. */
export const SAME = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];

/** Writes a stage as a layer. */
export async function writeLayer(stage: Stage, file: string): Promise<Layer> {
  await $`tar --create ${SAME} --file ${file} --directory ${stage.folder} .`;
  return readLayer(file);
}

export async function readLayer(file: string): Promise<Layer> {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length;
      hash.update(chunk);
    }
  });
  return { file, digest: `sha256:${hash.digest('hex')}`, size };
}
