import {
  checkOptions,
  isObject,
  needObject,
  needOption,
  onlyKnown,
  readOption,
  refuse,
  WINDOW,
  wrongArgument,
  wrongOption,
} from '../base/options.js';
import { demandsOfAll } from '../core/capabilities.js';
import { conversationKeys, defaultStrategy, intakeKeys, summaryKeys } from '../generated/constants.js';
import type { StrategyName } from '../generated/densify.js';
import type { GiveUp } from '../generated/summary.js';
import type { Adapter } from '../messages/adapter.js';
import { type CoreOptions, readCacheSettings } from '../optimizer/cache.js';
import { CLOCK, type Clock, clockOf } from '../optimizer/clock.js';
import { BESIDE_CONVERSATION, IN_RULES, OF_CONVERSATIONS, OF_OPTIMIZE } from '../optimizer/elsewhere.js';
import { readSettings } from '../optimizer/settings.js';
import { checkRecall } from '../recall/note.js';
import type { Redact } from '../summary/redaction.js';
import type { DigestOptions, SummaryOptions } from '../summary/types.js';
import type { Calibration } from '../tokens/calibration.js';
import type { Callbacks, OptimizeOptions } from '../types.js';
import { factorOfOptions, inTokensOfOurs } from './calibrated.js';
import { HOOK_NAMES } from './hooks.js';
import { GIVEN_UP } from './machine.js';
import type {
  BeforeSendOptions,
  ConversationDigestOptions,
  ConversationOptions,
  ConversationSummarizeOptions,
  ConversationSummaryOptions,
} from './types.js';

/** The options of a conversation with every group taken apart. */
export interface FlatOptions<M>
  extends Omit<ConversationOptions<M>, 'optimize' | 'strategy' | 'summary'>,
    Pick<Callbacks<M>, 'protect' | 'isFailure'>,
    Pick<OptimizeOptions<M>, 'workspaceRoot' | 'tools'>,
    Pick<ConversationSummaryOptions<M>, (typeof OF_MACHINES)[number] | (typeof OURS)[number]> {
  readonly strategy: StrategyName;
  /** What the rules read. */
  readonly rules: object;
  /** What summaries read. */
  readonly summary: Omit<ConversationSummaryOptions<M>, (typeof OF_MACHINES)[number] | (typeof OURS)[number]>;
}

/** Options of `summary` that the machine reads. */
const OF_MACHINES = ['softThreshold', 'giveUp', 'maxFailures'] as const;
/** Options of `summary` that never reach the core. */
const OURS = ['redact', 'prompts', 'isUser'] as const;

/** A conversation's options, read. */
export interface ConversationSettings<M> {
  readonly adapter: Adapter<M>;
  /** The options with sizes as the provider counts them. */
  readonly given: ConversationOptions<M>;
  /** The provider's token count, divided by densify's. */
  readonly factor: number;
  /** What the machine reads, as JSON. */
  readonly machine: string;
  /** The same with sizes as they were given. */
  readonly machineAsGiven: string;
  /** What the optimizer reads. */
  readonly optimizer: CoreOptions;
  /** The time of requests. */
  readonly clock: Clock | undefined;
  /** What shrinking results reads, as JSON; nothing if they aren't to be shrunk. */
  readonly intake: string | undefined;
  readonly callbacks: Callbacks<M>;
  /** Whether edits wait for no flush, but for what an unknown model may demand. */
  readonly isModelUnknown: boolean;
  /** Settings of every compression and summary, apart from those of a single call. */
  readonly budget: { readonly contextLimit: number; readonly reserve?: number; readonly overhead?: number };
  readonly options: FlatOptions<M>;
}

/** What a hook sees of a request beside the messages, in the provider's tokens; what it does not see is missing. */
export interface SeenSizes {
  /** The system prompt, the tools, and what the provider adds. */
  readonly overhead?: number | undefined;
  /** The most that the answer may have. */
  readonly reserve?: number | undefined;
}

/** The largest share of the window that stays free for an answer, unless the caller sets `reserve`. */
const ANSWER_AT_MOST = 0.5;

