/** Changes of an agent's files, with a record that restores them byte for byte. */
import { isObject } from '../../base/options.js';
import { UsageError } from '../gateway.js';
import {
  type Environment,
  entriesOf,
  folderOf,
  isThere,
  joined,
  makeFolder,
  missingFolders,
  ownPrograms,
  readTextIfThere,
  realPath,
  remove,
  removeEmptyFolders,
  stateFolder,
  writeText,
} from '../host.js';
import { type Change, stillHolds, takenOut, writtenLike } from './takeout.js';

/** How an agent is set up. */
export interface Setup {
  /** The files that it changes; it writes nothing yet. */
  changes(env: Environment): readonly Change[];
  /** What the user does next. */
  readonly next: string;
  /** Whether the agent might send requests for the gateway to a proxy. */
  readonly isBehindProxy?: boolean;
  /** What the user does after `--undo`. */
  readonly undone?: string;
}

/** `next` where the agent starts the gateway. */
export const STARTS_ITSELF = 'Its next session starts `densify gateway`.';

/** What was done to an agent's files. */
export interface SetupRecord {
  readonly changes: readonly Change[];
  /** Folders that were made, the innermost first. */
  readonly folders: readonly string[];
  /** The programs that the files name. */
  readonly programs?: readonly string[];
}

const recordPath = (name: string, env: Environment): string => joined(stateFolder(env), `${name}.json`);

/** The record of an agent that is set up. */
export function recordOf(name: string, env: Environment): SetupRecord | undefined {
  const path = recordPath(name, env);
  const text = readable(path);
  if (text === undefined) return undefined;
  try {
    const { changes, folders, programs = [] } = JSON.parse(text) as SetupRecord;
    const isWhole = Array.isArray(folders) && Array.isArray(programs);
    if (isWhole && changes.every(({ path: of }) => typeof of === 'string')) return { changes, folders, programs };
  } catch {
    // It is told below.
  }
  throw new UsageError(
    `${path}: the setup record is damaged. Remove densify's lines from the settings of ${name}, then delete the record`,
  );
}

/** Whether an agent's files hold a set-up. */
export function isSetUp(name: string, env: Environment): boolean {
  try {
    const record = recordOf(name, env);
    return record !== undefined && inForce(record) !== 'gone';
  } catch {
    return false; // `setup` and `doctor` report a damaged record
  }
}

/** Whether the files are those of the set-up, or still hold all that it added. */
export function inForce({ changes }: SetupRecord): 'whole' | 'changed' | 'gone' {
  const texts = changes.map((change) => [change, textNow(change.path)] as const);
  if (texts.every(([{ after }, now]) => now === after)) return 'whole';
  return texts.every(([change, now]) => typeof now === 'string' && stillHolds(change, now)) ? 'changed' : 'gone';
}

/** A file's text; `null` if it can't be read. */
function textNow(path: string): string | null | undefined {
  try {
    return readTextIfThere(path);
  } catch {
    return null;
  }
}

const recordText = (record: SetupRecord): string => `${JSON.stringify(record, null, 2)}\n`;

/** Writes the record, which is the backup, and then the changes. */
export function written(name: string, changes: readonly Change[], env: Environment): void {
  const path = recordPath(name, env);
  const folders = [path, ...changes.map((change) => change.path)].flatMap((each) => missingFolders(each));
  const programs = ownPrograms().filter((each) => changes.some(({ after }) => after.includes(each)));
  const record: SetupRecord = { changes, folders, programs };
  let at = path;
  try {
    makeFolder(folderOf(path));
    writeText(path, recordText(record), true);
    for (const change of changes) {
      at = change.path;
      makeFolder(folderOf(at));
      writeText(at, change.after);
    }
  } catch (error) {
    // Half a set-up is none.
    for (const { path: back, before } of changes) if (textNow(back) !== before) restore(back, before);
    remove(path);
    removeEmptyFolders(folders);
    throw new UsageError(`${at}: it can't be written (${codeOf(error)}); make it writable or add the lines by hand`);
  }
}

