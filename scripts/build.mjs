// Bundles what runs outside a TypeScript loader to plain JavaScript, one file each, into dist/:
// the command, the embedded cluster and every double (src/doubles/NAME/main.ts). Takes well under a second.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, 'built.json');
const sources = ['src', 'scripts', 'suites', 'reports', 'package.json'];

/** While zx runs a script without an ending it keeps a copy beside it, which has one. */
const isCopyOfZx = (path) => existsSync(path.replace(/(-[a-z0-9]{10})?\.mjs$/, '')) && path.endsWith('.mjs');

/** Newest modification among the sources and their number: what a bundle depends on. */
export function sourceStamp() {
  let newest = 0;
  let files = 0;
  const visit = (path) => {
    const stat = statSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
    else if (/\.(ts|mjs|json)$/.test(path) && !isCopyOfZx(path)) {
      files += 1;
      newest = Math.max(newest, stat.mtimeMs);
    }
  };
  for (const name of sources) if (existsSync(join(root, name))) visit(join(root, name));
  return `${files}:${newest}`;
}

export function isBuilt() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).stamp === sourceStamp();
  } catch {
    return false;
  }
}

function entries() {
  const doubles = join(root, 'src/doubles');
  const found = {};
  for (const name of readdirSync(doubles)) {
    const main = join(doubles, name, 'main.ts');
    if (existsSync(main)) found[`programs/${name}`] = main;
  }
  for (const [name, path] of Object.entries({
    quiesce: 'scripts/quiesce.ts',
    cluster: 'scripts/cluster-main.ts',
    real: 'scripts/real/main.ts',
    gpu: 'scripts/gpu/main.ts',
    reaper: 'src/embedded/reaper/main.ts',
    spawner: 'src/embedded/kubelet/spawner-thread.ts',
  })) {
    if (existsSync(join(root, path))) found[name] = join(root, path);
  }
  return found;
}

/** Builds into a folder beside dist and swaps it in, so that a reader never meets half a build. */
export async function bundle() {
  const stamp = sourceStamp();
  const next = `${dist}.${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  await build({
    entryPoints: entries(),
    outdir: next,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    sourcemap: false,
    logLevel: 'warning',
    external: ['@playwright/test', 'playwright', 'esbuild', '@kubernetes/client-node', 'allure-playwright', 'zx'],
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  });
  writeFileSync(join(next, 'built.json'), JSON.stringify({ stamp }));
  const old = `${dist}.old.${process.pid}`;
  try {
    renameSync(dist, old);
  } catch {
    // there is none yet, or another build is swapping at this moment
  }
  try {
    renameSync(next, dist);
  } catch {
    rmSync(next, { recursive: true, force: true }); // another build came first
  }
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
