/** What makes a history smaller without a model: the strategies of rules, digests, and what goes if nothing else helps. */

import type { Run } from '../core/output.js';
import type { CompressMetadata, NoopReason } from '../generated/densify.js';
import type { CompactionState, SummaryMetadata } from '../generated/summary.js';
import { readSettings } from '../optimizer/settings.js';
import type { DigestResult } from '../summary/types.js';
import { hasFirstRequest } from './first-request.js';
import { budgetNow, momentNow, type Tools } from './means.js';
import { digestOptionsOf, keepFirstOf, mayGiveUp, NEWEST, readingOf, shortest } from './options.js';
import { behind, legalRange, moved, type Range, rangeOf } from './range.js';
import type { ConversationDigestOptions, FallbackStrategy, RestoreResult } from './types.js';

/** Stands for messages that were removed because not even a digest of them fits. */
const REMOVED = '[Earlier messages were removed: they did not fit the context window.]';
const NO_STATE: CompactionState = { version: 1, lastSummary: '', readFiles: [], modifiedFiles: [] };
/** The tokens of ever shorter digests. The first one takes as many as it needs. */
const DIGESTS = [undefined, 6000, 600, 100] as const;

/** What came of the rules that ran last: for who is told of compressions. */
export type RuleReport =
  | { readonly metadata: CompressMetadata | SummaryMetadata }
  | { readonly noop: NoopReason }
  | Readonly<Record<string, never>>;

/** Makes a history smaller by rules. */
export class Rules<M> {
  readonly #tools: Tools<M>;
  #report: RuleReport = {};

  constructor(tools: Tools<M>) {
    this.#tools = tools;
  }

  /** What came of the rules since this was last asked. */
  takeReport(): RuleReport {
    const report = this.#report;
    this.#report = {};
    return report;
  }

  /** Runs the rules, for a cache that may be cold; returns whether they changed anything. */
  optimize(isCold?: boolean): boolean {
    const { history, machine } = this.#tools;
    const run = history.session.run(false, isCold);
    this.#note(run);
    machine.optimized();
    return run.flush || run.edits.some(({ pending }) => !pending);
  }

