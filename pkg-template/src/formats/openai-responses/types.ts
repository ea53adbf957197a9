import type { Target } from '../../models/target.js';

/** What densify reads of an input item of the Responses API: `ResponseInputItem` of the SDK, or your own. */
export interface ResponsesItemLike {
  readonly type?: string | null | undefined;
}

/** Options of every verb, about where the items go. */
export interface ResponsesOptions extends Target {}
