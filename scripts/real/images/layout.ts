import { createHash } from 'node:crypto';
import { linkSync, copyFileSync, mkdirSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Layer } from './layer.ts';

/** An image to be: what it is called, what it is made of, and what runs in it. */
export interface Image {
  /** Full references, such as `docker.io/gpustack/runner:x`. */
  references: string[];
  layers: Layer[];
  config: { Entrypoint?: string[]; Env?: string[]; WorkingDir?: string };
}

/** Names of processors in Go, which images use, by those in Node. */
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Writes images as a folder in the layout of OCI (image-spec v1.1, image-layout.md). Layers are linked, not copied, where the
 * file system can.
 */
export function writeLayout(folder: string, images: readonly Image[]): void {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const put = (mediaType: string, value: object) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const oci = (name: string) => `application/vnd.oci.image.${name}`;
  const manifests = images.flatMap(({ references, layers, config }) => {
    for (const layer of layers) putLayer(blobs, layer);
    const manifest = put(oci('manifest.v1+json'), {
      schemaVersion: 2,
      mediaType: oci('manifest.v1+json'),
      config: put(oci('config.v1+json'), {
        architecture: architectures[process.arch] ?? process.arch,
        os: 'linux',
        config,
        rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
      }),
      layers: layers.map(({ digest, size }) => ({ mediaType: oci('layer.v1.tar'), digest, size })),
    });
    return references.map((reference) => ({
      ...manifest,
      annotations: {
        // containerd takes the name from the first, skopeo and others from the second.
        'io.containerd.image.name': reference,
        'org.opencontainers.image.ref.name': reference,
      },
    }));
  });
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, mediaType: oci('index.v1+json'), manifests }),
  );
}

function putLayer(blobs: string, { file, digest }: Layer): void {
  const blob = join(blobs, digest.replace('sha256:', ''));
  if (existsSync(blob)) return;
  try {
    linkSync(file, blob);
  } catch {
    copyFileSync(file, blob); // another file system
  }
}
