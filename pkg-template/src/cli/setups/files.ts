/** Changes of an agent's files, with a record that restores them byte for byte. */
import { UsageError } from '../gateway.js';
import {
  type Environment,
  folderOf,
  home,
  isThere,
  joined,
  makeFolder,
  readTextIfThere,
  remove,
  removeEmptyFolders,
  writeText,
} from '../host.js';

/** A file before and after; one that isn't there has no text before. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** How an agent is set up. */
export interface Setup {
  /** The files that it changes; it writes nothing yet. */
  changes(env: Environment): readonly Change[];
  /** What the user does next. */
  readonly next: string;
}

/** What was done to an agent's files. */
export interface SetupRecord {
  readonly changes: readonly Change[];
  /** Folders that were made, the innermost first. */
  readonly folders: readonly string[];
}

const recordPath = (name: string, env: Environment): string =>
  joined(env.XDG_STATE_HOME ?? joined(home(), '.local', 'state'), 'densify', `${name}.json`);

/** The record of an agent that is set up. */
export function recordOf(name: string, env: Environment): SetupRecord | undefined {
  const text = readTextIfThere(recordPath(name, env));
  return text === undefined ? undefined : (JSON.parse(text) as SetupRecord);
}

/** Whether the files still hold what was written. */
export function inForce(record: SetupRecord | undefined): boolean {
  return record?.changes.every(({ path, after }) => readTextIfThere(path) === after) === true;
}

/** Writes the record, which is the backup, and then the changes. */
export function written(name: string, changes: readonly Change[], env: Environment): void {
  const path = recordPath(name, env);
  const folders = [path, ...changes.map((change) => change.path)].flatMap((each) => missingFolders(each));
  guarded(path, () => makeFolder(folderOf(path)));
  const record: SetupRecord = { changes, folders };
  guarded(path, () => writeText(path, `${JSON.stringify(record, null, 2)}\n`, true));
  const done: Change[] = [];
  for (const change of changes) {
    try {
      makeFolder(folderOf(change.path));
      writeText(change.path, change.after);
      done.push(change);
    } catch (error) {
      // Half a set-up is none.
      for (const { path: back, before } of done) restore(back, before);
      remove(path);
      removeEmptyFolders(folders);
      throw new UsageError(
        `${change.path}: it can't be written (${codeOf(error)}); make it writable or add the lines above by hand`,
      );
    }
  }
}

/** Restores all files; one that was changed since is left, with a line that says what to do. */
export function undo(name: string, { changes, folders }: SetupRecord, env: Environment): void {
  const changed = changes.filter(({ path, after }) => ![after, undefined].includes(readTextIfThere(path)));
  const backup = recordPath(name, env);
  if (changed.length > 0) {
    const paths = changed.map(({ path }) => path).join(', ');
    throw new UsageError(
      `${paths}: changed since the set-up, so nothing was restored; take densify's lines out by hand, then delete ${backup}`,
    );
  }
  for (const { path, before } of changes) guarded(path, () => restore(path, before));
  remove(backup);
  removeEmptyFolders(folders);
}

/** The folders above a path that aren't there, the innermost first. */
function missingFolders(path: string): string[] {
  const folder = folderOf(path);
  return folder === path || isThere(folder) ? [] : [folder, ...missingFolders(folder)];
}

function restore(path: string, before: string | undefined): void {
  if (before !== undefined) return writeText(path, before);
  remove(path);
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

/** The text of a JSON file with other settings; what isn't JSON is not touched. */
export function jsonChange(
  path: string,
  change: (settings: Record<string, unknown>) => Record<string, unknown>,
): Change {
  const before = readable(path);
  let settings: unknown;
  try {
    settings = JSON.parse(before ?? '{}');
  } catch {
    throw new UsageError(`${path}: it isn't JSON, so it was left alone; correct it first`);
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new UsageError(`${path}: it holds no object, so it was left alone; correct it first`);
  }
  const indent = /^[ \t]+(?=")/m.exec(before ?? '')?.[0] ?? '  ';
  const text = JSON.stringify(change(settings as Record<string, unknown>), null, indent);
  return { path, before, after: `${text}${before === undefined || before.endsWith('\n') ? '\n' : ''}` };
}

/** A new file of densify's own. */
export function ownFileChange(path: string, after: string): Change {
  const before = readable(path);
  if (before !== undefined) throw new UsageError(`${path}: the file already exists; move it first`);
  return { path, before, after };
}

/** A file's text; what isn't UTF-8 couldn't be restored. */
export function readable(path: string): string | undefined {
  let text: string | undefined;
  try {
    text = readTextIfThere(path);
  } catch (error) {
    throw new UsageError(`${path}: it can't be read (${codeOf(error)})`);
  }
  if (text?.includes('\uFFFD') === true) throw new UsageError(`${path}: it isn't UTF-8 text, so it was left alone`);
  return text;
}
