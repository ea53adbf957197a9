/** Where agents keep their logs on this machine. Everything here only reads. */
import { redact } from '../summary/functions.js';
import type { Transcript, TranscriptFormat } from '../transcripts/api.js';
import { readTranscript } from '../transcripts/index.js';
import { entriesOf, environment, home, isFolder, joined, lastPart, readLog, readText, sizeOf } from './host.js';
import { DATABASE, isDatabase, sessionIds, sessionSize, sessionText } from './opencode-database.js';

/** An agent, by where its logs are. */
interface Agent {
  readonly name: string;
  /** The variable of the environment that names its folder, and the folder in the home directory; where in it logs are. */
  readonly homes: readonly (readonly [variable: string | undefined, folder: string, logs: string])[];
  /** Which files, by their path below that, are logs. */
  readonly log: RegExp;
  /** Which of them are other agents' work in the same session: their parts are no conversation of their own. */
  readonly part?: RegExp;
  /** Whether only the folder itself holds logs: those in it may hold anything. */
  readonly isFlat?: boolean;
}

/** One table: to know another agent, add a row. */
const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    homes: [
      ['CLAUDE_CONFIG_DIR', '.claude', 'projects'],
      [undefined, '.config/claude', 'projects'],
    ],
    log: /\.jsonl$/,
    part: /(?:^|\/)(?:agent-[^/]*$|subagents\/)/,
  },
  {
    name: 'codex',
    homes: [
      ['CODEX_HOME', '.codex', 'sessions'],
      ['CODEX_HOME', '.codex', 'archived_sessions'],
    ],
    log: /rollout-[^/]*\.jsonl$/,
  },
  {
    name: 'opencode',
    homes: [
      ['OPENCODE_DATA_DIR', '.local/share/opencode', 'storage/session'],
      ['XDG_DATA_HOME', '.local/share', 'opencode/storage/session'],
    ],
    log: /ses_[^/]*\.json$/,
  },
  {
    // Since 1.18 in a database.
    name: 'opencode',
    homes: [
      ['OPENCODE_DATA_DIR', '.local/share/opencode', ''],
      ['XDG_DATA_HOME', '.local/share', 'opencode'],
    ],
    log: DATABASE,
    isFlat: true,
  },
  { name: 'gemini-cli', homes: [[undefined, '.gemini', 'tmp']], log: /chats\/session-[^/]*\.jsonl?$/ },
  {
    name: 'pi',
    homes: [
      ['PI_CODING_AGENT_DIR', '.pi/agent', 'sessions'],
      [undefined, '.omp/agent', 'sessions'],
    ],
    log: /\.jsonl$/,
  },
  { name: 'copilot-cli', homes: [[undefined, '.copilot', 'session-state']], log: /\.jsonl$/ },
  { name: 'qwen-code', homes: [[undefined, '.qwen', 'projects']], log: /chats\/[^/]*\.jsonl$/ },
  { name: 'factory-droid', homes: [[undefined, '.factory', 'sessions']], log: /\.jsonl$/ },
  { name: 'grok-cli', homes: [[undefined, '.grok', 'sessions']], log: /chat_history\.jsonl$/ },
];

export const AGENT_NAMES = [...new Set(AGENTS.map(({ name }) => name))];

/** A log that was found. */
export interface FoundLog {
  readonly agent: string;
  readonly path: string;
  /** The session in it, if it is a database. */
  readonly session?: string;
}

/** The name of a log in reports. */
export function nameOf({ path, session }: FoundLog, isPath: boolean): string {
  if (session === undefined) return isPath ? path : lastPart(path);
  return isPath ? joined(path, session) : session;
}

/** The logs that are named, and those in the folders that are. */
export function namedLogs(paths: readonly string[]): readonly FoundLog[] {
  const isLog = (file: string) => /\.jsonl?$/.test(file) || isDatabase(file);
  const files = paths.flatMap((path) => (isFolder(path) ? filesBelow(path).filter(isLog) : [path]));
  return eachSession(files.map((path) => ({ agent: '', path })));
}

/** The same logs, with one for each session in place of a database. */
export function eachSession(logs: readonly FoundLog[]): readonly FoundLog[] {
  const all = logs.flatMap((log) => sessionsIn(log));
  // opencode leaves the files that it has moved into its database.
  const moved = new Set(all.flatMap(({ session }) => (session === undefined ? [] : [`${session}.json`])));
  return all.filter(({ path, session }) => session !== undefined || !moved.has(lastPart(path)));
}

