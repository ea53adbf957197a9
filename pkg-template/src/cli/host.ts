/** What the command uses of Node. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { USUAL_COLUMNS } from '../base/columns.js';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Process {
  readonly env: Environment;
  readonly execPath: string;
  readonly pid: number;
  readonly platform: string;
  readonly version: string;
  emitWarning: unknown;
  /** Node.js 20.16 and newer. */
  getBuiltinModule?(name: string): unknown;
  cwd(): string;
  /** Not on Windows. */
  getuid?(): number;
  on(signal: string, action: () => void): void;
  off(signal: string, action: () => void): void;
  kill(pid: number, signal: string): void;
  readonly argv: readonly string[];
  exitCode: number | undefined;
  exit(code: number): void;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Out & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Out & { readonly isTTY?: boolean };
}

interface Out {
  /** Bytes that nobody has read yet. */
  readonly writableLength: number;
  write(text: string): boolean;
  once(event: 'drain' | 'close', action: () => void): void;
  off(event: 'drain' | 'close', action: () => void): void;
  on(event: 'error', action: () => void): void;
}

const { process } = globalThis as unknown as { readonly process: Process };

export const argv = (): readonly string[] => process.argv.slice(2);
export const isTty = (): boolean => process.stderr.isTTY === true;

/** Columns of the terminal that is printed to; `undefined` for files and pipes. `COLUMNS` sets them for any output. */
export function columns(): number | undefined {
  const set = Number(process.env['COLUMNS']);
  if (Number.isInteger(set) && set > 0) return set;
  return process.stdout.isTTY === true ? process.stdout.columns || USUAL_COLUMNS : undefined;
}

export const print = (text: string): void => void write(process.stdout, text);
export const printError = (text: string): void => void write(process.stderr, text);

/** The outputs in use, and whether anybody still reads them. */
const outputs = new Map<Out, { isRead: boolean }>();

/** Returns whether more can be written at once. A reader may end early, as in `densify replay … | head`: that ends no gateway. */
function write(out: Out, text: string): boolean {
  let output = outputs.get(out);
  if (output === undefined) {
    const made = { isRead: true };
    out.on('error', () => (made.isRead = false));
    outputs.set(out, (output = made));
  }
  return !output.isRead || out.write(text);
}

/** The most bytes that wait for a reader. */
const WAITING_AT_MOST = 2 ** 20;

/** Prints unless the reader is far behind: memory stays bounded, and nothing waits. Returns whether it printed. */
export function printUnlessFull(text: string): boolean {
  const { stdout } = process;
  if (stdout.writableLength > WAITING_AT_MOST) return false;
  write(stdout, text);
  return true;
}

/** Ends the process after this time, even if its output is still unread. */
export function endAfter(milliseconds: number, code: number): void {
  const timer: unknown = setTimeout(() => process.exit(code), milliseconds);
  (timer as { unref(): void }).unref();
}

export const stdin = (): AsyncIterable<Uint8Array> => process.stdin;

export const nodeVersion = (): string => process.version;

/** A module of Node.js that older versions lack; it is loaded without the warning that it is experimental. */
export function builtIn(name: string): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const environment = (): Environment => process.env;

/** The program that runs this one. */
export const executable = (): string => process.execPath;

/** Waits for one of some signals, which then don't end the process by themselves. */
export function onSignals(signals: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve(signal));
  });
}

/** The signals that a terminal sends to all programs in its foreground. */
const OF_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT']);

/**
 * Passes signals on to a child, until it has ended. At a terminal, the child gets SIGINT and SIGQUIT from it: there they
 * are only kept from ending this process first.
 */
export function passSignals(kill: (signal: string) => void): () => void {
  const { stdin: input, stdout, stderr } = process;
  const isAtTerminal = [input, stdout, stderr].some(({ isTTY }) => isTTY === true);
  const actions = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'].map((signal) => {
    const isSent = isAtTerminal && OF_TERMINAL.has(signal);
    return [signal, () => (isSent ? undefined : kill(signal))] as const;
  });
  for (const [signal, action] of actions) process.on(signal, action);
  return () => {
    for (const [signal, action] of actions) process.off(signal, action);
  };
}

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export const ownId = (): number => process.pid;

