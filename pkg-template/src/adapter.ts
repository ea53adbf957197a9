import type { Carrier } from './foreign.js';
import type { LoggedEdit } from './output.js';
import type { Places } from './places.js';
import { isStackFull } from './stack.js';
import type { Names, Writer } from './stream.js';
import type { Callbacks } from './types.js';

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
  /** The key under which messages hold what they say. */
  readonly carrier: Carrier;
  /** What the provider demands, as bits of `CAPABILITY`. */
  readonly capabilities: number;
  /** What the provider counts over what is counted here; none where nobody said whose messages they are. */
  readonly factor?: number | undefined;
  /** Describes a message as one unit or, by the writer's `next`, as several. `tokens` is the caller's own count. */
  read(message: M, index: number, writer: Writer, names: Names, callbacks: Callbacks<M>, tokens?: number): void;
  /** One of a block's strings, if there is such a one; blocks are numbered through all units of the message. */
  text(message: M, block: number, leaf: number): string | undefined;
  /** The message after its edits, everything else shared; `undefined` if it goes. */
  apply(message: M, edits: readonly LoggedEdit[]): M | undefined;
  /** A message of ours: a part of a request, or what stands in the history for what was summarised. */
  make(speaker: 'human' | 'ai', text: string, isSummary: boolean): M;
  /** The message with results of tools as they are after `shrink`, which gives nothing for what stays. */
  withResults(message: M, shrink: ShrinkText): M;
  /** The calls of tools that a message makes. */
  calls(message: M): Iterable<KnownCall>;
  /** The message without what the model thought; `undefined` if nothing is left. */
  withoutThinking(message: M): M | undefined;
  /** Whether a message of the model says nothing. */
  isEmpty(message: M): boolean;
  /** Whether two messages that read alike hold the same texts where an edit depends on them. */
  sameTexts(known: M, fresh: M): boolean;
}

/** What a provider demands beyond pairs: the bits of the core's `Capabilities`. */
export const CAPABILITY = {
  /** The history must open with a message of the user. */
  opensWithHuman: 1,
  /** Thinking is valid only behind the exact prefix that it was made for. */
  thinkingBoundToPrefix: 1 << 1,
  /** While calls are open, the thinking of that turn must stay. */
  openLoopKeepsThinking: 1 << 2,
  /** A message that is thinking stays or goes with what the model said behind it. */
  thinkingKeepsSuccessors: 1 << 3,
  /** The model calls only right behind the user or a result, never behind words of its own. */
  callsFollowOthers: 1 << 4,
  /** What the model said between two words of others may not end with thinking. */
  thinkingLeads: 1 << 5,
  /** The first request stays unless the caller says otherwise. */
  keepsFirstRequest: 1 << 6,
  /** A message of the system may not open the history. */
  systemNeverOpens: 1 << 7,
  /** Reasoning behind a change is taken, and made nothing of; nothing that the core goes by. */
  changesLoseReasoning: 1 << 8,
  /** Thinking doesn't go for its age: the provider may want it back wherever it stands. */
  keepsThinking: 1 << 9,
} as const;

/** Whether what is demanded of thinking is what two generations of models do: nobody said which model it is. */
export function demandsOfAll(capabilities: number): boolean {
  const both = CAPABILITY.thinkingBoundToPrefix | CAPABILITY.openLoopKeepsThinking;
  return (capabilities & both) === both;
}

/** Messages behind a change: a provider that binds thinking to its prefix refuses theirs. */
export function behindChange<M>(adapter: Adapter<M>, messages: readonly M[]): readonly M[] {
  if ((adapter.capabilities & CAPABILITY.thinkingBoundToPrefix) === 0) return messages;
  return messages.flatMap((message) => {
    try {
      const left = adapter.withoutThinking(message);
      return left === undefined ? [] : [left];
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return [message]; // what can't be read stays as it is
    }
  });
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
