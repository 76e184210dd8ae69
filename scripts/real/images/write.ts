import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { $ } from 'zx';
import type { Say } from '../step.ts';
import { deployedReferences, doublesAsImages } from './doubles.ts';
import { SAME } from './layer.ts';
import { writeLayout } from './layout.ts';

/** Writes the doubles' images as one archive in the layout of OCI, for `ctr images import`, `skopeo` or `kind load`. */
export async function writeImages(output: string, more: readonly string[], say: Say): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'quiesce-images-'));
  try {
    const images = await doublesAsImages([...deployedReferences(), ...more], join(work, 'layers'));
    writeLayout(join(work, 'layout'), images);
    await $`tar --create ${SAME} --file ${resolve(output)} --directory ${join(work, 'layout')} .`;
    for (const { references } of images) for (const reference of references) say(reference);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
