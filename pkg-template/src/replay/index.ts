/**
 * What densify would have saved on conversations that were had, and what the agent would no longer have seen of what it
 * used later: a log is sent again, call by call, under each policy. Nothing is sent anywhere.
 *
 * @packageDocumentation
 */

export { type NamedReplay, replayHtml } from './html.js';
export { replay } from './replay.js';
export { replayTable, sumReplays } from './report.js';
export type {
  OwnPolicy,
  PolicyReport,
  Recollection,
  ReplayFlush,
  ReplayHistory,
  ReplayOptions,
  ReplayPolicy,
  ReplayPolicyName,
  ReplayPrices,
  ReplayReport,
  Share,
} from './types.js';
