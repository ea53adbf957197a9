import type { Target } from '../format.js';

/** What densify reads of a message of LangChain: an instance of `BaseMessage`, or its stored form. */
export type LangChainMessageLike =
  | { readonly type: string; readonly content: unknown }
  | { readonly type: string; readonly data: object };

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface LangChainOptions extends Target {}