/** Asks a process to end. Returns whether there is one that this user may end. */
export function endProcess(id: number): boolean {
  try {
    process.kill(id, 'SIGTERM');
    return true;
  } catch {
    return false;
  }
}

export function exitCode(code: number): void {
  process.exitCode = code;
}

/** Prints, and waits while the reader is slower: memory stays bounded. */
export async function printSlowly(text: string): Promise<void> {
  const { stdout } = process;
  if (write(stdout, text)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      stdout.off('drain', go);
      stdout.off('close', go);
      resolve();
    };
    stdout.once('drain', go);
    stdout.once('close', go);
  });
}

/** The URL of a file. */
export function fileUrl(path: string, query = ''): URL {
  const url = pathToFileURL(path);
  url.search = query;
  return url;
}

/** A log's text; invalid UTF-8 is replaced, because tools may print any bytes into a log. */
export function readText(path: string): string {
  return new TextDecoder().decode(readFileSync(path));
}

/** The text of a log that may be anywhere: a pipe or a device might never end. */
export function readLog(path: string): string {
  const stat = statSync(path);
  if (stat.isFile() || stat.isDirectory()) return readText(path); // reading a folder is an error of its own
  throw new Error('found a pipe or a device, expected a file: write the log to a file first');
}

/** A file's text with every byte, a byte order mark too; `undefined` if there is no such file. Other errors are thrown. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { readonly code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

/** The user's folder. */
export const home = (): string => homedir();
export const workingFolder = (): string => process.cwd();
export const joined = (...parts: readonly string[]): string => join(...parts);

/** The folder of what densify notes for this user: its set-ups, and the key of a running gateway. */
export const stateFolder = (env: Environment): string =>
  joined(env.XDG_STATE_HOME || joined(home(), '.local', 'state'), 'densify');

/** The folder of the package's programs; what several of them need lies one below. */
const PROGRAMS = new URL(/\/shared\/[^/]*$/.test(import.meta.url) ? '../' : './', import.meta.url);

/** The path of a program of the package. */
export const ownFile = (name: string): string => fileURLToPath(new URL(name, PROGRAMS));

/** The programs that files of agents may name. */
export const ownPrograms = (): readonly string[] => [
  process.execPath,
  ...['agent-hook.js', 'opencode-plugin.js', 'pi-extension.js'].map(ownFile),
];

/** Whether the package is in a cache from which a command was run once: `npx`, `pnpm dlx`, `bunx`. */
export const isInCache = (): boolean => /[\\/](?:_npx|dlx|(?:dlx|bunx)-[^\\/]*)[\\/]/.test(ownFile('cli.js'));

export const isWindows = (): boolean => process.platform === 'win32';

/** Writes a file; `isPrivate`: only the user may read it. */
export function writeText(path: string, text: string, isPrivate = false): void {
  writeFileSync(path, text, { mode: isPrivate ? 0o600 : 0o644 });
}

/** The text of a file that this user owns and no other user can read; `undefined` for any other file. */
export function privateText(path: string): string | undefined {
  try {
    const { uid, mode } = statSync(path);
    const own = process.getuid?.();
    if (own !== undefined && (uid !== own || (mode & 0o077) !== 0)) return undefined;
    return readText(path);
  } catch {
    return undefined;
  }
}

/** Replaces a file as a whole: a reader finds the old text or the new one. Only the user may read it. */
export function replacePrivateText(path: string, text: string): void {
  const part = `${path}.${process.pid}`;
  remove(part);
  writeText(part, text, true);
  renameSync(part, path);
}

export const isThere = (path: string): boolean => existsSync(path);
export const folderOf = (path: string): string => dirname(path);
export const makeFolder = (path: string): void => mkdirSync(path, { recursive: true, mode: 0o755 });
export const remove = (path: string): void => rmSync(path, { force: true });

