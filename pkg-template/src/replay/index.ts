/**
 * Shows what densify would have saved on past conversations, and which texts the agent would have missed: a log is
 * sent again, call by call, under each policy. Nothing is sent anywhere.
 *
 * @packageDocumentation
 */

export { type ModelPrices, pricesOf } from '../models/prices.js';
export type { ProviderName } from '../validate/api.js';
export { replayHtml } from './html.js';
export { replay } from './replay.js';
export { replayTable, sumReplays } from './report.js';
export type { OwnPolicy, ReplayOptions, ReplayPolicy, ReplayReport } from './types.js';
