// How a saved text is cut into sentences, so that a sentence can be named by its place and known by its hash.
//
// Rule: take the named lines, join them, fold white space, drop a leading bullet or number, and cut after every
// `.`, `;` or `:` that white space follows. A source sentence is a run of adjacent pieces; code is one run of all.
import { createHash } from 'node:crypto';

export const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

export const fold = (text) => text.replace(/\s+/g, ' ').trim();

/** The pieces of lines `first` to `last` (counted from 1) of a text. */
export function pieces(text, [first, last]) {
  const lines = text.split('\n').slice(first - 1, last);
  return fold(lines.join('\n'))
    .replace(/^(?:•|\d+\.) /, '')
    .split(/(?<=[.;:]) /);
}

/** Hash of pieces `from` to `to` (counted from 0) of the named lines; undefined where they are not there. */
export function sentenceHash(text, lines, [from, to]) {
  const all = pieces(text, lines);
  return to < all.length ? sha256(all.slice(from, to + 1).join(' ')) : undefined;
}

/** Hashes of every run of adjacent pieces in the named lines: all that could be a source sentence there. */
export function candidates(text, lines) {
  const all = pieces(text, lines);
  const found = new Set();
  for (let from = 0; from < all.length; from += 1) {
    for (let to = from; to < all.length; to += 1) found.add(sha256(all.slice(from, to + 1).join(' ')));
  }
  return found;
}
