import { isStackFull } from '../base/stack.js';
import type { LoggedEdit } from '../core/edits.js';
import type { Carrier } from '../core/foreign.js';
import type { Places } from '../core/places.js';
import type { Names, Writer } from '../core/stream.js';
import { CAPABILITY } from '../generated/protocol.js';
import type { ModelPrices } from '../models/prices.js';
import type { Callbacks } from '../types.js';

/** A call, as far as its result depends on it. */
export interface KnownCall {
  readonly id: string;
  readonly name: string;
  readonly parameters: unknown;
}

/** A result's text, shorter, by the tool's name and the call's id; nothing for what stays. */
export type ShrinkText = (text: string, tool: string, call: string) => string | undefined;

/**
 * What a message format must be able to do: read a message's facts, hand out its texts, apply
 * edits. Reading never throws because of content, and nothing mutates a message. Formats of
 * providers are made into adapters by `formats/adapter.ts`.
 */
export interface Adapter<M> {
  /** The key of the content in messages of this format. */
  readonly carrier: Carrier;
  /** The options that the format takes off before anything else reads them. */
  readonly options?: readonly string[] | undefined;
  /** What the provider demands, as bits of `CAPABILITY`. */
  readonly capabilities: number;
  /** The prices of the model and the life of its cache; `undefined` if none is named. */
  readonly prices?: ModelPrices | undefined;
  /** The provider's token count, divided by densify's; `undefined` if no provider or model is named. */
  readonly factor?: number | undefined;
  /** Describes a message as one unit or, by the writer's `next`, as several. `tokens` is the caller's own count. */
  read(message: M, index: number, writer: Writer, names: Names, callbacks: Callbacks<M>, tokens?: number): void;
  /** When a message was written, in seconds since 1970, 0 if it doesn't say; of formats without times nothing. */
  readonly time?: ((message: M) => number) | undefined;
  /** For how many seconds a message asks the provider's cache to keep it, 0 if it doesn't say; of formats that can't nothing. */
  readonly keptFor?: ((message: M) => number) | undefined;
  /** One of a block's strings, if there is such a one; blocks are numbered through all units of the message. */
  text(message: M, block: number, leaf: number): string | undefined;
  /** The message after its edits, everything else shared; `undefined` if it goes. */
  apply(message: M, edits: readonly LoggedEdit[]): M | undefined;
  /** A message of ours: a part of a request, or the summary in the history. */
  make(speaker: 'human' | 'ai', text: string, isSummary: boolean): M;
  /** The message with results of tools as they are after `shrink`, which gives nothing for what stays. */
  withResults(message: M, shrink: ShrinkText): M;
  /** The calls of tools that a message makes. */
  calls(message: M): Iterable<KnownCall>;
  /** The message without what the model thought; `undefined` if nothing is left. */
  withoutThinking(message: M): M | undefined;
  /** Whether a message of the model says nothing. */
  isEmpty(message: M): boolean;
  /** Whether a message is marked as one that is never sent; of formats that have no such mark nothing. */
  readonly isUnsent?: ((message: M) => boolean) | undefined;
  /** Whether two messages that read alike hold the same texts where an edit depends on them. */
  sameTexts(known: M, fresh: M): boolean;
}

/** Messages behind a change: a provider that binds thinking to its prefix refuses theirs. */
export function behindChange<M>(adapter: Adapter<M>, messages: readonly M[]): readonly M[] {
  if (!bindsThinking(adapter)) return messages;
  // A broken message may be a list itself, which `flatMap` would spread.
  return messages.map((message) => bareOf(adapter, message)).filter((message) => message !== undefined);
}

/** Whether the provider accepts thinking only behind the exact messages before it. */
export function bindsThinking({ capabilities }: Pick<Adapter<never>, 'capabilities'>): boolean {
  return (capabilities & CAPABILITY.thinkingBoundToPrefix) !== 0;
}

/** A message without its thinking; `undefined` if nothing is left. What can't be read stays as it is. */
export function bareOf<M>(adapter: Pick<Adapter<M>, 'withoutThinking'>, message: M): M | undefined {
  try {
    return adapter.withoutThinking(message);
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return message;
  }
}

/** One of a unit's strings; a message that throws when it is read has none. */
export function leafText<M>(
  adapter: Adapter<M>,
  messages: readonly M[],
  unit: number,
  block: number,
  leaf: number,
  places: Places | undefined,
): string {
  try {
    const message = messages[places === undefined ? unit : places.messageOf(unit)];
    const number = places === undefined ? block : places.blockOf(unit, block);
    return message === undefined ? '' : (adapter.text(message, number, leaf) ?? '');
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return '';
  }
}
