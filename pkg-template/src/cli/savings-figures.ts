/** The cost of a session, as it was sent and with densify's defaults. */
import type { IContent } from '../base/content.js';
import { factorOf } from '../models/measured.js';
import { type ModelPrices, pricesOf, replay } from '../replay/index.js';

/** The policy that is compared with the log as it was sent: what `densify run` does without options. */
const DEFAULT = 'gateway';

/** Dollars of input, by the prices of the session's model. */
export interface Figures {
  readonly sessions: number;
  readonly requests: number;
  /** Requests after a gap in which the provider's cache had died. */
  readonly coldRequests: number;
  /** All input, as the provider reported it: messages, system prompts and tools. Only of sessions whose log says so. */
  readonly reported: number;
  /** Sessions whose log says so. */
  readonly reporting: number;
  /** What the messages cost, replayed as they were sent. */
  readonly sent: number;
  /** What they would have cost with densify's defaults, if the agent had acted the same. */
  readonly densified: number;
}

/** A session. */
export interface Session extends Figures {
  readonly agent: string;
  readonly name: string;
  readonly model: string;
  /** Whether the model isn't in the price table. */
  readonly isUnknownModel: boolean;
  /** Whether its name says that it is given away. */
  readonly isFreeModel: boolean;
}

export const NO_FIGURES: Figures = {
  ...{ sessions: 0, requests: 0, coldRequests: 0, reported: 0, reporting: 0, sent: 0, densified: 0 },
};

/** Two figures together. */
export function added(one: Figures, other: Figures): Figures {
  const keys = Object.keys(NO_FIGURES) as (keyof Figures)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as unknown as Figures;
}

/** The totals of a log; `undefined` if the model was never called in it. */
export function figuresOf(
  contents: readonly IContent[],
  given: { readonly cached: number; readonly uncached: number } | undefined,
): Omit<Session, 'agent' | 'name'> | undefined {
  const model = modelOf(contents);
  const prices = pricesOf(model);
  const bill = given ?? { cached: prices.cached, uncached: writePrice(prices, contents) };
  const report = replay(contents, { policies: [DEFAULT], prices: bill });
  if (report.requests === 0) return undefined;
  const [sent, densified] = report.policies.map(({ dollars }) => dollars * factorOf({ model }));
  const usages = contents.flatMap(({ metadata }) => usageOf(metadata?.['usage']) ?? []);
  const input = given === undefined ? prices.uncached : bill.uncached;
  const reported = usages.reduce(
    (sum, usage) =>
      sum + (usage.input * input + usage.cacheRead * bill.cached + usage.cacheWrite * bill.uncached) / 1e6,
    0,
  );
  return {
    ...{ sessions: 1, requests: report.requests, coldRequests: report.coldRequests },
    ...{ reported, reporting: usages.length > 0 ? 1 : 0, sent: sent ?? 0, densified: densified ?? 0 },
    ...{ model, isUnknownModel: given === undefined && prices.family === 'unknown' },
    isFreeModel: given === undefined && prices.family === 'free',
  };
}

/** The model that answered most often. */
function modelOf(contents: readonly IContent[]): string {
  const counts = new Map<string, number>();
  for (const { speaker, metadata } of contents) {
    const model = metadata?.['model'];
    if (speaker === 'ai' && typeof model === 'string') counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? '';
}

/** The price of a write for the longest life that the log's requests asked of the cache. */
function writePrice({ write, longCache }: ModelPrices, contents: readonly IContent[]): number {
  const isLong = ({ metadata }: IContent): boolean =>
    Number(metadata?.['cacheTtl']) >= (longCache?.cacheTtl ?? Infinity);
  return longCache !== undefined && contents.some(isLong) ? longCache.write : write;
}

interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

function usageOf(value: unknown): Usage | undefined {
  const usage = value as Partial<Usage> | null | undefined;
  const isCount = (count: unknown): count is number => typeof count === 'number';
  const { input, cacheRead, cacheWrite } = usage ?? {};
  return isCount(input) && isCount(cacheRead) && isCount(cacheWrite) ? { input, cacheRead, cacheWrite } : undefined;
}
