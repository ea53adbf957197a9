import type { Carrier } from '../core/foreign.js';
import type { Adapter } from '../messages/adapter.js';
import type { Family } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import type { Breakpoints } from './breakpoints.js';
import type { ImageFormulaName } from './images.js';

/** Who speaks in a part of a message. What others say is never edited. */
export type Speaker = 'human' | 'ai' | 'tool' | 'other';

/** The name of blocks that stay or go together: a message's own, or one that other messages have too. */
export type Atom = string | number;

/**
 * What a format says of a message: its units (parts with a speaker of their own) and the blocks of
 * each. Blocks are numbered in the order in which they are said, from 0, through all units of the
 * message. A value of another type than the block needs makes the block one that is only counted.
 *
 * An *atom* names blocks that stay or go together: the same name in other messages is the same atom.
 */
export interface Blocks {
  /**
   * Begins a unit. `isSummary`: the message's own metadata say that it is an earlier summary of ours. `name`: who of
   * several persons speaks; summaries have it before the words.
   */
  unit(speaker: Speaker, isSummary?: boolean, name?: unknown): void;
  /** By whose formula images cost. */
  readonly images: ImageFormulaName;
  /** Says that the unit begun last must stay as it is. */
  keep(): void;
  text(text: unknown, atom?: Atom): void;
  /** What the model thought; of what is encrypted, the cipher. */
  thinking(text: unknown, atom?: Atom): void;
  /** Reports thinking that must stay: its content is an opaque block. */
  thought(): void;
  code(text: unknown, atom?: Atom): void;
  /**
   * `size` in bytes, of an image negative and in tokens, 0 if unknown. `data` is its content or address, if
   * `edit` can replace it by a text: then it may become one where it comes again.
   */
  media(mimeType: unknown, size: number | string, name?: unknown, atom?: Atom, data?: unknown, beside?: string): void;
  /** A call of a tool that the host answers; with a seal its arguments stay as they are. */
  call(id: unknown, name: unknown, parameters: unknown, atom?: Atom, isSealed?: boolean): void;
  /** The same where the parameters are JSON text, which may be invalid; it is parsed where a rule looks at them. */
  callOfText(id: unknown, name: unknown, json: unknown, atom?: Atom, isSealed?: boolean): void;
  /**
   * The host's answer. Without a name the tool is that of the call. What can be edited is a `result` that
   * is a string, or its `output`; `undefined`: there is nothing that a text could stand for.
   */
  response(id: unknown, name: unknown, result: unknown, failed: boolean, atom?: Atom): void;
  /** The user refused the call, with a reason or without. Summaries have the reason as the user's words. */
  refusal(id: unknown, name: unknown, reason: unknown, atom?: Atom): void;
  /** Anything else: counted as JSON, never edited; its message goes as a whole or not at all. */
  opaque(value: unknown, atom?: Atom): void;
  /** Makes an atom another name of one, where nothing belongs to it yet. */
  alias(name: string, of: Atom): void;
  /** An atom of this message's own, by a number of the format's choice. */
  ownAtom(number: number): Atom;
  /** A name of this message, or of the message this many places before it: for atoms, and for calls without ids. */
  own(name: string, before?: number): string;
}

/** What becomes of a message's blocks, by number: `null`, the block goes; a string, its text is this one. */
export type Changes = ReadonlyMap<number, string | null>;

/** What a request of a format is made of. */
export interface RequestShape {
  /** The key of the messages. */
  readonly key: string;
  /**
   * Whether something else may stand for all messages.
   *
   * @default false
   */
  readonly isOptional?: boolean;
  /**
   * The messages that something under the key stands for.
   *
   * @default what is there; a text is a message of the user, one message a list of one
   */
  messages?(found: unknown): readonly object[] | undefined;
  /** The system prompt, and what else goes with the messages: a text, parts with texts, or something that is counted as JSON. */
  system(request: Readonly<Record<string, unknown>>): unknown;
  /**
   * The schema that the answer must keep to.
   *
   * @default none
   */
  schema?(request: Readonly<Record<string, unknown>>): unknown;
  /**
   * The most tokens that the answer may have.
   *
   * @default the number that the request has under one of its APIs' names for it
   */
  answer?(request: Readonly<Record<string, unknown>>): unknown;
  /**
   * The definitions of tools, each with its name.
   *
   * @default the list `tools` of the request
   */
  tools?(request: Readonly<Record<string, unknown>>): readonly (readonly [name: string, tool: unknown])[];
  /**
   * Where the request goes.
   *
   * @default its `model`, where that is a name
   */
  target?(request: Readonly<Record<string, unknown>>): Target;
}

/** densify's own contents. They go to no provider that densify knows, so they have no options for one. */
export interface OwnFormat<M extends object> {
  readonly adapter: Adapter<M>;
}

/** A format that the verbs can read. */
export type Readable<M extends object, O extends Target> = Format<M, O> | OwnFormat<M>;

/** A message format of a provider or framework. `formats/adapter.ts` makes an adapter of it. */
export interface Format<M extends object, O extends Target = Target> {
  /** The format's name. */
  readonly name: string;
  /** The keys of its options beside `model` and `provider`. */
  readonly options: readonly Exclude<keyof O & string, keyof Target>[];
  /**
   * The key of the content in messages of this format.
   *
   * @default 'content'
   */
  readonly carrier?: Carrier | undefined;
  /** Whether the provider refuses texts of nothing but white space. */
  readonly refusesBlank: boolean;
  /** Whose format it is; none for those of frameworks, which reach many providers. */
  readonly family?: Family | undefined;
  /** Whether `edit` replaces the long strings of a call's arguments by texts. */
  readonly shortensCalls?: boolean | undefined;
  /** When a message was written, as it says: in any form that `secondsOf` reads. */
  time?(message: M): unknown;
  /** How messages mark where the provider's cache is to hold up to. */
  readonly breakpoints?: Breakpoints | undefined;
  /**
   * How requests hold messages.
   *
   * @default `{messages, system, tools}`
   */
  readonly request?: RequestShape | undefined;
  /** What the provider demands of these messages, as bits of `CAPABILITY`; refuses options that can't be. */
  capabilities(options: O): number;
  /** The format for a target, if the reading of messages depends on the target. */
  forTarget?(options: O): Format<M, O>;
  /** Says what a message holds. It may throw on odd messages: they are kept as they are. */
  describe(message: M, blocks: Blocks): void;
  /**
   * A copy of a message after changes, everything else shared; `undefined` if nothing is left. Blocks have the
   * numbers that `describe` gave them; only calls, responses, thinking, media and human texts are removed. Only human
   * texts, responses and media get another text; with `shortensCalls` calls, too: that of each long argument.
   */
  edit(message: M, changes: Changes): M | undefined;
  /**
   * A copy of a message whose responses' payloads have another `output`, by the blocks' numbers; without it payloads
   * that are objects stay as they are when they enter a history.
   */
  editOutputs?(message: M, outputs: ReadonlyMap<number, string>): M;
  /** A message of ours. */
  make(speaker: 'human' | 'ai', text: string, isSummary: boolean): M;
}