/** The path that links lead to; the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The folders above a path that aren't there, the innermost first. */
export function missingFolders(path: string): string[] {
  const folder = folderOf(path);
  return folder === path || isThere(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** Removes folders that are empty, inner ones first; all others stay. */
export function removeEmptyFolders(paths: readonly string[]): void {
  for (const path of [...paths].sort((one, other) => other.length - one.length)) {
    try {
      rmdirSync(path);
    } catch {
      // It holds something.
    }
  }
}

/** The URL of a program of the package, for a file that imports it. */
export const packageUrl = (name: string): string => new URL(name, PROGRAMS).href;

/** A shell's line that runs the program of hooks for an agent. */
export const hookCommand = (agent: string): string => `"${process.execPath}" "${ownFile('agent-hook.js')}" ${agent}`;

/** Adds to a file that only its owner may read. */
export function appendText(path: string, text: string): void {
  appendFileSync(path, text, { mode: 0o600 });
}

/** A file's text, if there is one. */
export const textIfThere = (path: string): string | undefined => (existsSync(path) ? readText(path) : undefined);

/** The package's version, as its package.json has it. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', PROGRAMS), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/** The files and folders in a folder, by name; none if it isn't there or may not be read. Links are left out. */
export function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Whether a path is that of a folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A file's size in bytes. */
export const sizeOf = (path: string): number => statSync(path).size;

/** A line that the user types; empty at the end of the input. */
export async function answer(): Promise<string> {
  const decoder = new TextDecoder();
  let typed = '';
  for await (const chunk of process.stdin) {
    typed += decoder.decode(chunk, { stream: true });
    if (typed.includes('\n')) break;
  }
  return typed.split('\n', 1)[0] ?? '';
}

/** The folders in which commands are looked for. */
export const commandFolders = (env: Environment): readonly string[] => (env.PATH ?? env.Path ?? '').split(delimiter);

/** A path's last part. */
export const lastPart = (path: string): string => basename(path);

/** Why a file can't be written; an existing file stays unchanged. */
export function refusalToWrite(path: string): string | undefined {
  try {
    const isThere = existsSync(path);
    closeSync(openSync(path, 'a'));
    if (!isThere) rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}: name a file that can be written`;
  }
}

/** Why a file must not be replaced, or `undefined`: it is one of the inputs, by any of its names. */
export function refusalToReplaceInput(path: string, inputs: readonly string[]): string | undefined {
  if (!existsSync(path)) return undefined;
  const { dev, ino } = identityOf(path);
  const isInput = inputs.some((input) => {
    if (!existsSync(input)) return false;
    const other = identityOf(input);
    return other.dev === dev && other.ino === ino;
  });
  return isInput ? `${path} is one of the inputs: name another file` : undefined;
}

/**
 * Why a file must not be replaced, or `undefined`: it is one of the inputs, or it doesn't hold the mark of files that
 * densify makes. `isForced` allows the second.
 */
export function refusalToReplace(
  path: string,
  inputs: readonly string[],
  { mark, isForced }: { readonly mark: string; readonly isForced: boolean },
): string | undefined {
  if (!existsSync(path)) return undefined;
  const refusal = refusalToReplaceInput(path, inputs);
  if (refusal !== undefined) return refusal;
  const { size, isFile } = identityOf(path);
  if (isForced || !isFile || size === 0 || startOf(path).includes(mark)) return undefined;
  return `densify did not make the file ${path}: name another file, or add --force to replace it`;
}

/** Bytes of a file in which its mark stands. */
const MARKED = 4096;

function startOf(path: string): string {
  return new TextDecoder().decode(readFileSync(path).subarray(0, MARKED));
}

/** What tells a file from others, links followed. */
function identityOf(path: string): { dev: bigint; ino: bigint; size: number; isFile: boolean } {
  const stat = statSync(path, { bigint: true });
  return { dev: stat.dev, ino: stat.ino, size: Number(stat.size), isFile: stat.isFile() };
}
