import type { GenerationOf } from '../../models/profiles.js';
import type { Target } from '../../models/target.js';

/** What densify reads of an entry of Gemini's `contents`: `Content` of the SDK, or your own. */
export interface GeminiContentLike {
  readonly role?: string | undefined;
  readonly parts?: readonly GeminiPartLike[] | undefined;
  /** Messages of other formats are none. */
  readonly content?: never;
}

/** A part of an entry; densify knows the members that it edits, all others ride along untouched. */
export type GeminiPartLike = object;

/** Options of every verb, about where the contents go. */
export interface GeminiOptions extends Target {
  /**
   * The generation of the model, where its name doesn't tell: `'thought-signatures'` (Gemini 3 and newer: the
   * thinking of an open turn must stay), `'no-signatures'`.
   *
   * @default that of `model`; without one, what all generations demand together
   */
  readonly generation?: GenerationOf<'gemini'> | undefined;
}
