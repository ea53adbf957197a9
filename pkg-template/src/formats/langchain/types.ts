import type { Target } from '../../models/target.js';

/**
 * What densify reads of a message of LangChain: an instance of `BaseMessage` (of the major before this one too), its stored
 * form, or what `JSON.stringify` makes of it.
 */
export type LangChainMessageLike =
  | { readonly type: string; readonly content: unknown }
  | { readonly type: string; readonly data: object }
  | { getType(): string; readonly content: unknown }
  | { readonly lc: number; readonly id: readonly string[]; readonly kwargs: object };

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface LangChainOptions extends Target {}
