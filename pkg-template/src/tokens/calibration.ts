import { describe, optionError, shownKey, wrongArgument } from '../base/options.js';
import { checkNumber } from './options.js';

/** The learned ratio between a provider's counts and densify's: plain JSON, which you keep between runs. */
export interface Calibration {
  readonly version: 1;
  /** Multiply densify's count by it to get the count that the provider is expected to report. */
  readonly factor: number;
  /** How many reports it rests on. */
  readonly reports: number;
  /** The earlier report that the next one is compared with, if that has no `overhead`. */
  readonly last?: Counted | undefined;
}

/** A prompt's tokens, by densify's count and by the provider's. */
interface Counted {
  readonly counted: number;
  readonly tokens: number;
}

/** A provider's report on a request. */
export interface UsageReport {
  /** The tokens of its messages, by densify's count. */
  readonly counted: number;
  /**
   * The tokens of all else in it (system prompt, tools), as they were counted here; 0 if `counted` has them. Left out, only what
   * came on top since the last report is looked at: what every request holds is the same in both.
   *
   * @default none
   */
  readonly overhead?: number | undefined;
  /** The provider's `usage`, in the form of any SDK, also as the whole response. */
  readonly usage: unknown;
}

/** The factor stays within these. */
const LEAST = 0.5;
const MOST = 2;
/**
 * A report above this multiple of densify's count is nonsense; less than `LEAST` of it is cached tokens that were
 * left out.
 */
const NONSENSE = 4;
/** A new report weighs at least so much, so that a change of model is followed. */
const WEIGHT = 0.2;
/** Below this number of tokens, a report shows mostly the tokens that providers add to requests and messages. */
const TELLING = 200;

/** What is before the first word of a request. */
const NOTHING: Counted = { counted: 0, tokens: 0 };

/** Nothing learned yet. */
export const uncalibrated: Calibration = { version: 1, factor: 1, reports: 0 };

/** A report's numbers; those of an object within it by both names. */
type Numbers = Readonly<Record<string, number | undefined>>;

/** What a report may mean, the likelier reading first. */
type Readings = readonly number[] | undefined;

/** The fields of a provider's report of usage that say how long the prompt was. */
const READERS: readonly ((usage: Numbers) => Readings)[] = [
  // Anthropic: what was read from the cache and written to it comes on top.
  (usage) => {
    const { cache_creation_input_tokens: written = writtenFor(usage), cache_read_input_tokens: read } = usage;
    if (written === undefined && read === undefined) return undefined;
    return [(usage['input_tokens'] ?? 0) + (written ?? 0) + (read ?? 0)];
  },
  // Amazon Bedrock: the same.
  ({ inputTokens: input, cacheReadInputTokens: read, cacheWriteInputTokens: written }) =>
    read === undefined && written === undefined ? undefined : [(input ?? 0) + (read ?? 0) + (written ?? 0)],
  // The AI SDK includes cached tokens from major 6 on, which has details; major 5 leaves out Anthropic's.
  ({ inputTokens: input, cachedInputTokens: cached, 'inputTokenDetails.*': details }) => {
    if (input === undefined || cached === undefined || details !== undefined) return undefined;
    return input < cached ? [input + cached] : [input, input + cached];
  },
  // OpenAI (both interfaces), Gemini, the AI SDK, LangChain: cached tokens are included.
  ...[
    ...['prompt_tokens', 'promptTokenCount', 'prompt_token_count', 'inputTokens', 'inputTokens.total', 'promptTokens'],
    'input_tokens',
  ].map((key) => (usage: Numbers) => (usage[key] === undefined ? undefined : [usage[key]])),
  // pi and opencode: as Anthropic has it.
  ({ input, cacheRead, cacheWrite, 'cache.read': read, 'cache.write': write }) =>
    input === undefined ? undefined : [input + (cacheRead ?? read ?? 0) + (cacheWrite ?? write ?? 0)],
];

/** Tokens written to the cache, if Anthropic reports them by lifetime only. */
function writtenFor(usage: Numbers): number | undefined {
  const short = usage['cache_creation.ephemeral_5m_input_tokens'];
  const long = usage['cache_creation.ephemeral_1h_input_tokens'];
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
}

/** Where whole responses have their usage. */
const WITHIN = ['usage', 'usageMetadata', 'usage_metadata'];

function readingsOf(usage: unknown): readonly number[] {
  for (const numbers of [usage, ...WITHIN.map((key) => memberOf(usage, key))].map(numbersOf)) {
    for (const read of READERS) {
      const found = read(numbers);
      if (found !== undefined && found[0]! > 0) return found;
    }
  }
  return [];
}

function memberOf(response: unknown, key: string): unknown {
  try {
    return (response as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined; // as in `numbersOf`
  }
}

/** A report comes from a server: odd content in it is never an error. */
function numbersOf(usage: unknown): Numbers {
  const numbers: Record<string, number | undefined> = {};
  const take = (key: string, value: unknown): void => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) numbers[key] = value;
  };
  try {
    for (const [key, value] of entriesOf(usage)) {
      take(key, value);
      for (const [inner, member] of entriesOf(value)) {
        take(`${key}.${inner}`, member);
        take(`${key}.*`, member);
      }
    }
  } catch {
    // An accessor that throws says nothing.
  }
  return numbers;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/**
 * The tokens of the prompt in a provider's report of usage, those in the cache included; `undefined` if the report
 * doesn't state them. The tokens that Gemini adds for its own tools (`toolUsePromptTokenCount`) don't count as the
 * prompt's.
 *
 * @example
 * promptTokens({ input_tokens: 12, cache_read_input_tokens: 8000, cache_creation_input_tokens: 0 }); // 8012
 */
