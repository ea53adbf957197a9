/**
 * The integer stream in which messages are described to the core. `src/view/stream.rs` in the core defines its form. Its
 * numbers and flags are generated.
 */

import { hasLoneSurrogate } from '../base/utf16.js';
import type { ToolDescriptor, ToolKind } from '../generated/densify.js';
import { FLAG, KIND } from '../generated/protocol.js';
import type { Engine } from './engine.js';
import { MediaNumbers } from './media-numbers.js';
import { type Outcome, outcomesOf } from './outcomes.js';

/** What a call's tool does, as flags of the call. */
const KIND_FLAGS: Readonly<Record<ToolKind, number>> = {
  read: FLAG.read,
  write: FLAG.write,
  edit: FLAG.write,
  todo: FLAG.todo,
  shell: 0,
  search: 0,
  other: 0,
};

/** What an adapter must know of a tool to read its calls. */
export interface ToolFacts {
  readonly name: string;
  readonly id: number;
  readonly flags: number;
  readonly pathKeys: readonly string[];
  readonly pathListKey: string | undefined;
  /** A parameter that selects the call's action, and the flags for its values. */
  readonly mode: { readonly key: string; readonly flags: ReadonlyMap<string, number> } | undefined;
  /** How results say that a call failed; nothing if no text reports it, because a read shows the file's own text. */
  readonly outcomes: readonly Outcome[] | undefined;
}

/** The description of a tool that is no longer known. */
const UNKNOWN_TOOL: ToolFacts = {
  name: '',
  id: -1,
  flags: 0,
  pathKeys: [],
  pathListKey: undefined,
  mode: undefined,
  outcomes: undefined,
};

/** Longest string that is looked up as it is: of much longer ones engines hash the length alone. */
const LONGEST = 8192;

/** What strings are looked up by. A long one is known by the numbers of its parts, so that no two collide. */
class Keys {
  readonly #numbers = new Map<string, number>();

  of(text: string): string | number {
    if (text.length <= LONGEST) return text;
    let joined = text;
    let depth = 0;
    for (; joined.length > LONGEST; depth += 1) joined = this.#parts(joined).join();
    return this.#number(`${depth}:${joined}`);
  }

  #parts(text: string): number[] {
    const numbers: number[] = [];
    for (let at = 0; at < text.length; at += LONGEST) numbers.push(this.#number(text.slice(at, at + LONGEST)));
    return numbers;
  }

  #number(part: string): number {
    let number = this.#numbers.get(part);
    if (number === undefined) this.#numbers.set(part, (number = this.#numbers.size));
    return number;
  }
}

/** What numbers names: a handle of either wasm file. */
export interface NamesHandle {
  tool(name: string): number;
  describeTool(name: string): string;
  path(text: string): number;
  listedPath(text: string): number;
}

/** Something that guards calls into a wasm file. */
type Guard = Pick<Engine, 'guard'>;

/** Strings that the core knows by number. Each crosses once. */
export class Names {
  /** Set when the core's side is gone: known strings keep their numbers, any other is like none of them. */
  isClosed = false;
  /** The tools of calls, by the call's number: a list, since filling a map of thousands takes several times as long. */
  readonly #callers: (ToolFacts | undefined)[] = [];
  readonly #engine: Guard;
  readonly #handle: NamesHandle;
  readonly #keys = new Keys();
  readonly #calls = new Map<string | number, number>();
  readonly #tools = new Map<string | number, ToolFacts>();
  readonly #paths = new Map<string | number, number>();
  readonly #listedPaths = new Map<string | number, number>();
  readonly #atoms = new Map<string | number, number>();
  /** The atoms that have numbers for names. */
  readonly #numbered = new Map<number, number>();
  readonly #media = new MediaNumbers();
  #nextAtom = 1;

  constructor(engine: Guard, handle: NamesHandle) {
    this.#engine = engine;
    this.#handle = handle;
  }

  /** The number of a call's id; 0 for one that isn't a string. */
  call(id: unknown): number {
    if (typeof id !== 'string') return 0;
    const key = this.#keys.of(id);
    let number = this.#calls.get(key);
    if (number === undefined) {
      number = this.#calls.size + 1;
      this.#calls.set(key, number);
    }
    return number;
  }

