import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoFacts } from '../../../src/engines/dynamo/facts.ts';
import type { ImageMap } from '../../../src/doubles/images.ts';
import { cacheFolder } from '../places.ts';
import { root } from '../root.ts';
import { PYTHON } from './python.ts';

const here = join(root, 'scripts/real/dynamo');

/** Wheels by version and checksum, of Dynamo and all that it needs. */
export const requirementsFile = join(here, 'requirements.txt');

const sha256 = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
};

/** Where real Dynamo stands in the cache: a folder for each state of what it is made from, so that none is taken for another. */
export function dynamoPlaces(env: NodeJS.ProcessEnv = process.env) {
  const made = sha256(`${process.arch} ${PYTHON}\n`, readFileSync(requirementsFile));
  const folder = join(cacheFolder(env), `dynamo-${dynamoFacts.version}-${made}`);
  return {
    folder,
    venv: join(folder, 'venv'),
    python: join(folder, 'venv', 'bin', 'python'),
    /** Written last of all: a folder without it is half a set-up. */
    ready: join(folder, 'ready.json'),
    model: join(folder, `model-${sha256(readFileSync(join(here, 'model.ts')))}`),
    lock: join(cacheFolder(env), 'dynamo.lock'),
  };
}

export type DynamoPlaces = ReturnType<typeof dynamoPlaces>;

/** What to type where real Dynamo is not there. */
export const SET_UP = 'npm run real:setup -- dynamo';

/** The images of Dynamo with its real programs behind them, whether they are there or not. */
export function realDynamo({ python, model }: Pick<DynamoPlaces, 'python' | 'model'> = dynamoPlaces()): ImageMap {
  const commands = { python3: { file: python, args: ['-S', join(here, 'entry.py'), model] } };
  return {
    'nvcr.io/nvidia/ai-dynamo/dynamo-frontend:*': { commands },
    'nvcr.io/nvidia/ai-dynamo/*-runtime:*': { commands },
  };
}
