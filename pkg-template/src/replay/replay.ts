import type { IContent } from '../base/content.js';
import { familyOf } from '../models/profiles.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import type { ProviderName } from '../validate/api.js';
import { validate } from '../validate/index.js';
import { coldCalls, lifetimeIn } from './clock.js';
import { Meter, Scale } from './meter.js';
import { about, blocksOf, checkContents, read } from './odd.js';
import { readOptions } from './options.js';
import type { Scene } from './policies.js';
import { missed, type Repeat, repeatsIn } from './repeats.js';
import { addedPolicy } from './report.js';
import { segmentsOf } from './segments.js';
import type { PolicyReport, Recollection, ReplayHistory, ReplayOptions, ReplayReport } from './types.js';
import { editedAt, NO_RECOLLECTION, recollect, together, type Used, usedAfter } from './used.js';

/** The points of a log that are examined, as shares of its tokens. */
const CUTS = [0.4, 0.6, 0.8];

/**
 * Sends a log again, call by call, under each policy: its cost, and the texts that the agent used later and would
 * have missed. Nothing is sent anywhere.
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
  const { contextLimit, prices, policies, cacheTtl, lookback, provider = providerOf(log), workspaceRoot } = settings;
  const scale = new Scale();
  const lifetime = cacheTtl ?? lifetimeIn(log);
  const courses = segmentsOf(log).map((segment): Course => {
    const { entries, given } = segment;
    const calls = entries.flatMap((entry, at) =>
      at >= Math.max(1, given) && read(entry, 'speaker') === 'ai' ? [at] : [],
    );
    const tokens = entries.reduce((sum, entry) => sum + scale.of(entry), 0);
    return {
      ...{
        log: entries,
        calls,
        scale,
        lookback,
        bills: [],
        scene: { contextLimit, prices, cacheTtl: lifetime, lookback, provider, tokens, workspaceRoot },
      },
      ...{ cold: coldCalls(entries, calls, cacheTtl), used: usedAt(entries, calls, scale) },
      ...{ repeats: repeatsIn(entries), wrong: faultsOf(entries, provider) },
    };
  });
  const reports = policies.map(({ name, make }) => {
    const [first, ...others] = courses.map((course) => {
      const history = make(course.scene);
      try {
        return replayed(name, history, course);
      } finally {
        history.dispose();
      }
    });
    return others.reduce(addedPolicy, first!);
  });
  const sum = (count: (course: Course) => number): number => courses.reduce((all, course) => all + count(course), 0);
  const [requests, coldRequests] = [sum(({ calls }) => calls.length), sum(({ cold }) => cold.size)];
  return { version: 1, logs: 1, requests, coldRequests, contextLimit, prices, policies: reports };
}

/** What a log, or a segment of it between two compactions, is asked. */
interface Course {
  readonly log: readonly IContent[];
  /** Where the model was called: before these entries of its. */
  readonly calls: readonly number[];
  /** Those of them that met a cold cache. */
  readonly cold: ReadonlySet<number>;
  readonly scale: Scale;
  readonly lookback: number;
  /** Of each call the dollars so far without edits, once they are known. */
  readonly bills: number[];
  readonly used: ReadonlyMap<number, Used>;
  readonly repeats: ReadonlyMap<number, readonly Repeat[]>;
  /** What is wrong with the log itself. */
  readonly wrong: ReadonlySet<string>;
  readonly scene: Scene;
}

function replayed(name: string, history: ReplayHistory, course: Course): PolicyReport {
  const { log, calls, cold, scale, lookback, bills, used, repeats, wrong, scene } = course;
  const meter = new Meter(scale, lookback);
  let [recollection, regret, rejected, overLimit, from] = [NO_RECOLLECTION as Recollection, 0, 0, 0, 0];
  let worst = 0;
  let messages: readonly IContent[] = [];
  for (const [nth, at] of calls.entries()) {
    history.add(log.slice(from, at));
    from = at;
    const isCold = cold.has(at);
    messages = history.messages({ cold: isCold });
    const { tokens, isBroken } = meter.request(messages, isCold, history.anchor?.());
    // The log as it was sent is the first policy.
    const unedited = (bills[nth] ??= dollarsOf(meter, scene));
    worst = Math.max(worst, unedited === 0 ? 1 : dollarsOf(meter, scene) / unedited);
    if (tokens > scene.contextLimit) overLimit += 1;
    regret += missed(repeats.get(at) ?? [], messages);
    const asked = used.get(at);
    if (asked !== undefined) recollection = together(recollection, recollect(asked, messages));
    // A continuation is as right as what it continues.
    const isJudged = isBroken || asked !== undefined;
    if (isJudged && [...faultsOf(messages, scene.provider)].some((fault) => !wrong.has(fault))) rejected += 1;
  }
  const { tokens, largest, cachedTokens, prefixBreaks } = meter;
  const dollars = dollarsOf(meter, scene);
  const reasoningLost = calls.length === 0 ? 0 : thoughts(log.slice(0, from)) - thoughts(messages);
  return {
    ...{ policy: name, tokens, largest, cachedTokens, dollars, worst, prefixBreaks },
    ...{ reasoningLost, regret, rejected, overLimit, recollection },
  };
}

function dollarsOf({ tokens, cachedTokens }: Meter, { prices: { cached, uncached } }: Scene): number {
  return (cachedTokens * cached + (tokens - cachedTokens) * uncached) / 1e6;
}

function thoughts(messages: readonly IContent[]): number {
  return messages.flatMap((message) => blocksOf(message).filter(({ type }) => type === 'thinking')).length;
}

/** The codes of the faults for which a provider would refuse a request. */
function faultsOf(messages: readonly IContent[], provider: ProviderName | undefined): ReadonlySet<string> {
  const { findings } = validate(messages, { format: 'densify', ...(provider && { provider }) });
  return new Set(findings.flatMap(({ code, level }) => (level === 'error' ? [code] : [])));
}

/** Whose models a log names. */
function providerOf(log: readonly IContent[]): ProviderName | undefined {
  for (const content of log) {
    const model = about(content, 'model');
    const family = typeof model === 'string' ? familyOf({ model }) : undefined;
    if (family !== undefined) return family === 'gemini' ? 'google' : family;
  }
  return undefined;
}

/**
 * The texts used after each examined point. If no later edit names a line of before, each edit is asked for the lines
 * that it names.
 */
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
  // Agents that read a file again right before each edit need nothing of what stood before the cuts.
  const isAsked = [...used.values()].some(({ editedLines }) => editedLines.size > 0);
  for (const at of isAsked ? [] : calls) {
    const edited = editedAt(log, at);
    if (edited !== undefined) used.set(at, { ...(used.get(at) ?? edited), editedLines: edited.editedLines });
  }
  return used;
}
