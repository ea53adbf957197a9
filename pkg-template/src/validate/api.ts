import type { GenerationsOf } from '../models/generations.js';

/** The message formats that can be checked. `ai-sdk` is `ModelMessage`, `densify` our own contents. */
export type MessageFormat =
  | 'anthropic'
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-agents'
  | 'gemini'
  | 'ai-sdk'
  | 'ai-sdk-prompt'
  | 'ai-sdk-ui'
  | 'langchain'
  | 'pi'
  | 'densify';

/**
 * The kind of a fault. `docs/validation.md` has a table of all codes. The less obvious ones:
 *
 * - `unreadable`: reading a value threw
 * - `bad-shape`: a key is missing or its value is of the wrong kind
 * - `misplaced-block`: messages of this role may not hold the block
 * - `not-json`: JSON can't hold a value, so the request can't be written
 * - `trailing-whitespace`: at the end of a prefilled reply
 * - `tools-missing`: the messages hold calls, but the request defines no tools
 * - `bad-arguments`: the arguments aren't a JSON object
 * - `misplaced-result`: not at the place that its call requires
 * - `results-first`: results after other content
 * - `result-count`: the turn has fewer or more results than calls
 * - `call-position`: a call that doesn't follow a user's turn
 * - `call-mismatch`: two accounts of a message's calls differ
 * - `thinking-missing`: an open tool loop must begin with thinking
 * - `thinking-unbound`: the messages before the thinking have changed
 */
export type FindingCode =
  | 'unreadable'
  | 'not-a-list'
  | 'not-a-message'
  | 'unknown-role'
  | 'unknown-block'
  | 'bad-shape'
  | 'misplaced-block'
  | 'not-json'
  | 'no-messages'
  | 'empty-message'
  | 'empty-text'
  | 'lone-surrogate'
  | 'too-many-messages'
  | 'too-long'
  | 'trailing-whitespace'
  | 'tools-missing'
  | 'image-in-error'
  | 'bad-arguments'
  | 'bad-tool-name'
  | 'orphan-call'
  | 'orphan-result'
  | 'misplaced-result'
  | 'duplicate-result'
  | 'duplicate-call-id'
  | 'bad-call-id'
  | 'long-call-id'
  | 'missing-call-id'
  | 'results-first'
  | 'result-count'
  | 'result-name'
  | 'call-position'
  | 'orphan-server-call'
  | 'orphan-server-result'
  | 'orphan-caller'
  | 'orphan-approval'
  | 'duplicate-approval'
  | 'call-mismatch'
  | 'first-role'
  | 'last-role'
  | 'role-order'
  | 'system-position'
  | 'thinking-missing'
  | 'thinking-unsigned'
  | 'thinking-last'
  | 'thinking-changed'
  | 'thinking-unbound'
  | 'reasoning-without-successor'
  | 'successor-without-reasoning'
  | 'reasoning-not-encrypted'
  | 'reasoning-required'
  | 'reasoning-forbidden'
  | 'signature-missing'
  | 'bad-item-id'
  | 'duplicate-id'
  | 'unresolvable-item'
  | 'item-position'
  | 'too-many-breakpoints'
  | 'breakpoint-position'
  | 'breakpoint-order';

/** Where something is in the messages: `[3, 'content', 0]` is the first block of the fourth message. */
export type Path = readonly (string | number)[];

/**
 * One thing that a provider would reject (`error`), or that some model or server rejects, loses or ignores
 * (`warning`).
 */
export interface Finding {
  readonly code: FindingCode;
  readonly level: 'error' | 'warning';
  readonly path: Path;
  /** The fault, in the provider's own words if they are known. */
  readonly message: string;
  /** Whether `message` is the provider's own. */
  readonly quoted: boolean;
  /** What to do about it. */
  readonly hint: string;
}

