import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReference, REFERENCE } from './recall/references.js';
import { isEntry, type RecallEntry, type RecallStore } from './recall/store.js';

/** The file of a kept text: its number in the order of arrival, and its reference. */
const KEPT = new RegExp(String.raw`^(\d{8,15})-(${REFERENCE})\.json$`);
/** Files left by a process that died while it wrote. */
const HALF = new RegExp(String.raw`^(?:\d{8,15}-${REFERENCE}\.json|${REFERENCE}\.gone)\.new$`);
/** The file of a forgotten text. */
const GONE = new RegExp(String.raw`^(${REFERENCE})\.gone$`);

/**
 * Keeps the cut texts of one conversation in its own directory, which is created if missing: a file for each text,
 * for the user's eyes alone. Files are whole or missing, and forgotten texts stay forgotten when the directory is
 * opened again. One process at a time writes to it.
 *
 * @example
 * const recall = createRecall({ secret, store: directoryStore('/var/lib/agent/conversation-7') });
 */
export function directoryStore(directory: string): RecallStore {
  return new DirectoryStore(directory);
}

class DirectoryStore implements RecallStore {
  readonly #directory: string;
  /** The files by reference, oldest first. */
  readonly #files = new Map<string, string>();
  readonly #gone = new Set<string>();
  #next = 0;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const names = readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? entry.name : [],
    );
    for (const name of names.sort()) {
      if (HALF.test(name)) rmSync(join(directory, name), { force: true });
      const [, order, reference] = KEPT.exec(name) ?? [];
      const [, gone] = GONE.exec(name) ?? [];
      if (isReference(gone)) this.#gone.add(gone);
      if (order === undefined || !isReference(reference)) continue;
      this.#files.set(reference, name);
      this.#next = Math.max(this.#next, Number(order) + 1);
    }
  }

  get(reference: string): RecallEntry | undefined {
    const name = this.#files.get(reference);
    return name === undefined ? undefined : this.#read(name);
  }

  #read(name: string): RecallEntry | undefined {
    try {
      const entry: unknown = JSON.parse(new TextDecoder().decode(readFileSync(join(this.#directory, name))));
      return isEntry(entry) ? entry : undefined;
    } catch {
      return undefined; // a deleted file is a forgotten text
    }
  }

  set(reference: string, { text, cause, tool, subject }: RecallEntry): void {
    const name = this.#files.get(reference) ?? `${String(this.#next).padStart(8, '0')}-${reference}.json`;
    this.#write(name, JSON.stringify({ cause, tool, subject, text }));
    this.#files.set(reference, name);
    this.#next += 1;
  }

  /** A reader never sees half a file. */
  #write(name: string, text: string): void {
    const path = join(this.#directory, name);
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  delete(reference: string): boolean {
    if (!isReference(reference)) return false;
    this.#gone.add(reference);
    this.#write(`${reference}.gone`, '');
    const name = this.#files.get(reference);
    if (name === undefined) return false;
    rmSync(join(this.#directory, name), { force: true });
    return this.#files.delete(reference);
  }

  *entries(): Generator<readonly [string, RecallEntry]> {
    for (const [reference, name] of this.#files) {
      const entry = this.#read(name);
      if (entry !== undefined) yield [reference, entry];
    }
  }

  forgotten(): Iterable<string> {
    return this.#gone;
  }
}
