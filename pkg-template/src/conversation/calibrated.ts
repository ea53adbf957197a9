import type { Adapter } from '../adapter.js';
import { measuredFactor, scaled } from '../formats/measured.js';
import { checkCalibration } from '../tokens/calibration.js';
import type { ConversationOptions } from './types.js';

/** The options with every size that is the provider's in tokens as they are counted here. */
export function inTokensOfOurs<M>(adapter: Adapter<M>, given: ConversationOptions<M>): ConversationOptions<M> {
  const { calibration, ...options } = given;
  const learned = calibration === undefined ? undefined : checkCalibration(calibration);
  // What nobody has learned anything of says nothing yet.
  const factor = learned === undefined || learned.reports === 0 ? measuredFactor(adapter, given) : learned.factor;
  if (factor === 1) return options;
  const { contextLimit, reserve, overhead, summary } = options;
  const window: unknown = summary?.window;
  return {
    ...options,
    contextLimit: scaled(contextLimit, factor, Math.floor),
    ...(reserve === undefined ? {} : { reserve: scaled(reserve, factor, Math.ceil) }),
    ...(overhead === undefined ? {} : { overhead: scaled(overhead, factor, Math.ceil) }),
    ...(typeof window === 'number' ? { summary: { ...summary, window: scaled(window, factor, Math.floor) } } : {}),
  };
}
