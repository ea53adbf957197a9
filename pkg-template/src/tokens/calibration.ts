import { densifyError } from '../errors.js';
import { describe } from '../settings.js';

/** What was learned of the ratio between a provider's counts and ours: plain JSON, to be kept between runs. */
export interface Calibration {
  readonly version: 1;
  /** A count of ours, times this, is what the provider is expected to report. */
  readonly factor: number;
  /** How many reports it rests on. */
  readonly reports: number;
}

/** Beyond these a report tells of something else than the tokenizer (a prompt that wasn't counted, a proxy). */
const LEAST = 0.5;
const MOST = 2;
/** A new report weighs at least so much, so that a change of model is followed. */
const WEIGHT = 0.2;
/** Below so many tokens the overhead of the request is what a report tells of. */
const TELLING = 200;

/** Nothing learned yet. */
export const uncalibrated: Calibration = { version: 1, factor: 1, reports: 0 };

/** The fields of a provider's report of usage that say how long the prompt was. */
const READERS: readonly ((usage: Numbers) => number | undefined)[] = [
  // Anthropic: what was read from the cache and written to it comes on top.
  ({ input_tokens: input, cache_creation_input_tokens: written, cache_read_input_tokens: read }) =>
    written === undefined && read === undefined ? undefined : (input ?? 0) + (written ?? 0) + (read ?? 0),
  // OpenAI (both interfaces), Gemini, the AI SDK, LangChain: cached tokens are included.
  ({ prompt_tokens: tokens }) => tokens,
  ({ promptTokenCount: tokens }) => tokens,
  ({ inputTokens: tokens }) => tokens,
  ({ promptTokens: tokens }) => tokens,
  ({ input_tokens: tokens }) => tokens,
  // pi: as Anthropic has it.
  ({ input, cacheRead, cacheWrite }) =>
    input === undefined ? undefined : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
];

type Numbers = Readonly<Record<string, number | undefined>>;

/**
 * The tokens of the prompt in a provider's report of usage, those in the cache included; nothing if it
 * doesn't say.
 *
 * @example
 * promptTokens({ input_tokens: 12, cache_read_input_tokens: 8000, cache_creation_input_tokens: 0 }); // 8012
 */
export function promptTokens(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const numbers: Record<string, number | undefined> = {};
  for (const [key, value] of Object.entries(usage)) {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) numbers[key] = value;
  }
  for (const read of READERS) {
    const tokens = read(numbers);
    if (tokens !== undefined && tokens > 0) return tokens;
  }
  return undefined;
}

/**
 * Learns from what a provider reported for a prompt that was counted here. Pure: the result is new. Reports
 * that say nothing (short prompts, no numbers) change nothing, absurd ones count as the nearest that isn't.
 *
 * @example
 * calibration = calibrate(calibration, { counted: estimateTokens(messages), usage: response.usage });
 * const expected = calibrated(calibration, estimateTokens(messages));
 */
export function calibrate(
  calibration: Calibration,
  report: { readonly counted: number; readonly usage: unknown },
): Calibration {
  const { factor, reports } = checked(calibration);
  const tokens = promptTokens(report.usage);
  const { counted } = report;
  if (tokens === undefined || !(counted >= TELLING) || !Number.isFinite(counted))
    return { version: 1, factor, reports };
  const ratio = Math.min(MOST, Math.max(LEAST, tokens / counted));
  const weight = Math.max(WEIGHT, 1 / (reports + 1));
  return { version: 1, factor: factor + (ratio - factor) * weight, reports: reports + 1 };
}

/** What the provider is expected to report for a count of ours. */
export function calibrated(calibration: Calibration, counted: number): number {
  return Math.round(checked(calibration).factor * counted);
}

/** A calibration may come from storage. */
function checked(calibration: Calibration): Calibration {
  const { version, factor, reports } = calibration ?? {};
  const isWhole = Number.isInteger(reports) && reports >= 0;
  if (version === 1 && factor >= LEAST && factor <= MOST && isWhole) return calibration;
  const message = `calibration: found ${describe(calibration)}, expected what calibrate returned`;
  throw densifyError('invalid-options', message, { key: 'calibration' });
}
