import type { Adapter } from '../adapter.js';
import { familyOf } from '../formats/profiles.js';
import { checkCalibration } from '../tokens/calibration.js';
import type { ConversationOptions } from './types.js';

/**
 * What providers report over what is counted here, where no vocabulary is public: real logs of Claude Code and Gemini CLI
 * have 81 and 82 % of it (`real-usage.test.ts`). A trigger that comes late is a request that the provider refuses.
 */
const MEASURED: Readonly<Record<string, number>> = { anthropic: 1.24, gemini: 1.24 };

/** The options with every size that is the provider's in tokens as they are counted here. */
export function inTokensOfOurs<M>(adapter: Adapter<M>, given: ConversationOptions<M>): ConversationOptions<M> {
  const { calibration, ...options } = given;
  const factor = calibration === undefined ? measured(adapter, given) : checkCalibration(calibration).factor;
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

/** Counters with bounds are of encodings that these providers don't have, as the estimate is. */
function measured<M>({ family }: Adapter<M>, { countTokens, model, provider }: ConversationOptions<M>): number {
  if (countTokens !== undefined && countTokens.bounds === undefined) return 1;
  const name = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const whose = familyOf({ model: name(model), provider: name(provider) }) ?? family ?? '';
  return Object.hasOwn(MEASURED, whose) ? MEASURED[whose]! : 1;
}

/** What is no number of tokens stays, to be refused as it is. */
function scaled<T>(tokens: T, factor: number, round: (value: number) => number): T {
  const isCount = typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 1;
  return isCount ? (Math.max(1, round(tokens / factor)) as T) : tokens;
}
