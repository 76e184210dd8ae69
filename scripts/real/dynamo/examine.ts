import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { modelFiles } from './model.ts';
import { requirementsFile, type DynamoPlaces } from './places.ts';
import { PYTHON } from './python.ts';

const run = promisify(execFile);

/** Milliseconds of the wall for an interpreter that reads the versions of 69 packages; it takes 0.2 s on a quiet machine. */
const PATIENCE_MS = 30_000;

/** Prints what differs from the requirements, one a line; nothing where all is as it was installed. */
const DIFFERENCES = `
import importlib.metadata, sys
here = "%d.%d" % sys.version_info[:2]
if here != sys.argv[1]: print("its Python is", here, "and not", sys.argv[1])
for line in open(sys.argv[2]):
    name, same, version = line.split("#")[0].split(" ")[0].strip().partition("==")
    if not same: continue
    try:
        seen = importlib.metadata.version(name)
        if seen != version: print(name, "is", seen, "and not", version)
    except importlib.metadata.PackageNotFoundError:
        print(name, "is missing")
`;

/** Why the wheels in the cache cannot be used, in words that name the broken thing; undefined where they can. */
export async function whatIsWrongWithWheels({ folder, ready, python }: DynamoPlaces): Promise<string | undefined> {
  if (!existsSync(ready))
    return existsSync(folder) ? `${folder} is half a set-up: ${ready} is missing` : `${folder} is not there`;
  // -I: nothing of the user's own environment takes part.
  const asked = await run(python, ['-I', '-c', DIFFERENCES, PYTHON, requirementsFile], { timeout: PATIENCE_MS }).catch(
    (error: Error & { code?: string | number | null; stderr?: string }) => error,
  );
  if (asked instanceof Error) {
    const [last] = (asked.stderr ?? '').trim().split('\n').slice(-1);
    const { code, message } = asked;
    return `${python} does not run: ${last || (typeof code === 'number' ? `it ends with ${code}` : message)}`;
  }
  const [first, ...more] = asked.stdout.trim().split('\n').filter(Boolean);
  return first && `${folder}: ${first}${more.length > 0 ? `, and ${more.length} more` : ''}`;
}

/** Why the model in the cache cannot be used: the first of its files that is not as it was written. */
export function whatIsWrongWithModel({ model }: DynamoPlaces): string | undefined {
  if (!existsSync(model)) return `${model} is not there`;
  for (const [name, content] of Object.entries(modelFiles())) {
    const path = join(model, name);
    try {
      if (readFileSync(path, 'utf8') !== content) return `${path} is not as it was written`;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? `${path} is missing` : message;
    }
  }
  return undefined;
}

/** Why real Dynamo in the cache cannot be used; undefined where it can. */
export const whatIsWrong = async (places: DynamoPlaces): Promise<string | undefined> =>
  (await whatIsWrongWithWheels(places)) ?? whatIsWrongWithModel(places);