  #note(run: Run): void {
    const { tally, settings, warnings } = this.#tools;
    tally.note(run);
    warnings.foreign(run.foreign);
    if (settings.isModelUnknown && run.heldBack !== undefined) warnings.modelUnknown();
  }

  /** Runs a strategy. `pending` is what comes on top of the history, where that must fit as well. */
  compress(options: object, pending = 0): { readonly run: Run; readonly outcome: unknown } {
    const { settings, history, tally, warnings, machine } = this.#tools;
    const budget = budgetNow(this.#tools);
    const room = machine.limit > pending ? { overhead: (budget.overhead ?? 0) + pending } : {};
    const { json } = readSettings({
      preserve: settings.options.preserve,
      keepFirstRequest: keepFirstOf(settings),
      ...options,
      ...budget,
      ...room,
      threshold: machine.thresholdNow,
    });
    const compressed = history.session.compress(json);
    this.#note(compressed.run);
    if (typeof compressed.outcome === 'string') {
      this.#report = { noop: compressed.outcome as NoopReason };
      return compressed;
    }
    tally.count('compressions');
    const metadata = compressed.outcome as CompressMetadata;
    this.#report = { metadata };
    if (metadata.gaveUpFirstRequest) warnings.gaveUp('first-request');
    if (metadata.gaveUpNewestRequest) warnings.gaveUp('newest-request');
    return compressed;
  }

  /** Refuses a range that there isn't. */
  checkRange({ from, to, preserve }: ConversationDigestOptions<M>): void {
    rangeOf(from, to, preserve, this.#tools.history.messages().length);
  }

  /** Makes a digest of the range that the caller names, or of all but the tail. */
  digestOf({ from, to, ...options }: ConversationDigestOptions<M>): DigestResult<M> {
    const { history, settings, summaries } = this.#tools;
    const wanted = rangeOf(from, to, options.preserve, history.messages().length);
    if (wanted === undefined) return this.digest(options, {});
    const range = legalRange(summaries, settings, history, wanted);
    if (!('reason' in range)) return this.digest(options, {}, range);
    this.#report = { noop: range.reason };
    return { ...range, changed: false, messages: history.messages() };
  }

  /** Without a budget it is made however much room there is; without a range, of all but the tail. */
  digest(
    own: ConversationDigestOptions<M>,
    budget: { readonly contextLimit?: number },
    range?: Range,
    isWanted: (tokensAfter: number) => boolean = () => true,
  ): DigestResult<M> {
    const { summaries, settings, history, tally, cuts } = this.#tools;
    const messages = history.messages();
    const start = range?.start ?? 0;
    const tail = range === undefined ? {} : { preserve: { messages: messages.length - range.end } };
    const { result, layout, inserted, withoutRequest } = summaries.digest(
      settings.adapter,
      messages.slice(start),
      digestOptionsOf(settings, { ...own, ...tail, ...budget }, momentNow(this.#tools)),
      cuts.summarised,
    );
    if (result.kind !== 'applied' || layout === undefined || inserted === undefined) {
      if (result.kind === 'noop') this.#report = { noop: result.reason };
      return { ...result, messages };
    }
    if (!isWanted(result.tokensAfter)) return result;
    const tokensBefore = history.tokens();
    const tokensAfter = history.begin({ layout: moved(layout, start), inserted, withoutRequest, state: result.state });
    tally.count('compressions');
    // References to cut texts count as well.
    const metadata = behind(result.metadata, start, tokensBefore, tokensAfter);
    this.#report = { metadata };
    return { ...result, messages: history.messages(), tokensBefore, tokensAfter, metadata };
  }

  /** Whether a digest would make anything shorter. */
  canDigest(): boolean {
    const { summaries, settings, history } = this.#tools;
    const options = digestOptionsOf(settings, {}, momentNow(this.#tools));
    return summaries.digest(settings.adapter, history.messages(), options).result.kind === 'applied';
  }

  /** Takes the newest summary back, if a reference names it and there is room for what it stands for. */
  restore(reference: string): RestoreResult<M> {
    const { history, machine, cuts } = this.#tools;
    if (!cuts.isNamedBy(reference, history.newest)) return { kind: 'noop', reason: 'not-the-newest' };
    const tokensBefore = history.tokens();
    const [, trigger] = machine.budget();
    const tokensAfter = history.unfold((tokens) => tokens < trigger);
    if (tokensAfter === undefined) return { kind: 'noop', reason: 'no-room' };
    return { kind: 'applied', messages: history.messages(), tokensBefore, tokensAfter };
  }

  /** The start and the tokens of the newest exchange, which nothing cuts. */
  newest(): { readonly start: number; readonly tokens: number } {
    const { summaries, settings, history } = this.#tools;
    const messages = history.messages();
    // Where nothing but an earlier summary stands ahead of it, no request could be made without something to summarise.
    const behind = [settings.adapter.make('human', '-', false), ...messages];
    const request = summaries.request(settings.adapter, behind, {
      ...{ strategy: 'one-shot', preserve: NEWEST, minMessages: 1, redact: false },
      ...readingOf(settings),
    });
    const start = request.kind === 'noop' ? 0 : Math.max(0, request.plan.end - 1);
    return { start, tokens: history.tokensOf(messages.slice(start)) };
  }

  /** Makes the history fit by what it has before its newest exchange; returns whether that changed anything. */
  shorten(strategy: FallbackStrategy, room: number, pending: number): boolean {
    const { history, settings, warnings } = this.#tools;
    const before = this.#size();
    const hadFirst = hasFirstRequest(this.#tools);
    const isDone =
      strategy === 'digest'
        ? this.#digestWithin(room, shortest(settings))
        : typeof this.compress({ strategy, preserve: NEWEST }, pending).outcome !== 'string';
    const isDropped = history.tokens() > room && this.#dropAll(room);
    const isWanted = settings.options.keepFirstRequest === true;
    const gaveUpFirstRequest = hadFirst && (isDropped || (isWanted && !hasFirstRequest(this.#tools)));
    if (gaveUpFirstRequest) warnings.gaveUp('first-request');
    if (isDropped) {
      const entriesDropped = before.messages - history.messages().length + 1;
      this.#report = { metadata: this.#changed(strategy, before, room, { entriesDropped, gaveUpFirstRequest }) };
    }
    return isDropped || isDone;
  }

  /** Lets the rules shorten the newest exchange. */
  cutNewest(room: number): void {
    const before = this.#size();
    this.optimize();
    this.#report = { metadata: this.#changed('high-density', before, room, {}) };
  }

  #size(): { readonly messages: number; readonly tokens: number } {
    const { history } = this.#tools;
    return { messages: history.messages().length, tokens: history.tokens() };
  }

  /** The report on a history that became smaller by other means than a strategy's own. */
  #changed(
    strategyUsed: FallbackStrategy,
    before: { readonly messages: number; readonly tokens: number },
    targetTokens: number,
    own: Partial<CompressMetadata>,
  ): CompressMetadata {
    const { messages, tokens } = this.#size();
    return {
      ...{ originalMessageCount: before.messages, compressedMessageCount: messages, strategyUsed, llmCallMade: false },
      ...{ tokensBefore: before.tokens, tokensAfter: tokens, targetTokens, targetReached: tokens <= targetTokens },
      ...{ resultsSummarized: 0, entriesDropped: 0, tailCount: 0 },
      ...{ gaveUpFirstRequest: false, gaveUpNewestRequest: false },
      ...own,
    };
  }

  /** Makes the longest digest that leaves the history within some tokens; returns whether there is one. */
  #digestWithin(room: number, own: object): boolean {
    const { history } = this.#tools;
    for (const tokens of DIGESTS) {
      const size = tokens === undefined ? {} : { tokens };
      const result = this.digest({ ...own, ...size }, {}, undefined, (after) => after <= room);
      if (result.kind === 'applied' && result.messages === history.messages()) return true;
    }
    return false;
  }

  /** Drops all but the newest exchange, where not even the shortest digest fits. What a summary said stays known. */
  #dropAll(room: number): boolean {
    const { settings, history, tally, cuts } = this.#tools;
    const messages = history.messages();
    const { start } = this.newest();
    const may = (['first-request', 'tail'] as const).every((what) => mayGiveUp(settings, what));
    if (start === 0 || !may) return false;
    const note = REMOVED + cuts.summarised(messages.slice(0, start));
    const inserted = [settings.adapter.make('human', note, false)];
    if (history.tokensOf([...inserted, ...messages.slice(start)]) > room) return false;
    history.begin({ layout: { top: 0, moved: [], tail: start }, inserted, state: history.state ?? NO_STATE });
    tally.count('compressions');
    return true;
  }
}
