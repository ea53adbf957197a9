import type { Adapter } from '../messages/adapter.js';
import { measuredFactor, scaled } from '../models/measured.js';
import { type Calibration, checkCalibration } from '../tokens/calibration.js';
import type { ConversationOptions } from './types.js';

/** The provider's token count, divided by densify's: learned, else measured. */
export function factorOfOptions<M>(
  adapter: Adapter<M>,
  given: ConversationOptions<M>,
  calibration: Calibration | undefined,
): number {
  const learned = calibration === undefined ? undefined : checkCalibration(calibration);
  // A calibration that has learned nothing changes nothing.
  return learned === undefined || learned.reports === 0 ? measuredFactor(adapter, given) : learned.factor;
}

/** The options with every size that is the provider's in tokens as they are counted here. */
export function inTokensOfOurs<M>(options: ConversationOptions<M>, factor: number): ConversationOptions<M> {
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
