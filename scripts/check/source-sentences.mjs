// Makes suites/source-sentences.json from a folder of the saved texts:
//
//   node scripts/check/source-sentences.mjs FOLDER [--write]
//
// The fixture says of each id where its source sentence stands (lines, and which pieces of them: see sentences.mjs) and
// keeps the hash of the sentence, never the sentence. Without --write it only reports what differs (exit 1).
// A new id: add its entry by hand without `sha256`, run with --write, and copy the printed hash into the catalogue.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readDocuments } from './documents.mjs';
import { sentenceHash, sha256 } from './sentences.mjs';

const file = fileURLToPath(new URL('../../suites/source-sentences.json', import.meta.url));
const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined || flags.some((flag) => flag !== '--write')) {
  console.error('usage: node scripts/check/source-sentences.mjs FOLDER [--write]');
  process.exit(64);
}

const fixture = JSON.parse(readFileSync(file, 'utf8'));
const texts = readDocuments(folder, fixture);
let differences = 0;
const report = (what, was, is) => {
  if (was === is) return;
  differences += 1;
  console.log(`${what}: ${was ?? 'new'} -> ${is}`);
};

for (const [name, document] of Object.entries(fixture.documents)) {
  const text = texts.get(name);
  if (text === undefined) throw new Error(`${folder} holds no text that begins with "${document.title}"`);
  report(name, document.sha256, sha256(text));
  document.sha256 = sha256(text);
}
for (const [id, entry] of Object.entries(fixture.sentences)) {
  const hash = sentenceHash(texts.get(entry.document), entry.lines, entry.pieces);
  if (hash === undefined)
    throw new Error(`${id}: lines ${entry.lines.join('-')} have no pieces ${entry.pieces.join('-')}`);
  report(id, entry.sha256, hash);
  entry.sha256 = hash;
}
if (flags.includes('--write')) {
  const { format, resolveConfig } = await import('prettier');
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(JSON.stringify(fixture), options));
}
console.log(`${Object.keys(fixture.sentences).length} sentences, ${differences} differ from the fixture`);
process.exitCode = differences > 0 && !flags.includes('--write') ? 1 : 0;