/** Adds the sizes that a hook saw in its request to the options. */
export function sizedBy<M>(given: ConversationOptions<M>, { overhead, reserve }: SeenSizes): ConversationOptions<M> {
  const most = Math.floor(ANSWER_AT_MOST * given.contextLimit);
  return {
    ...given,
    ...(given.overhead === undefined && overhead !== undefined && { overhead }),
    ...(given.reserve === undefined && reserve !== undefined && { reserve: Math.min(reserve, most) }),
  };
}

/** Reads the options of a conversation, for a provider that counts as was learned. */
export function readConversation<M>(
  adapter: Adapter<M>,
  options: ConversationOptions<M>,
  calibration?: Calibration,
): ConversationSettings<M> {
  const given = checked(adapter, options);
  const machineAsGiven = machineOf(flat(given));
  const factor = factorOfOptions(adapter, given, calibration);
  const own = flat(inTokensOfOurs(given, factor));
  const { workspaceRoot, tools, contextLimit, reserve, overhead, protect, isFailure, countTokens } = own;
  const { callbacks } = readSettings<M>({ protect, isFailure, countTokens });
  const rules = { ...own.rules, workspaceRoot, tools };
  const { core: optimizer } = readCacheSettings(rules, adapter, { ours: [CLOCK] });
  const clock = clockOf(own.rules, Date.now);
  const budget = {
    contextLimit,
    ...(reserve === undefined ? {} : { reserve }),
    ...(overhead === undefined ? {} : { overhead }),
  };
  checkRecall(own.recall);
  checkHooks(own.hooks);
  const intake = intakeSettings(own);
  const isModelUnknown = demandsOfAll(adapter.capabilities);
  const read = { machine: machineOf(own), machineAsGiven, optimizer, clock, intake, callbacks, isModelUnknown, budget };
  return { adapter, given, factor, ...read, options: own };
}

/** The options after changes: those that are not named stay, also within `optimize` and `summary`. */
export function reconfigured<M>(
  options: ConversationOptions<M>,
  changes: Partial<ConversationOptions<M>>,
): ConversationOptions<M> {
  const group = <K extends 'optimize' | 'summary'>(key: K) =>
    isObject(options[key]) && isObject(changes[key]) ? { [key]: { ...options[key], ...changes[key] } } : {};
  return { ...options, ...changes, ...group('optimize'), ...group('summary') };
}

/**
 * A copy of the options, each read once, so that later changes by the caller have no effect. Refuses options that no
 * conversation has, and those that are in the wrong place.
 */
function checked<M>(adapter: Adapter<M>, given: ConversationOptions<M>): ConversationOptions<M> {
  readSettings<M>(given, {
    core: [],
    ours: OF_CONVERSATIONS,
    taken: adapter.options,
    functions: ['countTokens'],
    elsewhere: BESIDE_CONVERSATION,
    more: "; set options of rules in 'optimize', and those of summaries in 'summary'",
  });
  needOption(given, 'contextLimit', WINDOW);
  for (const key of ['optimize', 'summary'] as const) {
    const part = readOption(given, key);
    if (part !== undefined) needObject(part, key);
  }
  const own = copied(given);
  const { optimize, summary, strategy = defaultStrategy } = own;
  onlyKnown(optimize, OF_OPTIMIZE, { within: 'optimize', elsewhere: [IN_RULES, OF_ALL] });
  if (strategy !== 'auto')
    refuse(
      summary,
      ['strategy'],
      "a conversation's strategy is its own option 'strategy'; set it there, or use strategy 'auto'",
    );
  const ofSummaries = ['strategy', ...summaryKeys.filter((key) => !NOT_OF_SUMMARIES.includes(key))];
  onlyKnown(summary, [...ofSummaries, ...OF_MACHINES, ...OURS], { within: 'summary', elsewhere: [OF_ALL] });
  return {
    ...own,
    ...(optimize === undefined ? {} : { optimize: copied(optimize, 'optimize.') }),
    ...(summary === undefined ? {} : { summary: copied(summary, 'summary.') }),
  };
}

/** A copy of the options. Each is read once. */
function copied<T extends object>(options: T, path = ''): T {
  return Object.fromEntries(Object.keys(options).map((key) => [key, readOption(options, key, path + key)])) as T;
}

