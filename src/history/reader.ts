import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BundleError } from './errors.ts';
import { eventData } from './event.ts';
import type { EventKind, HistoryEvent } from './event.ts';
import { HISTORY_FILE, MANIFEST_FILE, sealBroken, sha256 } from './hashes.ts';
import { BUNDLE_FORMAT, manifestSchema } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** An event and the line of history.jsonl on which it stands, counted from 1. */
export type LinedEvent = HistoryEvent & { line: number };

export interface Bundle {
  manifest: Manifest;
  events: LinedEvent[];
  /** What could not be used, each with file and line: a torn last line (a killed run), a changed line, no end. */
  problems: string[];
  /**
   * Those of the problems for which the history may not tell what happened: a line in it that is damaged or gone, a
   * file that is not as the run left it. No torn last line: that a run was killed moves nothing that it had seen.
   */
  losses: string[];
}

/**
 * Reads a bundle. What cannot be used is a problem in the answer, never silently dropped.
 * @throws BundleError where there is no bundle, its manifest is damaged, or a newer version wrote it
 */
export function readBundle(folder: string): Bundle {
  const manifest = readManifest(folder);
  const text = read(folder, HISTORY_FILE);
  const { events, problems, losses } = parseHistory(text);
  if (manifest.ended === undefined) {
    problems.push(`${MANIFEST_FILE}: unfinished: the run was killed before it could end its bundle`);
    return { manifest, events, problems, losses };
  }
  const changed = [
    ...(sealBroken(manifest, read(folder, MANIFEST_FILE)) ? [MANIFEST_FILE] : []),
    ...(manifest.hashes[HISTORY_FILE] === sha256(text) ? [] : [HISTORY_FILE]),
  ].map((name) => `${name}: changed: it is not as its run left it`);
  return { manifest, events, problems: [...problems, ...changed], losses: [...losses, ...changed] };
}

/** @throws BundleError */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE);
  let json: unknown;
  try {
    json = JSON.parse(read(folder, MANIFEST_FILE));
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError('BUNDLE_DAMAGED', `${path} is not JSON`, 'Take the bundle from its source again.', error);
  }
  const format = (json as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > BUNDLE_FORMAT) {
    const seen = `${folder} has bundle format ${format}; this version reads up to ${BUNDLE_FORMAT}`;
    throw new BundleError('BUNDLE_NEWER', seen, 'Judge it with the version of quiesce that wrote it, or a newer one.');
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const seen = `${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a manifest'}`;
  throw new BundleError('BUNDLE_DAMAGED', seen, 'Take the bundle from its source again.');
}

/** Reads the text of a history.jsonl. */
export function parseHistory(text: string): Pick<Bundle, 'events' | 'problems' | 'losses'> {
  const events: LinedEvent[] = [];
  const losses: string[] = [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  lines.forEach((line, index) => {
    const event = parseEvent(line);
    if (typeof event === 'string') losses.push(`${HISTORY_FILE}:${index + 1}: ${event}`);
    else events.push(Object.assign(event, { line: index + 1 }));
  });
  losses.push(...missing(events, losses.length));
  const torn = last === '' ? [] : [`${HISTORY_FILE}:${lines.length + 1}: torn: cut after ${last.length} characters`];
  return { events, problems: [...losses, ...torn], losses };
}

/** Events that were numbered and are not there, in whatever order the others stand; `damaged` lines explain as many. */
function missing(events: readonly LinedEvent[], damaged: number): string[] {
  const numbers = Float64Array.from(events, (event) => event.seq).sort();
  const found: string[] = [];
  let lost = 0;
  let next = 0;
  for (const seq of numbers) {
    if (seq > next) {
      lost += seq - next;
      found.push(`${HISTORY_FILE}: missing: ${seq - next === 1 ? `event ${next}` : `events ${next} to ${seq - 1}`}`);
    }
    next = Math.max(next, seq + 1);
  }
  return lost > damaged ? found : [];
}

/** One event, or what is wrong with its line. */
function parseEvent(line: string): HistoryEvent | string {
  let event: Partial<Record<keyof HistoryEvent, unknown>>;
  try {
    event = JSON.parse(line) as typeof event;
  } catch {
    return `not JSON: ${line.slice(0, 60)}`;
  }
  const { seq, at, kind, subject, data } = event;
  if (typeof kind !== 'string' || !Object.hasOwn(eventData, kind)) return `unknown kind of event: ${String(kind)}`;
  if (!Number.isInteger(seq) || typeof subject !== 'string') return 'seq or subject is missing';
  if (!Array.isArray(at) || at.length !== 2 || !at.every(Number.isFinite) || at[0] > at[1]) return 'at is no interval';
  const parsed = eventData[kind as EventKind].safeParse(data);
  if (parsed.success) return event as unknown as HistoryEvent;
  const issue = parsed.error.issues[0];
  return `${kind}: data.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong'}`;
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    const seen = `${join(folder, name)} cannot be read`;
    throw new BundleError(
      'BUNDLE_UNREADABLE',
      seen,
      `Name a folder that holds ${MANIFEST_FILE} and ${HISTORY_FILE}.`,
      error,
    );
  }
}
