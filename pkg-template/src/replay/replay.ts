import type { IContent } from '../content.js';
import { densifyError } from '../errors.js';
import { checkList, listFrom } from '../optimizer.js';
import { describe, onlyKnown } from '../settings.js';
import { validate } from '../validate/index.js';
import { Meter, Scale } from './meter.js';
import { POLICIES, POLICY_NAMES } from './policies.js';
import { strings } from './texts.js';
import type {
  Policy,
  PolicyReport,
  Recollection,
  ReplayOptions,
  ReplayPolicyName,
  ReplayPrices,
  ReplayReport,
} from './types.js';
import { NO_RECOLLECTION, recollect, together, type Used, usedAfter } from './used.js';

const LIMIT = 200_000;
const PRICES: ReplayPrices = { cached: 0.3, uncached: 3.75 };
/** Where it is asked what was used later, by the share of the tokens. */
const CUTS = [0.4, 0.6, 0.8];
const KEYS = ['policies', 'contextLimit', 'prices'];

interface Settings {
  readonly policies: readonly ReplayPolicyName[];
  readonly contextLimit: number;
  readonly prices: ReplayPrices;
}

/**
 * Sends a log again, call by call, under each policy: what it would have cost, and what the model would no longer have
 * seen of what the agent used later. Nothing is sent anywhere.
 *
 * @example
 * const { contents } = readTranscript(await file.text());
 * console.log(replayTable(replay(contents)));
 */
export function replay(contents: readonly IContent[], options?: ReplayOptions): ReplayReport {
  checkList(contents);
  const settings = readOptions(options);
  const log = listFrom(contents, 0);
  const calls = log.flatMap(({ speaker }, at) => (speaker === 'ai' && at > 0 ? [at] : []));
  const scale = new Scale();
  const used = usedAt(log, calls, scale);
  const wrong = faultsOf(log);
  const policies = settings.policies.map((name) => {
    const policy = POLICIES[name](settings.contextLimit);
    try {
      return replayed(name, policy, { log, calls, scale, used, wrong, settings });
    } finally {
      policy.dispose();
    }
  });
  const { contextLimit, prices } = settings;
  return { version: 1, logs: 1, requests: calls.length, contextLimit, prices, policies };
}

/** What a log is asked. */
interface Course {
  readonly log: readonly IContent[];
  /** Where the model was called: before these entries of its. */
  readonly calls: readonly number[];
  readonly scale: Scale;
  readonly used: ReadonlyMap<number, Used>;
  /** What is wrong with the log itself. */
  readonly wrong: ReadonlySet<string>;
  readonly settings: Settings;
}

function replayed(name: ReplayPolicyName, policy: Policy, course: Course): PolicyReport {
  const { log, calls, scale, used, wrong, settings } = course;
  const meter = new Meter(scale);
  const results = new Results();
  let [recollection, regret, rejected, overLimit, from] = [NO_RECOLLECTION as Recollection, 0, 0, 0, 0];
  let messages: readonly IContent[] = [];
  for (const at of calls) {
    const news = log.slice(from, at);
    policy.add(news);
    for (const content of news) results.note(content);
    from = at;
    messages = policy.messages();
    const { tokens, isBroken } = meter.request(messages);
    if (tokens > settings.contextLimit) overLimit += 1;
    regret += results.missedBy(log[at]!, messages);
    const asked = used.get(at);
    if (asked !== undefined) recollection = together(recollection, recollect(asked, messages));
    // A continuation is as right as what it continues.
    const isJudged = isBroken || asked !== undefined;
    if (isJudged && [...faultsOf(messages)].some((fault) => !wrong.has(fault))) rejected += 1;
  }
  const { tokens, largest, cachedTokens, prefixBreaks } = meter;
  const { cached, uncached } = settings.prices;
  const dollars = (cachedTokens * cached + (tokens - cachedTokens) * uncached) / 1e6;
  const reasoningLost = calls.length === 0 ? 0 : thoughts(log.slice(0, from)) - thoughts(messages);
  return {
    ...{ policy: name, tokens, largest, cachedTokens, dollars, prefixBreaks },
    ...{ reasoningLost, regret, rejected, overLimit, recollection },
  };
}

/** Results by the calls that they answer. */
class Results {
  readonly #calls = new Map<string, string>();
  /** What each call gave. */
  readonly #given = new Map<string, unknown>();
  /** The newest result of each call, by what was called. */
  readonly #newest = new Map<string, string>();

