import type { IContent } from '../base/content.js';
import { familyOf } from '../models/profiles.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import type { ProviderName } from '../validate/api.js';
import { validate } from '../validate/index.js';
import { Meter, Scale } from './meter.js';
import { blocksOf, checkContents, read } from './odd.js';
import { readOptions } from './options.js';
import type { Scene } from './policies.js';
import { missed, type Repeat, repeatsIn } from './repeats.js';
import type { PolicyReport, Recollection, ReplayHistory, ReplayOptions, ReplayReport } from './types.js';
import { NO_RECOLLECTION, recollect, together, type Used, usedAfter } from './used.js';

/** Where it is asked what was used later, by the share of the tokens. */
const CUTS = [0.4, 0.6, 0.8];

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
  checkContents(log);
  const calls = log.flatMap((content, at) => (at > 0 && read(content, 'speaker') === 'ai' ? [at] : []));
  const scale = new Scale();
  const used = usedAt(log, calls, scale);
  const repeats = repeatsIn(log);
  const { contextLimit, prices, policies, provider = providerOf(log) } = settings;
  const wrong = faultsOf(log, provider);
  const tokens = log.reduce((sum, content) => sum + scale.of(content), 0);
  const scene: Scene = { contextLimit, prices, provider, tokens };
  const reports = policies.map(({ name, make }) => {
    const history = make(scene);
    try {
      return replayed(name, history, { log, calls, scale, used, repeats, wrong, scene });
    } finally {
      history.dispose();
    }
  });
  return { version: 1, logs: 1, requests: calls.length, contextLimit, prices, policies: reports };
}

/** What a log is asked. */
interface Course {
  readonly log: readonly IContent[];
  /** Where the model was called: before these entries of its. */
  readonly calls: readonly number[];
  readonly scale: Scale;
  readonly used: ReadonlyMap<number, Used>;
  readonly repeats: ReadonlyMap<number, readonly Repeat[]>;
  /** What is wrong with the log itself. */
  readonly wrong: ReadonlySet<string>;
  readonly scene: Scene;
}

function replayed(name: string, history: ReplayHistory, course: Course): PolicyReport {
  const { log, calls, scale, used, repeats, wrong, scene } = course;
  const meter = new Meter(scale);
  let [recollection, regret, rejected, overLimit, from] = [NO_RECOLLECTION as Recollection, 0, 0, 0, 0];
  let messages: readonly IContent[] = [];
  for (const at of calls) {
    history.add(log.slice(from, at));
    from = at;
    messages = history.messages();
    const { tokens, isBroken } = meter.request(messages);
    if (tokens > scene.contextLimit) overLimit += 1;
    regret += missed(repeats.get(at) ?? [], messages);
    const asked = used.get(at);
    if (asked !== undefined) recollection = together(recollection, recollect(asked, messages));
    // A continuation is as right as what it continues.
    const isJudged = isBroken || asked !== undefined;
    if (isJudged && [...faultsOf(messages, scene.provider)].some((fault) => !wrong.has(fault))) rejected += 1;
  }
  const { tokens, largest, cachedTokens, prefixBreaks } = meter;
  const { cached, uncached } = scene.prices;
  const dollars = (cachedTokens * cached + (tokens - cachedTokens) * uncached) / 1e6;
  const reasoningLost = calls.length === 0 ? 0 : thoughts(log.slice(0, from)) - thoughts(messages);
  return {
    ...{ policy: name, tokens, largest, cachedTokens, dollars, prefixBreaks },
    ...{ reasoningLost, regret, rejected, overLimit, recollection },
  };
}

function thoughts(messages: readonly IContent[]): number {
  return messages.flatMap((message) => blocksOf(message).filter(({ type }) => type === 'thinking')).length;
}

/** What a provider would refuse, without where. */
function faultsOf(messages: readonly IContent[], provider: ProviderName | undefined): ReadonlySet<string> {
  const { findings } = validate(messages, { format: 'densify', ...(provider && { provider }) });
  return new Set(findings.flatMap(({ code, level }) => (level === 'error' ? [code] : [])));
}

/** Whose models a log names. */
function providerOf(log: readonly IContent[]): ProviderName | undefined {
  for (const content of log) {
    const metadata = read(content, 'metadata');
    const model = typeof metadata === 'object' && metadata !== null ? read(metadata, 'model') : undefined;
    const family = typeof model === 'string' ? familyOf({ model }) : undefined;
    if (family !== undefined) return family === 'gemini' ? 'google' : family;
  }
  return undefined;
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
