import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { doubleImages, matches } from '../../../src/doubles/images.ts';
import { environment } from '../../../src/embedded/environment.ts';
import { manifestsFolder } from '../../../src/systems/gpustack/manifests.ts';
import { modelDeployment } from '../../../src/systems/gpustack/model-deployment.ts';
import { defaults } from '../../../src/systems/gpustack/names.ts';
import { root } from '../root.ts';
import { NODE, nodeLayer, shellLayer } from './base.ts';
import { harnessImage } from './harness.ts';
import { Stage, writeLayer } from './layer.ts';
import type { Image } from './layout.ts';

/** The image of every Pod's own container, which does nothing: it holds the Pod's namespaces. */
export const SANDBOX_IMAGE = 'localhost/quiesce/sandbox:1';

/** Tags of images that have one name and many tags, where nothing deploys a certain one. */
const anyTag = {
  'quiesce/vllm-bare:*': 'quiesce/vllm-bare:1',
  'quiesce/pause:*': 'quiesce/pause:1',
  'registry.k8s.io/pause:*': 'registry.k8s.io/pause:3.10',
};

/** References of images that manifests and scenarios deploy and doubles stand for, without duplicates. */
export function deployedReferences(): string[] {
  const folder = manifestsFolder();
  const texts = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const inManifests = texts.flatMap((text) =>
    [...text.matchAll(/\bimage: ["']?([\w./-]+:[\w.-]+)/g)].map(([, ref = '']) => ref),
  );
  const { engine } = modelDeployment({ name: 'x', namespace: 'x', roles: [] }, 'B').spec;
  const { routerImage, envoyImage, proxyImage } = defaults;
  const all = new Set([
    engine.image ?? '',
    routerImage,
    envoyImage,
    proxyImage,
    ...Object.values(anyTag),
    ...inManifests,
  ]);
  const patterns = Object.keys(doubleImages(''));
  return [...all].filter((reference) => patterns.some((pattern) => matches(pattern, reference)));
}

/**
 * The doubles as images, each with the commands that src/doubles/images.ts gives it, under every reference of `references`
 * that fits, and the harness itself. `work` is a folder for the layers.
 */
export async function doublesAsImages(references: readonly string[], work: string): Promise<Image[]> {
  const base = [await shellLayer(), await nodeLayer()];
  mkdirSync(work, { recursive: true });
  const images: Image[] = [
    { references: [SANDBOX_IMAGE], layers: base.slice(0, 1), config: { Entrypoint: ['/bin/sleep', 'infinity'] } },
    await harnessImage(new Stage(join(work, 'harness'))),
  ];
  for (const [pattern, { entrypoint, commands = {} }] of Object.entries(doubleImages(join(root, 'dist')))) {
    const fitting = references.filter((reference) => matches(pattern, reference));
    if (fitting.length === 0) continue;
    const stage = new Stage(join(work, pattern.replaceAll(/\W+/g, '-')));
    const programs = { ...commands, ...(entrypoint ? { entrypoint } : {}) };
    for (const [name, { file, args }] of Object.entries(programs)) {
      const [bundle] = args;
      if (file !== process.execPath || bundle === undefined) continue; // a command of the shell layer
      const there = `/opt/quiesce/${basename(bundle)}`;
      stage.copy(bundle, there, 0o644);
      // `exec`: the double itself is the process that the container is, and gets its signals.
      stage.write(`/usr/local/bin/${name}`, `#!/bin/sh\nexec ${NODE} ${there} "$@"\n`, 0o755);
    }
    images.push({
      references: fitting.map(full),
      layers: [...base, await writeLayer(stage, `${stage.folder}.tar`)],
      config: {
        ...(entrypoint ? { Entrypoint: ['/usr/local/bin/entrypoint'] } : {}),
        // A container has a network of its own: its double listens on every address of it.
        Env: ['PATH=/usr/local/bin:/bin', 'HOME=/root', `${environment.podIP}=0.0.0.0`],
        WorkingDir: '/root',
      },
    });
  }
  return images;
}

/** A short name is one of Docker Hub, as everywhere. */
const full = (reference: string): string =>
  /^(localhost|[^/]*[.:][^/]*)\//.test(reference) ? reference : `docker.io/${reference}`;
