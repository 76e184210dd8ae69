import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BundleError, writeError } from './errors.ts';
import { sourceOf } from './event.ts';
import type { EventData, EventKind, Recorder } from './event.ts';
import { claimFolder } from './folder.ts';
import { hashFiles, HISTORY_FILE, LOCK_FILE, MANIFEST_FILE, manifestText, sealManifest } from './hashes.ts';
import type { Manifest } from './manifest.ts';
import { redactObject, redactText } from './redaction.ts';

export interface BundleOptions {
  /** Values that must never be written, such as the token of the run's kubeconfig. */
  secrets?: readonly string[];
  /** Told once, when the disk fails; every later call throws the same error. */
  onFailure?: (error: BundleError) => void;
}

/** Characters that wait in memory at most before they are written, within one turn of the event loop. */
const BATCH = 64 * 1024;

/**
 * Writes a bundle as its run happens: the manifest first, then one line an event. A run that is killed leaves a bundle
 * that can be read up to its last whole line; only {@link BundleWriter.close} says that it came to its end.
 */
export class BundleWriter implements Recorder {
  readonly folder: string;
  readonly #manifest: Manifest;
  readonly #options: BundleOptions;
  readonly #fd: number;
  #seq = 0;
  #size = 0;
  #waiting: string[] = [];
  #waitingLength = 0;
  #flush: NodeJS.Immediate | undefined;
  #failure: BundleError | undefined;
  #open = true;
  #closed = false;

  /** @throws BundleError where the folder is not empty, not writable, or another run's */
  constructor(folder: string, manifest: Manifest, options: BundleOptions = {}) {
    this.folder = folder;
    this.#options = options;
    const { ended: _, ...open } = manifest;
    this.#manifest = { ...open, hashes: {} };
    claimFolder(folder);
    try {
      writeFileSync(join(folder, MANIFEST_FILE), this.#redact(manifestText(this.#manifest)));
      this.#fd = openSync(join(folder, HISTORY_FILE), 'a');
    } catch (error) {
      throw writeError(error, folder);
    }
  }

  /** How many events were recorded. */
  get count(): number {
    return this.#seq;
  }

  /** @throws BundleError after the disk failed or the bundle was closed */
  record<K extends EventKind>(kind: K, at: readonly [number, number], subject: string, data: EventData<K>): void {
    this.#check();
    const clean = kind.startsWith('object.') || kind === 'action.answered' ? withoutSecrets(subject, data) : data;
    const event = { seq: this.#seq, at, source: sourceOf(kind), kind, subject, data: clean };
    const line = `${this.#redact(JSON.stringify(event))}\n`;
    this.#seq += 1;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > BATCH) this.flush();
    else this.#flush ??= setImmediate(() => this.#quietFlush());
  }

  /** Writes what waits in memory, now. @throws BundleError where the disk fails */
  flush(): void {
    if (this.#flush) clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingLength = 0;
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#fd, bytes, done);
      this.#size += bytes.length;
    } catch (error) {
      this.#cutTornLine(bytes.subarray(0, done));
      this.#fail(writeError(error, join(this.folder, HISTORY_FILE)));
    }
  }

  /** Writes an object as `objects/NAME.json`. */
  object(name: string, object: unknown): void {
    this.file(`objects/${name}.json`, `${JSON.stringify(redactObject(object), undefined, 2)}\n`);
  }

  /** Appends a line to `logs/NAME`. */
  log(name: string, line: string): void {
    this.file(`logs/${name}`, line.endsWith('\n') ? line : `${line}\n`, 'a');
  }

  /** Writes a file of the bundle, redacted; `path` is relative. */
  file(path: string, text: string, flag: 'w' | 'a' = 'w'): void {
    this.#check();
    const full = join(this.folder, path);
    try {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, this.#redact(text), { flag });
    } catch (error) {
      this.#fail(writeError(error, full));
    }
  }

  /** Ends the bundle: everything on disk, hashes in the manifest, lock gone. Closing twice does nothing. */
  close(ended: 'complete' | 'interrupted'): void {
    if (this.#closed) return;
    this.#closed = true;
    const path = join(this.folder, MANIFEST_FILE);
    try {
      if (!this.#failure) this.flush();
      if (this.#failure) throw this.#failure;
      fsyncSync(this.#fd);
      const clean = JSON.parse(this.#redact(JSON.stringify({ ...this.#manifest, ended }))) as Manifest;
      writeFileSync(`${path}.new`, manifestText(sealManifest(clean, hashFiles(this.folder, [`${MANIFEST_FILE}.new`]))));
      renameSync(`${path}.new`, path);
    } catch (error) {
      rmSync(`${path}.new`, { force: true });
      throw error instanceof BundleError ? error : writeError(error, path);
    } finally {
      this.#letGo();
    }
  }

  /** Nothing is written any more: the folder is no longer ours. */
  #letGo(): void {
    if (this.#open) closeSync(this.#fd);
    this.#open = false;
    rmSync(join(this.folder, LOCK_FILE), { force: true });
  }

  #redact(text: string): string {
    return redactText(text, this.#options.secrets);
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
    if (this.#closed) {
      throw new BundleError('BUNDLE_CLOSED', `${this.folder} is closed`, 'Record before the bundle is closed.');
    }
  }

  /** Flush from the event loop: nobody is there to catch, so the failure is kept and told once. */
  #quietFlush(): void {
    try {
      this.flush();
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
    }
  }

  /** Leaves the history at its last whole line after a write that stopped in the middle of one. */
  #cutTornLine(written: Buffer): void {
    try {
      ftruncateSync(this.#fd, this.#size + written.lastIndexOf(0x0a) + 1);
    } catch {
      // The reader reports a torn line as well.
    }
  }

  #fail(error: BundleError): never {
    this.#failure = error;
    this.#letGo();
    this.#options.onFailure?.(error);
    throw error;
  }
}

/** Starts a bundle in `folder`, which is made where it is missing. @throws BundleError */
export const openBundle = (folder: string, manifest: Manifest, options?: BundleOptions): BundleWriter =>
  new BundleWriter(folder, manifest, options);

function withoutSecrets<T extends object>(subject: string, data: T): T {
  if (!('object' in data)) return data;
  const kind = (data.object as { kind?: string } | null | undefined)?.kind ?? subject.split('/')[0];
  return { ...data, object: redactObject(data.object, kind) };
}
