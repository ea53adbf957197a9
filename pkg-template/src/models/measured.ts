import type { Callbacks } from '../types.js';
import { hasOlderTokenizer } from './claude.js';
import { type Family, familyOf } from './profiles.js';
import type { Target } from './target.js';

/**
 * Providers' token counts divided by densify's, for models without a public vocabulary. In real logs of Claude Code
 * (Opus 4.5 and 4.6, Sonnet 4.5) and Gemini CLI (Gemini 3), densify counted 81 and 82% of the provider's tokens
 * (`real-usage.test.ts`). If this were too low, compaction would start late, and the provider would refuse a request.
 */
export const MEASURED = 1.24;
/** `MEASURED` times 1.3: "approximately 30 percent more tokens than on earlier models" (Anthropic, "Token counting"). */
export const NEWER_CLAUDES = 1.6;

/** A provider's token count divided by densify's, if the provider or model is named. */
export function factorOf(target: Target & { readonly generation?: string | undefined }, family?: Family): number {
  switch (familyOf(target) ?? family) {
    case 'anthropic':
      return hasOlderTokenizer(target.model, target.generation) ? MEASURED : NEWER_CLAUDES;
    case 'gemini':
      return MEASURED;
    default:
      return 1;
  }
}

/**
 * The factor for a counter. The estimate, and counters with bounds, count by encodings that these providers don't use, so their
 * counts are converted. Any other counter is taken as the provider's own. For densify's own contents, `model` and `provider`
 * name the vendor.
 */
export function measuredFactor(
  { factor }: { readonly factor?: number | undefined },
  { countTokens, model, provider }: Pick<Callbacks, 'countTokens'> & { readonly [Key in keyof Target]?: unknown },
): number {
  if (countTokens !== undefined && countTokens.bounds === undefined) return 1;
  const name = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return factor ?? factorOf({ model: name(model), provider: name(provider) });
}

/**
 * The provider's tokens, converted to densify's count. Values of other types stay unchanged, so the error can show them.
 */
export function scaled<T>(tokens: T, factor: number, round: (value: number) => number): T {
  const isCount = typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 1;
  return isCount ? (Math.max(1, round(tokens / factor)) as T) : tokens;
}