/** The format and the provider whose rules the messages must obey. */
export interface ValidateOptions {
  /**
   * The messages' format; `openai`, as the package's entry is named, is `openai-chat`.
   * @default detected from the content (`detectFormat`); an error if it is ambiguous
   */
  readonly format?: MessageFormat | 'openai' | undefined;
  /**
   * The provider that gets the request: a name in `providerRules`.
   * @default 'anthropic', 'openai' or 'google' for their own formats; none for the others
   */
  readonly provider?: ProviderName | undefined;
  /**
   * The model, as requests name it; its generation is known from it.
   * @default unknown: what only some generations reject is a warning
   */
  readonly model?: string | undefined;
  /**
   * The generation of models, a name in `providerRules`.
   * @default that of `model`
   */
  readonly generation?: GenerationName | undefined;
  /**
   * The request's tools, in the provider's form: whether there are any, and their cache breakpoints.
   * @default unknown
   */
  readonly tools?: readonly unknown[] | undefined;
  /**
   * The request's system prompt, in Anthropic's form, for its cache breakpoints.
   * @default none
   */
  readonly system?: unknown;
  /**
   * Whether the request turns thinking on (Anthropic's manual thinking, Moonshot's thinking models).
   * @default unknown: what depends on it is a warning
   */
  readonly thinking?: boolean | undefined;
  /**
   * Whether the provider stores replies (Responses API); with `false` it can't look up what a request only names.
   * @default unknown: nothing is reported about it
   */
  readonly store?: boolean | undefined;
  /**
   * Whether the messages continue a conversation that the provider holds (`previous_response_id`). The calls of the
   * first results may then be there.
   * @default false
   */
  readonly continues?: boolean | undefined;
  /**
   * Whether system messages are allowed among the messages (`allowSystemInMessages` of the AI SDK 7; version 6
   * always allows them).
   * @default false
   */
  readonly allowSystem?: boolean | undefined;
  /**
   * The messages as they were when the model thought: with them, reasoning whose prefix or whose successor was
   * edited is found.
   * @default unknown
   */
  readonly original?: readonly unknown[] | undefined;
}

/** What validation found. */
export interface Validation {
  /** `true` if there is no error. There may be warnings. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** One change that a repair made. */
export interface Repair {
  /** The finding that it removes. */
  readonly code: FindingCode;
  readonly action: 'dropped' | 'changed' | 'inserted';
  /**
   * The place, in your own messages; an inserted message comes before it. If an earlier repair changed the same
   * message, the place is counted after that repair.
   */
  readonly path: Path;
  /** What stood there, for `dropped` and `changed`. */
  readonly before?: unknown;
  /** The new content, for `changed` and `inserted`. */
  readonly after?: unknown;
}

/** Messages, repaired. */
export interface RepairResult<M> {
  /** The messages: your own list if nothing changed. Untouched messages are the same objects (`===`). */
  readonly messages: readonly M[];
  readonly changed: boolean;
  /** All that was done, in order. */
  readonly repairs: readonly Repair[];
  /** What can't be repaired without guessing. */
  readonly findings: readonly Finding[];
  /** Whether no error is left. */
  readonly ok: boolean;
}

/** The provider that gets a request. */
export type ProviderName =
  | 'anthropic'
  | 'bedrock'
  | 'openai'
  | 'google'
  | 'mistral'
  | 'moonshot'
  | 'cerebras'
  | 'strict-template';

/** Models that want the same. */
type GenerationName = GenerationsOf<'anthropic'> | GenerationsOf<'openai'> | GenerationsOf<'gemini'>;

/** The demands of a provider, or of a generation of its models, beyond the format. */
export interface ProviderRules {
  /** The level of each code; a code that isn't named is an error. */
  readonly levels?: Readonly<Partial<Record<FindingCode, 'error' | 'warning' | 'off'>>>;
  /** The pattern of call ids. */
  readonly callId?: RegExp;
  /** How long they may be. */
  readonly callIdLength?: number;
  /** The pattern of tool names. */
  readonly toolName?: RegExp;
  /** How long they may be, in an error even where the form is a warning. */
  readonly toolNameLength?: number;
  /** How many cache breakpoints a request may have. */
  readonly breakpoints?: number;
  /** How many messages a request may have. */
  readonly messages?: number;
  /** How long a tool's output may be, in UTF-16 units. */
  readonly outputLength?: number;
}
