import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The documents of the fixture that a folder holds, by name: a text belongs to the document whose title it begins with. */
export function readDocuments(folder, { documents }) {
  const found = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const title = text.split('\n', 1)[0].trim();
    for (const [name, document] of Object.entries(documents)) if (document.title === title) found.set(name, text);
  }
  return found;
}
