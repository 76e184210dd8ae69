import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { $, which } from 'zx';
import { cacheFolder } from './places.ts';
import { root } from './root.ts';
import { shown, type Step } from './step.ts';

const source = join(root, 'scripts/real/kube');

/** The version of Kubernetes, which stands in go.mod and nowhere else, such as `1.34.4`. */
export function kubernetesVersion(goMod = readFileSync(join(source, 'go.mod'), 'utf8')): string {
  const version = /^\s*k8s\.io\/kubernetes v(\d+\.\d+\.\d+)$/m.exec(goMod)?.[1];
  if (version === undefined) throw new Error(`${source}/go.mod: expected a line "k8s.io/kubernetes vX.Y.Z"`);
  return version;
}

/** The Go build: without the stamps the API server would call itself v0.0.0-master. No cgo: the file runs anywhere. */
function buildCommand(output: string): string[] {
  const version = kubernetesVersion();
  const [major = '', minor = ''] = version.split('.');
  const stamps = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor, gitTreeState: 'archive' };
  const flags = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return [
    'go',
    'build',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags',
    ['-s', '-w', ...flags].join(' '),
    '-o',
    output,
    '.',
  ];
}

/** Where the program of this source belongs: one folder for each state of the sources, so that none is taken for another. */
export function builtProgram(): { folder: string; program: string; sums: string } {
  const hash = createHash('sha256').update(`${process.arch}\n${shown(buildCommand(''))}\n`);
  for (const name of readdirSync(source).sort()) hash.update(`${name}\n`).update(readFileSync(join(source, name)));
  const folder = join(cacheFolder(), `kubernetes-${kubernetesVersion()}-${hash.digest('hex').slice(0, 12)}`);
  return { folder, program: join(folder, 'kube'), sums: join(folder, 'kube.sha256') };
}

/** What is there: a program with the checksum that was written after its build, another one, or none. */
export async function examine({ program, sums }: { program: string; sums: string }): Promise<'good' | 'bad' | 'none'> {
  let expected: string;
  try {
    expected = readFileSync(sums, 'utf8').split(/\s/)[0] ?? '';
  } catch {
    return 'none'; // a build that was cut short has no checksum either
  }
  return (await sha256(program).catch(() => '')) === expected ? 'good' : 'bad';
}

/** The build as a step, which does nothing where a good program is there. */
export function buildStep(): Step {
  const built = builtProgram();
  const argv = buildCommand(built.program);
  return {
    does: `have Kubernetes ${kubernetesVersion()} in ${built.folder} (a first build takes 4 to 15 minutes)`,
    shows: [`cd ${source}`, `CGO_ENABLED=0 ${shown(argv)}`, `sha256sum kube > kube.sha256`],
    run: () => build(built),
  };
}

async function build(built: ReturnType<typeof builtProgram>): Promise<void> {
  const found = await examine(built);
  if (found === 'good') return;
  if (found === 'bad') console.log(`  ${built.program} differs from its checksum: it is built again`);
  if (!(await which('go', { nothrow: true })))
    throw new Error(`go: not found; Kubernetes ${kubernetesVersion()} is built from source: install Go 1.24 or newer`);
  const output = `${built.program}.${process.pid}`;
  mkdirSync(built.folder, { recursive: true });
  rmSync(built.sums, { force: true });
  try {
    await $({
      cwd: source,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    })`${buildCommand(output)}`;
    const sum = await sha256(output);
    renameSync(output, built.program);
    // Last of all: a program without it is none.
    writeFileSync(built.sums, `${sum}  kube\n`);
  } finally {
    rmSync(output, { force: true });
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
