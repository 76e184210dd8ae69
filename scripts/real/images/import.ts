import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'zx';
import type { Places } from '../places.ts';
import type { Step } from '../step.ts';
import { deployedReferences, doublesAsImages } from './doubles.ts';
import { writeLayout } from './layout.ts';

/** Writes the doubles as images and gives them to the cluster's containerd. */
export function importImages({ state }: Places, address: string): Step {
  const work = join(state, 'images');
  const references = deployedReferences();
  return {
    does: `images of the doubles: ${references.join(', ')}`,
    shows: [`tar --create --directory ${work}/layout . | ctr --namespace k8s.io images import -`],
    run: async () => {
      writeLayout(join(work, 'layout'), await doublesAsImages(references, join(work, 'layers')));
      await $`tar --create --directory ${join(work, 'layout')} . | ctr --address ${address} --namespace k8s.io images import -`;
      rmSync(work, { recursive: true, force: true });
    },
  };
}
