import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import { NODE, nodeLayer, shellLayer } from './base.ts';
import { writeLayer, type Stage } from './layer.ts';
import type { Image } from './layout.ts';

/** The harness itself, for a Job in a cluster whose Pods cannot be reached from outside. */
export const HARNESS_IMAGE = 'localhost/quiesce/harness:1';

/** Where the harness is in its image. */
const HOME = '/opt/quiesce';

/** What a run reads: the bundled command, and what Playwright loads from source. */
const PARTS = [
  ...['package.json', 'playwright.config.ts', 'tsconfig.json'],
  ...['dist', 'fixtures', 'manifests', 'reports', 'scripts', 'src', 'suites'],
];

/** Packages that only builds and tests ask for. */
const WITHOUT = ['@kubernetes/client-node', 'esbuild'];

/** The harness on the layers of the doubles. `stage` is an empty one. */
export async function harnessImage(stage: Stage): Promise<Image> {
  for (const part of PARTS) copyInto(stage, part);
  for (const folder of packageFolders(lockfile(), WITHOUT)) copyInto(stage, folder);
  // `exec`: the harness itself gets the signals of its container.
  stage.write('/usr/local/bin/quiesce', `#!/bin/sh\nexec ${NODE} ${HOME}/dist/quiesce.mjs "$@"\n`, 0o755);
  for (const name of ['quiesce-run', 'quiesce-results'])
    stage.copy(join(root, 'scripts/job', `${name}.sh`), `/usr/local/bin/${name}`);
  return {
    references: [HARNESS_IMAGE],
    layers: [await shellLayer(), await nodeLayer(), await writeLayer(stage, `${stage.folder}.tar`)],
    config: {
      Entrypoint: ['/usr/local/bin/quiesce'],
      Env: ['PATH=/usr/local/bin:/bin', 'HOME=/tmp'],
      WorkingDir: HOME,
    },
  };
}

function copyInto(stage: Stage, part: string): void {
  const to = join(stage.folder, HOME, part);
  mkdirSync(dirname(to), { recursive: true });
  // A package is copied without the packages inside of it: those that are needed have folders of their own in the list.
  const inside = join(root, part, 'node_modules');
  cpSync(join(root, part), to, { recursive: true, filter: (path) => path !== inside && !path.endsWith('.test.ts') });
}

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Lockfile = Record<string, Locked>;

const lockfile = () =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile }).packages;

const installed = (folder: string): boolean => existsSync(join(root, folder));

/** Folders of the packages that run time needs, as npm placed them: from the project's own dependencies on. */
export function packageFolders(packages: Lockfile, without: readonly string[], isThere = installed): string[] {
  const found = new Set<string>();
  const visit = (from: string, { dependencies = {}, optionalDependencies = {} }: Locked) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (from === '' && without.includes(name)) continue;
      const folder = placeOf(packages, from, name);
      // What is optional may be for another system.
      if (folder === undefined || found.has(folder) || !isThere(folder)) continue;
      found.add(folder);
      visit(folder, packages[folder] ?? {});
    }
  };
  visit('', packages[''] ?? {});
  return [...found].sort();
}

/** Where Node finds a package: in the nearest folder upwards that has it. */
function placeOf(packages: Lockfile, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const folder = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (packages[folder]) return folder;
    if (above === '') return undefined;
  }
}
