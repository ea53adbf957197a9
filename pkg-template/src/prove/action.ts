import { QUOTES_OLD } from '../replay/texts.js';

/** What a model did next, without the words of its log: names and fingerprints. */
export interface Action {
  /** The tool that it called, empty if it answered in words. */
  readonly tool: string;
  /** What it did with it: looked, changed, ran, answered. */
  readonly intent: string;
  /** A fingerprint of the file's last two path segments. */
  readonly path?: string | undefined;
  /** A fingerprint of the command's program and its first word. */
  readonly head?: string | undefined;
  /** Fingerprints of the lines that an edit replaces. */
  readonly lines?: readonly string[] | undefined;
  /** A fingerprint of all arguments. */
  readonly all: string;
}

/** How far two actions are the same. */
export interface Agreement {
  readonly tool: boolean;
  /** The same path, edited lines and command head; where an action has none of them, the same arguments. */
  readonly arguments: boolean;
  /** The same kind of step, at the same file where both name one. */
  readonly intent: boolean;
}

const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'filename', 'file', 'notebook_path', 'target_file'];
const COMMANDS = ['command', 'cmd', 'script', 'bash_command', 'code'];

/** A call as an action. */
export function actionOf(tool: string, input: unknown): Action {
  const given = record(input);
  const command = commandOf(given);
  const path = textAt(given, PATHS) ?? (command === undefined ? undefined : pathIn(command));
  const lines = linesOf(given);
  return {
    tool,
    intent: intentOf(tool, command),
    all: fingerprint(sorted(input)),
    ...(path === undefined ? {} : { path: fingerprint(lastParts(path)) }),
    ...(command === undefined ? {} : { head: fingerprint(headOf(command)) }),
    ...(lines.length === 0 ? {} : { lines: [...new Set(lines.map(fingerprint))].sort() }),
  };
}

/** The action of a model that called no tool. Its words are no action: two answers are the same step. */
export const ANSWER: Action = { tool: '', intent: 'answer', all: '' };

export function agreementOf(one: Action, other: Action): Agreement {
  const isTool = one.tool === other.tool;
  return {
    tool: isTool,
    arguments: isTool && areArgumentsAlike(one, other),
    intent:
      one.intent === other.intent && (one.path === undefined || other.path === undefined || one.path === other.path),
  };
}

function areArgumentsAlike(one: Action, other: Action): boolean {
  const hasOwn = (action: Action) =>
    action.path !== undefined || action.head !== undefined || action.lines !== undefined;
  if (!hasOwn(one) && !hasOwn(other)) return one.all === other.all;
  return one.path === other.path && one.head === other.head && areLinesAlike(one.lines ?? [], other.lines ?? []);
}

/** Edits of the same place quote more or fewer lines around it: half of the longer list is enough. */
function areLinesAlike(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return one.length === other.length;
  const shared = one.filter((line) => other.includes(line)).length;
  return shared >= Math.max(one.length, other.length) / 2;
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function textAt(given: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = given[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function commandOf(given: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of COMMANDS) {
    const value = given[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return shellPart(value as string[]);
  }
  return undefined;
}

/** Some agents wrap a command line: `["bash", "-lc", "make test"]`. */
function shellPart(words: readonly string[]): string {
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return isShell ? (words[2] ?? '') : words.join(' ');
}

/** The lines that an edit says were there before. */
function linesOf(given: Readonly<Record<string, unknown>>): string[] {
  const texts: string[] = [];
  const open: unknown[] = [given];
  for (let looked = 0; open.length > 0 && looked < 10_000; looked += 1) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (next.includes('*** Begin Patch')) texts.push(...patched(next));
      continue;
    }
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (QUOTES_OLD.includes(key) && typeof value === 'string') texts.push(...value.split('\n'));
      else open.push(value);
    }
  }
  return texts.map((line) => line.trim()).filter((line) => line !== '');
}

const patched = (patch: string): string[] =>
  patch.split('\n').flatMap((line) => (/^-(?!--)/.test(line) ? [line.slice(1)] : []));

const lastParts = (path: string): string => path.split(/[/\\]/).filter(Boolean).slice(-2).join('/');

/** The words of the step that a command line is about. */
function wordsOf(command: string): string[] {
  const steps = command.split(/&&|;|\n/).map((step) => step.trim());
  const step = steps.find((each) => each !== '' && !/^(?:cd|export|set|source|\.)\s/.test(each)) ?? steps[0] ?? '';
  const words = step.split(/\s+/).filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  return words[0] === 'sudo' || words[0] === 'timeout' ? words.slice(1) : words;
}

/** The first file that a command line names. */
function pathIn(command: string): string | undefined {
  const [, ...words] = wordsOf(command).map((word) => word.replace(/^[<>"']+|["',;]+$/g, ''));
  return words.find(
    (word) => /^[\w@~.+-]*(?:\/[\w@.+-]+)*(?:\/[\w@.+-]+|\.[a-z]\w{0,7})$/i.test(word) && !word.startsWith('-'),
  );
}

/** The program that a command line is about, and its first word: `git status`, `npm test`. */
function headOf(command: string): string {
  const [program = '', ...rest] = wordsOf(command);
  const first = rest.find((word) => !word.startsWith('-'));
  return [program.split('/').at(-1), first !== undefined && /^[a-z][\w:-]*$/i.test(first) ? first : '']
    .join(' ')
    .trim();
}

const LOOKS = /read|view|cat|open|fetch|search|find|grep|glob|list|^ls$|look|show|get/i;
const CHANGES = /edit|write|replace|patch|create|insert|update|delete|remove|move|rename/i;
const RUNS = /bash|shell|exec|run|command|terminal|test|python|computer/i;
const LOOKING =
  /^(?:cat|ls|grep|rg|find|fd|head|tail|awk|wc|nl|tree|stat|file|pwd|diff|git (?:status|log|diff|show|blame|grep|ls-files)|sed)\b/;

/** The kind of a step; the verb of a tool's name says it, and the command where it runs one. */
function intentOf(tool: string, command: string | undefined): string {
  if (command !== undefined) {
    const head = headOf(command);
    if (/^sed\b/.test(head) && /\s-\w*i/.test(command)) return 'change';
    return LOOKING.test(head) && !/(?:^|[^\d&])>/.test(command) ? 'look' : 'run';
  }
  if (CHANGES.test(tool)) return 'change';
  if (LOOKS.test(tool)) return 'look';
  return RUNS.test(tool) ? 'run' : `use ${tool}`;
}

/** A value with its keys in order, so that equal arguments have equal texts. */
function sorted(value: unknown): string {
  const ordered = (_: string, each: unknown): unknown =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  try {
    return JSON.stringify(value, ordered) ?? '';
  } catch {
    return '';
  }
}

/** A number that stands for a text, in 13 signs; it tells nothing of a long text. */
export function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995) ^ (other >>> 15);
  }
  return (one >>> 0).toString(36).padStart(7, '0') + (other >>> 0).toString(36).padStart(7, '0');
}