  /** Notes the tool of a call. */
  calls(call: number, tool: ToolFacts): void {
    // A list with holes would be a map again.
    while (this.#callers.length < call) this.#callers.push(undefined);
    this.#callers[call] = tool;
  }

  /** The tool of a call, if it was made by now. */
  caller(call: number): ToolFacts | undefined {
    return this.#callers[call];
  }

  /** The number of an atom: blocks that stay or go together; 0 for none. */
  atom(name: string | number | undefined): number {
    if (name === undefined) return 0;
    const known: Map<string | number, number> = typeof name === 'number' ? this.#numbered : this.#atoms;
    const key = typeof name === 'number' ? name : this.#keys.of(name);
    let number = known.get(key);
    if (number === undefined) known.set(key, (number = this.#nextAtom++));
    return number;
  }

  /** Makes an atom that has no number yet another name of one. */
  alias(name: string, of: string | number): void {
    const key = this.#keys.of(name);
    if (!this.#atoms.has(key)) this.#atoms.set(key, this.atom(of));
  }

  /** The number of what media hold, together with the text beside it; 0 for none. */
  media(data: unknown, beside = ''): number {
    const held = data === undefined ? 0 : this.#media.of(data);
    return held === 0 || beside === '' ? held : this.#media.of(`${held} ${beside}`);
  }

  /** The facts of a tool. */
  tool(name: string): ToolFacts {
    const key = this.#keys.of(name);
    let facts = this.#tools.get(key);
    if (facts === undefined) {
      if (this.isClosed) return { ...UNKNOWN_TOOL, name };
      facts = this.#engine.guard(() => this.#describe(name));
      this.#tools.set(key, facts);
    }
    return facts;
  }

  #describe(given: string): ToolFacts {
    // A lone surrogate doesn't cross: written out, names that differ stay different.
    const name = hasLoneSurrogate(given) ? JSON.stringify(given) : given;
    const found = JSON.parse(this.#handle.describeTool(name)) as ToolDescriptor;
    const mode = found.mode && {
      key: found.mode.key,
      flags: new Map(found.mode.kinds.map(([value, kind]) => [value, KIND_FLAGS[kind]])),
    };
    const flags = KIND_FLAGS[found.kind];
    return {
      name: given,
      id: this.#handle.tool(name),
      flags,
      pathKeys: found.pathKeys,
      pathListKey: found.pathListKey,
      mode,
      outcomes: given === '' || (flags & FLAG.read) !== 0 ? undefined : outcomesOf(given),
    };
  }

  /** The number of a path. */
  path(text: string): number {
    const key = this.#keys.of(text);
    let number = this.#paths.get(key);
    if (number === undefined) {
      if (this.isClosed) return -1;
      number = this.#engine.guard(() => this.#handle.path(text));
      this.#paths.set(key, number);
    }
    return number;
  }

  /** The number of a path in a list, where it may be a glob pattern. */
  listedPath(text: string): number {
    const key = this.#keys.of(text);
    let number = this.#listedPaths.get(key);
    if (number === undefined) {
      if (this.isClosed) return -1;
      number = this.#engine.guard(() => this.#handle.listedPath(text));
      this.#listedPaths.set(key, number);
    }
    return number;
  }
}

/** Words of a unit without blocks. */
export const UNIT_WORDS = 4;

/** The words of a unit that differ between copies of a message: the caller's own count plus one, or 0; its time in seconds, or 0. */
export const OF_COPY = { count: 2, time: 3 } as const;

/** Words of a block without names. */
const HEAD_WORDS = 3;

/** Words of a block at most, its paths aside. */
const BLOCK_WORDS = 6;

/** Writes units. The words of everything written stay: they are the messages' stamps. */
export class Writer {
  words = new Int32Array(256);
  length = 0;
  /** How often `next` was called: as long as it never was, every message is one unit. */
  further = 0;
  /** How often the model was said to have thought. */
  thoughts = 0;
  #blockCount = 0;

  /** Begins a unit; its blocks follow. `tokens` is the caller's own count. */
  unit(speaker: number, flags: number, tokens: number | undefined): void {
    this.#reserve(UNIT_WORDS);
    this.words[this.length] = speaker | (flags << 8);
    this.#blockCount = this.length + 1;
    this.words[this.#blockCount] = 0;
    this.words[this.length + OF_COPY.count] = tokens === undefined ? 0 : tokens + 1;
    this.words[this.length + OF_COPY.time] = 0;
    this.length += UNIT_WORDS;
  }

  /** Begins a further unit of the same message. */
  next(speaker: number, flags: number): void {
    this.further += 1;
    this.unit(speaker, flags | FLAG.continues, undefined);
  }

  /** Whether the message that begins at a word has no block but one that is only counted. */
  saysNothing(start: number): boolean {
    const count = this.length - start - UNIT_WORDS;
    return count === 0 || (count === HEAD_WORDS && (this.words[start + UNIT_WORDS]! & 0xff) === KIND.opaque);
  }

  /** Sets flags of the unit that was begun last. */
  flag(flags: number): void {
    this.words[this.#blockCount - 1]! |= flags << 8;
  }

  /** A block without names. */
  block(kind: number, flags: number, size: number, atom = 0): void {
    this.#head(kind, flags, size, atom);
  }

  /** An image, a sound, a file. */
  media(flags: number, size: number, held: number, atom: number): void {
    this.#head(KIND.media, flags, size, atom);
    this.words[this.length] = held;
    this.length += 1;
  }

  /** A tool call; its paths follow by `path`. */
  call(flags: number, size: number, call: number, tool: number, atom = 0): void {
    this.#head(KIND.toolCall, flags, size, atom);
    const { words } = this;
    words[this.length] = call;
    words[this.length + 1] = tool;
    words[this.length + 2] = 0;
    this.length += 3;
  }

  /** A path of the call that was written last. */
  path(path: number, paths: number): void {
    this.#reserve(1);
    this.words[this.length - paths - 1]! += 1;
    this.words[this.length] = path;
    this.length += 1;
  }

  /** A tool's response. */
  response(flags: number, size: number, call: number, tool: number, atom = 0): void {
    this.#head(KIND.toolResponse, flags, size, atom);
    const { words } = this;
    words[this.length] = call;
    words[this.length + 1] = tool;
    this.length += 2;
  }

  #head(kind: number, flags: number, size: number, atom: number): void {
    this.#reserve(BLOCK_WORDS);
    const { words } = this;
    words[this.#blockCount]! += 1;
    words[this.length] = kind | (flags << 8);
    words[this.length + 1] = size;
    words[this.length + 2] = atom;
    this.length += HEAD_WORDS;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.words.length) return;
    const grown = new Int32Array((this.length + count) * 2);
    grown.set(this.words.subarray(0, this.length));
    this.words = grown;
  }
}
