import { filled, isRecord, type JsonRecord } from '../transcripts/json.js';
import type { Finding, FindingCode, MessageFormat, Path, ProviderRules, ValidateOptions } from './api.js';
import { runEnds } from './rules/last.js';
import { hintOf, type Info, ownWords, type Words } from './words.js';

/** A block, or what stands for one: the input of the rules that all formats share. */
export interface Part {
  readonly kind: 'text' | 'call' | 'result' | 'thinking' | 'server-call' | 'server-result' | 'media' | 'other';
  /** Where it stands; dropping what is there drops the part. */
  readonly path: Path;
  readonly source: JsonRecord;
  /** What pairs calls and results. */
  readonly id?: string | undefined;
  /** The key that holds the id, or the keys that lead to it. */
  readonly idKey?: string | readonly string[];
  readonly name?: string | undefined;
  readonly text?: string | undefined;
}

/** A message. */
export interface Entry {
  readonly index: number;
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'other';
  readonly parts: readonly Part[];
  readonly source: JsonRecord;
  /** Whether there is anything in it, parts that aren't looked at included. */
  readonly empty: boolean;
}

/** The smallest changes of messages. Paths are those before the change; what is inserted stands before its path. */
export type Edit =
  | { readonly op: 'drop'; readonly path: Path }
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'insert'; readonly path: Path; readonly value: unknown };

/** A finding, and what would remove it. */
export interface Found {
  readonly finding: Finding;
  readonly remedy: readonly Edit[];
}

/** How the results of calls must stand in a format. */
export interface Pairing {
  /**
   * - `next`: in the next message of the user, messages of one side counting as one.
   * - `run`: in the run of tool messages directly behind the call's message.
   * - `content`: in the next message.
   * - `step`: anywhere before the next message of the user, the system or the end.
   * - `later`: anywhere behind the call.
   */
  readonly results: 'next' | 'run' | 'content' | 'step' | 'later';
  /** Whether a message's calls can't have their results in it. */
  readonly neverWithin?: true;
  /** Whether other messages of the model between a call and its result are worth a warning. */
  readonly warnsApart?: true;
  /** Whether a call without a result is waiting for one in good order. */
  readonly pending?: (context: Context) => (call: Part) => boolean;
  /** Makes what answers a call that has no result. */
  readonly answer?: (call: Part, context: Context) => Edit[];
  /** Moves a result to where its call wants it. */
  readonly move?: (result: Part, call: Part, context: Context) => Edit[];
  /** Gives a call's tool another name, where only the call says it. */
  readonly rename?: (call: Part, name: string) => Edit[];
  /** Drops a call that can't be answered, or a result; by default what its path names. */
  readonly drop?: (part: Part, context: Context) => Edit[];
}

/** Runs of entries: of tools' messages, of messages of the model, of items that are calls, or results. */
export type Run = 'tool' | 'assistant' | 'call' | 'result';

const WITHIN: Readonly<Record<Run, (entry: Entry) => boolean>> = {
  tool: ({ role }) => role === 'tool',
  assistant: ({ role }) => role === 'assistant',
  call: ({ parts }) => parts[0]?.kind === 'call',
  result: ({ parts }) => parts[0]?.kind === 'result',
};

/** All that is known of some messages while they are checked. */
export interface Context {
  readonly format: MessageFormat;
  readonly messages: readonly unknown[];
  readonly entries: readonly Entry[];
  readonly options: ValidateOptions;
  readonly rules: Required<Pick<ProviderRules, 'levels'>> & ProviderRules;
  /** The position among the entries of the message with an index. */
  positionOf(index: number): number;
  /** Where the run of entries of a kind ends that begins at a position: computed once for all positions. */
  endOf(run: Run, at: number): number;
  /** Whether a finding of this kind would be of interest at all. */
  cares(code: FindingCode): boolean;
  /** Notes a finding. */
  report(code: FindingCode, path: Path, info?: Info, remedy?: readonly Edit[]): void;
}

/** Collects findings; findings that a table turned off, and repeated ones, are left out. */
export class Collector {
  readonly found: Found[] = [];
  readonly #format: MessageFormat;
  readonly #options: ValidateOptions;
  readonly #rules: Context['rules'];
  readonly #words: readonly Words[];
  readonly #seen = new Set<string>();

  constructor(format: MessageFormat, options: ValidateOptions, rules: Context['rules'], words: readonly Words[]) {
    this.#format = format;
    this.#options = options;
    this.#rules = rules;
    this.#words = words;
  }

  cares(code: FindingCode): boolean {
    return this.#rules.levels[code] !== 'off';
  }

  report(code: FindingCode, path: Path, info: Info = {}, remedy: readonly Edit[] = []): void {
    const level = info.level ?? this.#rules.levels[code] ?? 'error';
    const key = `${code} ${path.join(' ')}`;
    if (level === 'off' || this.#seen.has(key)) return;
    this.#seen.add(key);
    const theirs = this.#words.map((words) => words[code]?.(path, info)).find((text) => text !== undefined);
    const message = theirs ?? ownWords(code, info);
    const hint = info.hint ?? hintOf(code);
    this.found.push({ finding: { code, level, path, message, quoted: theirs !== undefined, hint }, remedy });
  }

  /** The context of the messages, once they are read. */
  context(messages: readonly unknown[], entries: readonly Entry[]): Context {
    const positions = new Map(entries.map(({ index }, at) => [index, at]));
    const ends = new Map<Run, (at: number) => number>();
    return {
      format: this.#format,
      options: this.#options,
      rules: this.#rules,
      messages,
      entries,
      positionOf: (index) => positions.get(index) ?? -1,
      endOf(run, at) {
        const known = ends.get(run) ?? runEnds(entries, WITHIN[run]);
        ends.set(run, known);
        return known(at);
      },
      cares: (code) => this.cares(code),
      report: (code, path, info, remedy) => this.report(code, path, info, remedy),
    };
  }
}

/** The text of a record under some key, unless it is missing or empty. */
export function textAt(record: JsonRecord, key: string): string | undefined {
  return filled(record[key]);
}

/** A record inside a record. */
export function recordAt(record: JsonRecord, key: string): JsonRecord | undefined {
  const value = record[key];
  return isRecord(value) ? value : undefined;
}

/** Drops a part. */
export const dropping = (part: Part): Edit[] => [{ op: 'drop', path: part.path }];

/** The index of the message before which something goes that is to stand at a position. */
export function indexAt({ entries }: Context, position: number): number {
  return entries[position]?.index ?? (entries.at(-1)?.index ?? -1) + 1;
}

/** The index of the message before which an answer goes: behind the run of tools' messages behind a call. */
export function behind({ path }: Part, context: Context): number {
  return indexAt(context, context.endOf('tool', context.positionOf(Number(path[0])) + 1));
}