/** Options of summaries that a conversation sets itself. */
const NOT_OF_SUMMARIES = [...OF_CONVERSATIONS, 'minMessages', 'state', 'tools', 'workspaceRoot'];
const OF_ALL = [OF_CONVERSATIONS, 'pass it to createConversation'] as const;

/** Takes the groups apart, which `checked` has read. */
function flat<M>({ optimize, summary, strategy = defaultStrategy, ...rest }: ConversationOptions<M>): FlatOptions<M> {
  const { protect, isFailure, workspaceRoot, tools, ...rules } = optimize ?? {};
  const { softThreshold, giveUp, maxFailures, redact, prompts, isUser, ...own } = summary ?? {};
  const ofOptimize = { protect, isFailure, workspaceRoot, tools };
  const ofSummary = { softThreshold, giveUp, maxFailures, redact, prompts, isUser };
  return { ...rest, strategy, ...ofOptimize, ...ofSummary, rules, summary: own };
}

/** What the machine reads. */
function machineOf<M>(options: FlatOptions<M>): string {
  const read = conversationKeys.map((key) => [key, (options as unknown as Record<string, unknown>)[key]]);
  return readSettings(Object.fromEntries(read)).json;
}

function checkHooks(hooks: unknown): void {
  if (hooks === undefined) return;
  needObject(hooks, 'hooks');
  onlyKnown(hooks, HOOK_NAMES, { within: 'hooks' });
  for (const name of HOOK_NAMES) {
    const hook: unknown = (hooks as Readonly<Record<string, unknown>>)[name];
    if (hook === undefined || typeof hook === 'function') continue;
    const key = `hooks.${name}`;
    throw wrongOption(key, hook, 'a function');
  }
}

function intakeSettings<M>({ intake, strategy, tools }: FlatOptions<M>): string | undefined {
  const given: unknown = intake ?? strategy === 'auto';
  if (given === false) return undefined;
  if (given === true) return readSettings({ tools }).json;
  if (!isObject(given)) {
    throw wrongOption('intake', given, 'true, false or an object');
  }
  onlyKnown(given, intakeKeys, { within: 'intake' });
  return readSettings({ ...given, tools }).json;
}

/** Settings of a summary that may change with each call. */
export interface Moment<M> {
  readonly threshold: number;
  readonly state: SummaryOptions<M>['state'];
  readonly redact: Redact;
}

/** The options of a conversation's summaries. */
export function summaryOptionsOf<M>(
  { budget, options }: ConversationSettings<M>,
  moment: Moment<M> & { readonly todos: SummaryOptions['todos'] },
): SummaryOptions<M> {
  const { strategy, summary, workspaceRoot, tools, preserve, prompts, provider, model } = options;
  const { countTokens, isUser, isFailure, keepFirstRequest } = options;
  const asks = strategy === 'one-shot' || strategy === 'structured' ? strategy : 'middle-out';
  return {
    ...summary,
    strategy: (strategy === 'auto' ? summary.strategy : undefined) ?? asks,
    ...budget,
    ...moment,
    ...{ workspaceRoot, tools, preserve, keepFirstRequest, prompts, provider, model, countTokens, isUser, isFailure },
  };
}

/** The options that decide how a history is read. */
export function readingOf<M>({
  options,
}: ConversationSettings<M>): Pick<SummaryOptions<M>, 'workspaceRoot' | 'tools' | 'isUser' | 'isFailure'> {
  const { workspaceRoot, tools, isUser, isFailure } = options;
  return { workspaceRoot, tools, isUser, isFailure };
}

/** The tail that is kept once all else was given up: the newest exchange. */
export const NEWEST = { messages: 1 };

/** Whether a conversation may give something up. */
export function mayGiveUp<M>({ options: { giveUp } }: ConversationSettings<M>, what: GiveUp): boolean {
  return giveUp === undefined || giveUp.includes(what);
}

/** The content that a strategy could give up, but that this conversation must keep. */
export function keptBy<M>(settings: ConversationSettings<M>): readonly GiveUp[] {
  return Object.values(GIVEN_UP).filter((what) => !mayGiveUp(settings, what));
}