function sessionsIn(log: FoundLog): readonly FoundLog[] {
  if (!isDatabase(log.path)) return [log];
  try {
    return sessionIds(log.path).map((session) => ({ ...log, session }));
  } catch {
    return [log]; // whoever reads it is told why it can't be read
  }
}

/** The logs of some agents on this machine, and the folders that hold them. */
export function findLogs(names: readonly string[]): {
  readonly logs: readonly FoundLog[];
  readonly folders: readonly string[];
} {
  const logs: FoundLog[] = [];
  const folders = new Set<string>();
  for (const { name, homes, log, part, isFlat } of AGENTS) {
    if (!names.includes(name)) continue;
    for (const [variable, folder, below] of homes) {
      const own = variable === undefined ? undefined : environment()[variable];
      const root = joined(own === undefined || own === '' ? joined(home(), folder) : own, below);
      if (folders.has(root)) continue; // two variables may name one folder
      const files = isFlat === true ? filesIn(root) : filesBelow(root);
      const found = files.filter((path) => log.test(path) && part?.test(path.slice(root.length)) !== true);
      if (found.length > 0) folders.add(root);
      for (const path of found) logs.push({ agent: name, path });
    }
  }
  return { logs, folders: [...folders] };
}

const filesIn = (folder: string): string[] =>
  entriesOf(folder).flatMap(({ name, isFolder }) => (isFolder ? [] : [joined(folder, name)]));

/** The files of a folder and of those in it, in the order of their names; links are not followed, so this ends. */
export function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name, isFolder }) => {
    const path = joined(folder, name);
    return isFolder ? filesBelow(path) : [path];
  });
}

/** A message of opencode, in files: what is said of it, and its parts. */
interface StoredMessage {
  readonly info: string;
  readonly parts: readonly string[];
}

/** The files of a session of opencode beside its own; `undefined` for a log that is one file. */
function messagesOf({ agent, path }: FoundLog): readonly StoredMessage[] | undefined {
  if (agent !== 'opencode' || !/[\\/]storage[\\/]session[\\/]/.test(path)) return undefined;
  const storage = path.replace(/[\\/]session[\\/].*$/, '');
  const nameOf = (file: string): string => /([^\\/]+)\.json$/.exec(file)?.[1] ?? '';
  const jsonIn = (folder: string): string[] =>
    entriesOf(folder).flatMap(({ name }) => (name.endsWith('.json') ? [joined(folder, name)] : []));
  return jsonIn(joined(storage, 'message', nameOf(path))).map((info) => ({
    info,
    parts: jsonIn(joined(storage, 'part', nameOf(info))),
  }));
}

/** The bytes of a log, in all its files. */
export function logSize(log: FoundLog): number {
  if (log.session !== undefined) return sessionSize(log.path, log.session);
  if (isDatabase(log.path)) return 0; // it can't be read, and \`logText\` says why
  const files = (messagesOf(log) ?? []).flatMap(({ info, parts }) => [info, ...parts]);
  return [log.path, ...files].reduce((sum, file) => sum + sizeOf(file), 0);
}

/** The text of a log. Sessions of opencode lie in many small files, which are put together as `opencode export` does. */
export function logText(log: FoundLog): string {
  if (log.session !== undefined) return sessionText(log.path, log.session);
  if (isDatabase(log.path)) throw new Error(`found a database with ${sessionIds(log.path).length} sessions`);
  const stored = messagesOf(log);
  if (stored === undefined) return readLog(log.path);
  const messages = stored.map(
    ({ info, parts }) => `{"info":${readText(info)},"parts":[${parts.map(readText).join(',')}]}`,
  );
  return `{"info":${readText(log.path)},"messages":[${messages.join(',')}]}`;
}

/** A log without a known format. */
export const UNKNOWN_FORMAT = 'found no log format that densify knows; `densify replay --help` lists the formats';

/** The conversation of a log. An error says why it has none. */
export function conversationOf(text: string, given: TranscriptFormat | undefined): Transcript & Format {
  const transcript = readTranscript(text, given === undefined ? {} : { format: given });
  const { format, contents } = transcript;
  if (format === undefined) throw new Error(`${UNKNOWN_FORMAT}, and --format=NAME chooses one`);
  if (contents.length === 0) throw new Error('found no messages, expected a conversation: name another log');
  return { ...transcript, format };
}

interface Format {
  readonly format: TranscriptFormat;
}

/** Why a log can't be read, without credentials that its name or its parser's message may hold. */
export function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code === 'ENOENT') return 'found no such file: check the path';
  if (code === 'EISDIR') return 'found a folder, expected a file: name the logs in it';
  return redact(error instanceof Error ? error.message : String(error));
}
