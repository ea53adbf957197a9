/**
 * Shows what densify would have saved on past conversations, and which texts the agent would have missed: a log is
 * sent again, call by call, under each policy. Nothing is sent anywhere.
 *
 * @packageDocumentation
 */

export { type ModelPrices, pricesOf } from '../models/prices.js';
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
  RivalPolicyName,
  Share,
} from './types.js';