export function promptTokens(usage: unknown): number | undefined {
  return readingsOf(usage)[0];
}

/**
 * Learns from a provider's report on a prompt that densify counted. Pure: the result is new.
 *
 * These reports change nothing: short prompts, missing numbers, a first report without a known `overhead`, and more than
 * four times or less than half of the count. More than double counts as double. If a report has two readings, the one
 * nearer to the count is used. The first report counts fully, the first five by their mean, later ones by a fifth.
 *
 * @example
 * calibration = calibrate(calibration, { counted: estimateTokens(messages), usage: response.usage });
 * const expected = calibrated(calibration, estimateTokens(messages));
 */
export function calibrate(calibration: Calibration, report: UsageReport): Calibration {
  const { factor, reports, last } = checkCalibration(calibration);
  const given: unknown = report;
  if (typeof given !== 'object' || given === null) {
    throw wrongArgument('report', given, '{counted, usage}: what was counted here and what the provider said');
  }
  const counted = checkNumber('counted', report.counted, 0);
  const overhead = report.overhead === undefined ? undefined : checkNumber('overhead', report.overhead, 0);
  checkUsage(report.usage);
  const readings = readingsOf(report.usage);
  const isWhole = overhead !== undefined;
  const ratio = isWhole ? ratioSince(NOTHING, counted + overhead, readings) : ratioSince(last, counted, readings);
  const next = isWhole ? undefined : lastOf(last, counted, readings[0], ratio);
  const known = next === undefined ? {} : { last: next };
  if (ratio === undefined || ratio < LEAST || ratio > NONSENSE) return { version: 1, factor, reports, ...known };
  const weight = Math.max(WEIGHT, 1 / (reports + 1));
  return { version: 1, factor: factor + (Math.min(MOST, ratio) - factor) * weight, reports: reports + 1, ...known };
}

/** What stands in some report of usage, or in a response that has one. */
const TELLING_KEYS = /^(?:input|output)$|token|usage|cache|total|error/i;

/** A report that says nothing is none the worse, but it must be one: else nothing would ever be learned, without a word. */
function checkUsage(usage: unknown): void {
  if (usage === undefined || usage === null) return;
  const keys = typeof usage === 'object' && !Array.isArray(usage) ? Object.keys(usage) : undefined;
  if (keys?.length === 0 || keys?.some((key) => TELLING_KEYS.test(key)) === true) return;
  const found = keys === undefined ? describe(usage) : `an object with ${keys.slice(0, 8).map(shownKey).join(', ')}`;
  const expected =
    "the provider's usage (input_tokens, prompt_tokens, inputTokens or promptTokenCount), or a response that holds it";
  throw optionError('usage', `: found ${found}, expected ${expected}`);
}

/** The reported change since an earlier report, divided by densify's count of that change. */
function ratioSince(earlier: Counted | undefined, counted: number, readings: readonly number[]): number | undefined {
  if (earlier === undefined) return undefined;
  const growth = counted - earlier.counted;
  const isTelling = Math.abs(growth) >= TELLING && Number.isFinite(growth);
  return isTelling ? nearestToOne(readings.map((tokens) => (tokens - earlier.tokens) / growth)) : undefined;
}

/** What the next report is held against: this one, unless it came too soon to tell anything. */
function lastOf(
  last: Counted | undefined,
  counted: number,
  tokens: number | undefined,
  ratio: number | undefined,
): Counted | undefined {
  const isCount = Number.isFinite(counted) && counted >= 0 && tokens !== undefined && tokens <= Number.MAX_SAFE_INTEGER;
  return isCount && (last === undefined || ratio !== undefined) ? { counted, tokens } : last;
}

function nearestToOne(ratios: readonly number[]): number | undefined {
  const [first, second] = ratios;
  if (first === undefined || second === undefined) return first;
  if (first <= 0 || second <= 0) return Math.max(first, second);
  return Math.abs(Math.log(second)) < Math.abs(Math.log(first)) ? second : first;
}

/** The count that the provider is expected to report for a count of densify's. */
export function calibrated(calibration: Calibration, counted: number): number {
  return Math.round(checkCalibration(calibration).factor * counted);
}

/** A calibration may come from storage. @internal */
export function checkCalibration(calibration: Calibration): Calibration {
  const { version, factor, reports, last } = calibration ?? {};
  const isWhole = Number.isInteger(reports) && reports >= 0;
  const isLast = last === undefined || (last?.counted >= 0 && last?.tokens >= 0);
  if (version === 1 && factor >= LEAST && factor <= MOST && isWhole && isLast) return calibration;
  throw wrongArgument('calibration', calibration, 'what calibrate returned');
}