/** Whether compressions keep the first request. */
export function keepFirstOf<M>(settings: ConversationSettings<M>): boolean | 'always' | undefined {
  const { keepFirstRequest } = settings.options;
  return mayGiveUp(settings, 'first-request') || keepFirstRequest === false ? keepFirstRequest : 'always';
}

/** The settings of a summary or digest that gives something up. */
export function givingUp<M>(
  settings: ConversationSettings<M>,
  what: GiveUp,
): Pick<SummaryOptions<M>, 'keepFirstRequest' | 'minMessages' | 'preserve' | 'strategy'> {
  const { strategy } = settings.options;
  return {
    strategy: strategy === 'structured' ? strategy : 'one-shot',
    keepFirstRequest: what === 'top' || keepFirstOf(settings) === 'always',
    minMessages: 1,
    ...(what === 'tail' ? { preserve: NEWEST } : {}),
  };
}

/** What the last digest is made with: all goes but the newest exchange, or the tail if that is to stay. */
export function shortest<M>(settings: ConversationSettings<M>): Omit<ReturnType<typeof givingUp<M>>, 'strategy'> {
  const { strategy: _, ...own } = givingUp(settings, mayGiveUp(settings, 'tail') ? 'tail' : 'model');
  return own;
}

/** What digests of a conversation are made with; `own` is what the caller asks for this time. */
export function digestOptionsOf<M>(
  { options }: ConversationSettings<M>,
  own: ConversationDigestOptions<M> & { readonly contextLimit?: number },
  moment: Moment<M> & { readonly todos: SummaryOptions['todos'] },
): DigestOptions<M> {
  const { workspaceRoot, tools, preserve, summary, countTokens, isUser, isFailure } = options;
  const standing = { preserve, pins: summary.pins, transcriptPath: summary.transcriptPath };
  return {
    ...standing,
    ...present(own),
    ...pinsOf(summary.pins, own.pins),
    ...moment,
    ...{ workspaceRoot, tools, countTokens, isUser, isFailure },
  };
}

/** Settings of a summary that the caller requests now, even with room left; `own` holds for this one. */
export function requestedSummaryOf<M>(
  settings: ConversationSettings<M>,
  own: ConversationSummarizeOptions,
  moment: Moment<M> & { readonly todos: SummaryOptions['todos'] },
): SummaryOptions<M> {
  const { summary, contextLimit } = settings.options;
  const { contextLimit: _, reserve: _reserve, overhead: _overhead, ...standing } = summaryOptionsOf(settings, moment);
  const both = [summary.instructions, own.instructions];
  const instructions = both.every((text) => typeof text === 'string') ? { instructions: both.join('\n\n') } : {};
  const window = summary.window ?? contextLimit;
  return { ...standing, window, ...present(own), ...instructions, ...pinsOf(summary.pins, own.pins) };
}

/** Options without those that are `undefined`, which would override others. */
function present<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Pins of this call are added to the conversation's pins. */
function pinsOf(
  standing: readonly string[] | undefined,
  own: readonly string[] | undefined,
): Pick<DigestOptions, 'pins'> {
  if (standing === undefined || !Array.isArray(own)) return {};
  return { pins: [...new Set([...standing, ...(own as readonly string[])])] };
}

/** Refuses a number that is no place in a history of this length. */
export function checkPlace(at: number, length: number): void {
  if (Number.isInteger(at) && at >= 0 && at <= length) return;
  throw wrongArgument('at', at, `a whole number from 0 to ${length}`);
}

/** The tokens that are to come, and whether the provider's cache is cold, of the options of a step. */
export function atSend(options: BeforeSendOptions = {}): {
  readonly pending: number;
  readonly isCold: boolean | undefined;
} {
  checkOptions(options, ['pendingTokens', 'cold']);
  const { pendingTokens: pending = 0, cold: isCold } = options as Readonly<Record<string, unknown>>;
  if (!(typeof pending === 'number' && pending >= 0 && pending < 2 ** 53)) {
    throw wrongOption('pendingTokens', pending, 'a number of at least 0');
  }
  if (isCold === undefined || typeof isCold === 'boolean') return { pending, isCold };
  throw wrongOption('cold', isCold, 'a boolean');
}