/** Restores all files. Returns whether one had been changed since: then only what the set-up added is taken out. */
export function undo(name: string, { changes, folders }: SetupRecord, env: Environment): boolean {
  const backup = recordPath(name, env);
  let isChanged = false;
  const restored = changes.map((change): Change | undefined => {
    const { path, before, after } = change;
    const now = textNow(path);
    if (now === before) return undefined;
    if (now === after || now === undefined) return change;
    isChanged = true;
    const left = now === null ? undefined : takenOut(change, now);
    const isNothing = before === undefined && /^\s*(?:\{\s*\})?\s*$/.test(left ?? '');
    if (left !== undefined) return { ...change, before: isNothing ? undefined : left };
    throw new UsageError(
      `${path}: changed since the set-up, so nothing was restored; take densify's lines out by hand, then delete ${backup}`,
    );
  });
  for (const change of restored) {
    if (change !== undefined) guarded(change.path, () => restore(change.path, change.before));
  }
  remove(backup);
  removeEmptyFolders(folders);
  bequeath(folders.filter(isThere), env);
  return isChanged;
}

/** Folders that another set-up still uses go with that one. */
function bequeath(folders: readonly string[], env: Environment): void {
  const heir =
    folders.length === 0 ? undefined : entriesOf(stateFolder(env)).find(({ name }) => name.endsWith('.json'));
  if (heir === undefined) return;
  const name = heir.name.replace(/\.json$/, '');
  try {
    const record = recordOf(name, env);
    if (record === undefined) return;
    const all = [...new Set([...record.folders, ...folders])];
    writeText(recordPath(name, env), recordText({ ...record, folders: all }), true);
  } catch {
    // An empty folder stays.
  }
}

function restore(path: string, before: string | undefined): void {
  if (before !== undefined) return writeText(path, before);
  // A link that led nowhere leads nowhere again.
  remove(realPath(path));
}

function guarded(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new UsageError(`${path}: it can't be written (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return (error as { readonly code?: string }).code ?? 'unknown';
}

/** A file with another text; a byte order mark stays where it is. */
export function textChange(path: string, change: (text: string) => string): Change {
  const before = readable(path);
  const [mark = ''] = /^\uFEFF?/.exec(before ?? '') ?? [];
  return { path, before, after: mark + change((before ?? '').slice(mark.length)) };
}

/** A text and further lines behind it. */
export function withLines(text: string, lines: readonly string[]): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${lines.join('\n')}\n`;
}

/** The text of a JSON file with other settings; what isn't JSON is not touched. */
export function jsonChange(
  path: string,
  change: (settings: Record<string, unknown>) => Record<string, unknown>,
): Change {
  return textChange(path, (text) => {
    let settings: unknown;
    try {
      settings = JSON.parse(text.trim() === '' ? '{}' : text);
    } catch {
      throw new UsageError(`${path}: it isn't JSON, so it was left alone; correct it first`);
    }
    if (!isObject(settings)) {
      throw new UsageError(`${path}: it holds no object, so it was left alone; correct it first`);
    }
    return writtenLike(text, change(settings as Record<string, unknown>));
  });
}

/** A new file of densify's own. */
export function ownFileChange(path: string, after: string): Change {
  const before = readable(path);
  if (before !== undefined) throw new UsageError(`${path}: the file already exists; move it first`);
  return { path, before, after };
}

/** A file's text with every byte; what isn't UTF-8 couldn't be restored. */
function readable(path: string): string | undefined {
  let text: string | undefined;
  try {
    text = readTextIfThere(path);
  } catch (error) {
    throw new UsageError(`${path}: it can't be read (${codeOf(error)})`);
  }
  if (text?.includes('\uFFFD') === true) throw new UsageError(`${path}: it isn't UTF-8 text, so it was left alone`);
  return text;
}
