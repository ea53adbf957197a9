import { densifyError } from '../base/errors.js';
import { describe, optionError } from '../base/options.js';
import { isReference } from './references.js';

/** A cut text and its origin. */
export interface RecallEntry {
  /** The full text. */
  readonly text: string;
  /** What cut it. */
  readonly cause: 'intake' | 'edit' | 'summary' | 'host';
  /** The tool whose result it was, if it was one. */
  readonly tool?: string;
  /** The calls that returned it, each in a line of at most 200 characters: the tool and its arguments. */
  readonly subject?: string;
}

/** A store for cut texts: one for each conversation. It is synchronous; promises are refused. */
export interface RecallStore {
  get(reference: string): RecallEntry | undefined;
  set(reference: string, entry: RecallEntry): void;
  delete(reference: string): boolean;
  /** Everything, oldest first. */
  entries(): Iterable<readonly [reference: string, entry: RecallEntry]>;
  /** Deleted entries that must not return, if the store outlives its process. */
  forgotten?(): Iterable<string>;
}

/** A store as plain JSON. */
export interface RecallSnapshot {
  readonly version: 1;
  readonly entries: readonly (readonly [reference: string, entry: RecallEntry])[];
  /** What must not come back. */
  readonly forgotten: readonly string[];
}

/** A store in memory. */
export function memoryStore(): RecallStore {
  return new Map<string, RecallEntry>();
}

/** Refuses a value that can't be a store. */
export function checkStore(store: unknown): asserts store is RecallStore {
  const lacks = METHODS.find((name) => typeof (store as Partial<RecallStore> | null)?.[name] !== 'function');
  if (lacks === undefined) return;
  const found = `${describe(store)} without the method '${lacks}'`;
  throw optionError('store', `: found ${found}, expected a store: ${METHODS.join(', ')}`);
}

/** The methods that every store has. */
const METHODS = ['get', 'set', 'delete', 'entries'] as const;

/** Whether something that was stored is an entry. */
export function isEntry(stored: unknown): stored is RecallEntry {
  const { text, cause, tool, subject } = (stored ?? {}) as Partial<RecallEntry>;
  const isKnown = cause === 'intake' || cause === 'edit' || cause === 'summary' || cause === 'host';
  const isName = (name: unknown) => name === undefined || typeof name === 'string';
  return typeof text === 'string' && isKnown && isName(tool) && isName(subject);
}

/** Reads a snapshot. It may come from anywhere, so it is checked. */
export function readSnapshot(snapshot: unknown): RecallSnapshot {
  const { version, entries, forgotten } = (snapshot ?? {}) as Partial<RecallSnapshot>;
  const isKept = (entry: unknown): entry is RecallSnapshot['entries'][number] =>
    Array.isArray(entry) && isReference(entry[0]) && isEntry(entry[1]);
  // An unreadable entry, such as one of another version, must not lose the others.
  if (version === 1 && Array.isArray(entries) && Array.isArray(forgotten)) {
    return { version, entries: entries.filter(isKept), forgotten: forgotten.filter(isReference) };
  }
  throw densifyError('invalid-snapshot', `snapshot: found ${describe(snapshot)}, expected a snapshot made by a recall`);
}