  note({ blocks }: IContent): void {
    for (const block of blocks) {
      if (block.type === 'tool_call') this.#calls.set(block.id, keyOf(block.name, block.parameters));
      if (block.type !== 'tool_response') continue;
      this.#given.set(block.callId, block.result);
      const key = this.#calls.get(block.callId);
      if (key !== undefined) this.#newest.set(key, block.callId);
    }
  }

  /** How many calls of a message were made before, with results that a request no longer holds. */
  missedBy({ blocks }: IContent, messages: readonly IContent[]): number {
    const again = blocks.flatMap((block) => {
      const before = block.type === 'tool_call' ? this.#newest.get(keyOf(block.name, block.parameters)) : undefined;
      return before === undefined ? [] : [before];
    });
    if (again.length === 0) return 0;
    const held = new Set<string>();
    for (const message of messages) {
      for (const block of message.blocks) {
        if (block.type !== 'tool_response') continue;
        // A result that the log has like this is no cut.
        const isCut = block.result !== this.#given.get(block.callId) && isPointer(block.result);
        if (!isCut) held.add(block.callId);
      }
    }
    return again.filter((id) => !held.has(id)).length;
  }
}

/** What stands alone where a result, or all lines of it, went: the core's pointers and those of intake. */
const POINTER = /^(?:\[(?:… .*|Result pruned.*|.* — .*)\]|… \(.*\))$/;

/** Whether a result is no more than a word on one that went. */
function isPointer(result: unknown): boolean {
  const lines = [...strings(result)].flatMap((text) => text.trim().split('\n'));
  return lines.every((line) => POINTER.test(line));
}

function keyOf(name: string, parameters: unknown): string {
  try {
    return `${name} ${JSON.stringify(parameters)}`;
  } catch {
    return name;
  }
}

function thoughts(messages: readonly IContent[]): number {
  return messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'thinking')).length;
}

/** What a provider would refuse, without where. */
function faultsOf(messages: readonly IContent[]): ReadonlySet<string> {
  const { findings } = validate(messages, { format: 'densify' });
  return new Set(findings.flatMap(({ code, level }) => (level === 'error' ? [code] : [])));
}

/** What was used after the calls that lie at some shares of the tokens. */
function usedAt(log: readonly IContent[], calls: readonly number[], scale: Scale): Map<number, Used> {
  const total = log.reduce((sum, content) => sum + scale.of(content), 0);
  const used = new Map<number, Used>();
  let [sum, from] = [0, 0];
  const wanted = CUTS.map((share) => share * total);
  for (const at of calls) {
    for (; from < at; from += 1) sum += scale.of(log[from]!);
    if (wanted.length === 0 || sum < wanted[0]!) continue;
    while (wanted.length > 0 && sum >= wanted[0]!) wanted.shift();
    used.set(at, usedAfter(log, at));
  }
  return used;
}

function readOptions(options: ReplayOptions | undefined): Settings {
  const given: unknown = options ?? {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong('options', given, 'an object');
  onlyKnown(given, KEYS);
  const { policies = POLICY_NAMES, contextLimit = LIMIT, prices = PRICES } = given as ReplayOptions;
  if (!Array.isArray(policies)) throw wrong('policies', policies, 'a list of names');
  for (const name of policies as readonly unknown[]) {
    const isKnown = (POLICY_NAMES as readonly unknown[]).includes(name);
    if (!isKnown) throw wrong('policies', name, `one of ${POLICY_NAMES.join(', ')}`);
  }
  if (!(Number.isInteger(contextLimit) && contextLimit > 0)) {
    throw wrong('contextLimit', contextLimit, 'a whole number above 0');
  }
  for (const key of ['cached', 'uncached'] as const) {
    const price: unknown = (prices as Partial<ReplayPrices> | null)?.[key];
    if (!(typeof price === 'number' && price >= 0 && price < Infinity)) {
      throw wrong(`prices.${key}`, price, 'a number of at least 0');
    }
  }
  return { policies: POLICY_NAMES.filter((name) => name === 'none' || policies.includes(name)), contextLimit, prices };
}

function wrong(key: string, found: unknown, expected: string): Error {
  return densifyError('invalid-options', `option ${key}: found ${describe(found)}, expected ${expected}`, { key });
}
