import { densifyError } from '../base/errors.js';
import { describe, needOption, onlyKnown, refuse, WINDOW } from '../base/options.js';
import { demandsOfAll } from '../core/capabilities.js';
import { conversationKeys, intakeKeys, optimizeKeys, summaryKeys } from '../generated/constants.js';
import { checkRecall } from '../intake/messages.js';
import type { Adapter } from '../messages/adapter.js';
import { BESIDE_CONVERSATION, OF_CONVERSATIONS } from '../optimizer/elsewhere.js';
import { readSettings } from '../optimizer/settings.js';
import type { Redact } from '../summary/redaction.js';
import type { DigestOptions, SummaryOptions } from '../summary/types.js';
import type { Callbacks } from '../types.js';
import { factorOfOptions, inTokensOfOurs } from './calibrated.js';
import type {
  BeforeSendOptions,
  ConversationDigestOptions,
  ConversationOptions,
  ConversationSummarizeOptions,
} from './types.js';

/** A conversation's options, taken apart. */
export interface ConversationSettings<M> {
  readonly adapter: Adapter<M>;
  /** The options with sizes as the provider counts them. */
  readonly given: ConversationOptions<M>;
  /** What the provider counts over what is counted here. */
  readonly factor: number;
  /** What the machine reads, as JSON. */
  readonly machine: string;
  /** The same with sizes as they were given. */
  readonly machineAsGiven: string;
  /** What the optimizer reads, as JSON. */
  readonly optimizer: string;
  /** What shrinking results reads, as JSON; nothing if they aren't to be shrunk. */
  readonly intake: string | undefined;
  readonly callbacks: Callbacks<M>;
  /** Whether edits wait for no flush, but for what an unknown model may demand. */
  readonly isModelUnknown: boolean;
  /** What holds for every compression and summary, but for what goes by the moment. */
  readonly budget: { readonly contextLimit: number; readonly reserve?: number; readonly overhead?: number };
  readonly options: ConversationOptions<M>;
}

export function readConversation<M>(adapter: Adapter<M>, given: ConversationOptions<M>): ConversationSettings<M> {
  const { json: machineAsGiven } = readSettings<M>(given, {
    core: conversationKeys,
    ours: OF_CONVERSATIONS,
    taken: adapter.options,
    elsewhere: BESIDE_CONVERSATION,
    more: "; what the rules read goes into 'optimize', what summaries read into 'summary'",
  });
  needOption(given, 'contextLimit', WINDOW);
  const { calibration: _, ...known } = given;
  const factor = factorOfOptions(adapter, given);
  const options = inTokensOfOurs(known, factor);
  const { json: machine, callbacks } = readSettings<M>(options, { ours: OF_CONVERSATIONS });
  const { workspaceRoot, tools, contextLimit, reserve, overhead } = options;
  for (const key of ['optimize', 'summary'] as const) {
    const part: unknown = options[key];
    if (part === undefined || (typeof part === 'object' && part !== null && !Array.isArray(part))) continue;
    throw densifyError('invalid-options', `option ${key}: found ${describe(part)}, expected an object`, { key });
  }
  const ofConversation = [...conversationKeys.filter((key) => key !== 'strategy'), ...OF_CONVERSATIONS];
  refuse(options.optimize, ['workspaceRoot', 'tools'], 'it is an option of the conversation');
  refuse(options.summary, [...ofConversation, ...Object.keys(callbacks)], 'it is an option of the conversation');
  if (options.strategy !== 'auto')
    refuse(options.summary, ['strategy'], "strategies other than 'auto' are the conversation's own option");
  onlyKnown(
    options.summary,
    summaryKeys.filter((key) => !ofConversation.includes(key)),
    { within: 'summary' },
  );
  const ofRules = optimizeKeys.filter((key) => !['workspaceRoot', 'tools'].includes(key));
  onlyKnown(options.optimize, ofRules, { within: 'optimize' });
  const optimizer = readSettings({ ...options.optimize, workspaceRoot, tools }).json;
  const budget = {
    contextLimit,
    ...(reserve === undefined ? {} : { reserve }),
    ...(overhead === undefined ? {} : { overhead }),
  };
  checkRecall(options.recall);
  const intake = intakeSettings(options);
  const isModelUnknown = demandsOfAll(adapter.capabilities);
  // Copies: what the caller changes later changes nothing here.
  const read = { machine, machineAsGiven, optimizer, intake, callbacks, isModelUnknown, budget };
  return { adapter, given: { ...given }, factor, ...read, options: { ...options } };
}

function intakeSettings<M>({ intake, strategy, tools }: ConversationOptions<M>): string | undefined {
  const given: unknown = intake ?? strategy === 'auto';
  if (given === false) return undefined;
  if (given === true) return readSettings({ tools }).json;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = `option intake: found ${describe(given)}, expected true, false or an object`;
    throw densifyError('invalid-options', message, { key: 'intake' });
  }
  onlyKnown(given, intakeKeys, { within: 'intake' });
  return readSettings({ ...given, tools }).json;
}

/** The todo items of the moment. */
export function todosOf<M>({ todos }: ConversationOptions<M>): NonNullable<SummaryOptions['todos']> | undefined {
  if (typeof todos !== 'function') return todos;
  try {
    return todos();
  } catch (cause) {
    throw densifyError('callback-failed', 'todos threw', { cause, key: 'todos' });
  }
}

/** What a summary is made with that goes by the moment. */
export interface Moment<M> {
  readonly threshold: number;
  readonly state: SummaryOptions<M>['state'];
  readonly redact: Redact;
}

/** What summaries of a conversation are asked for with. */
export function summaryOptionsOf<M>(
  { budget, options }: ConversationSettings<M>,
  moment: Moment<M> & { readonly todos: SummaryOptions['todos'] },
): SummaryOptions<M> {
  const { strategy, summary, workspaceRoot, tools, preserve, prompts, provider, model } = options;
  const { countTokens, isFailure } = options;
  const asks = strategy === 'one-shot' || strategy === 'structured' ? strategy : 'middle-out';
  return {
    ...summary,
    strategy: (strategy === 'auto' ? summary?.strategy : undefined) ?? asks,
    ...budget,
    ...moment,
    ...{ workspaceRoot, tools, preserve, prompts, provider, model, countTokens, isFailure },
  };
}

/** What digests of a conversation are made with; `own` is what the caller asks for this time. */
export function digestOptionsOf<M>(
  { options }: ConversationSettings<M>,
  own: ConversationDigestOptions<M> & { readonly contextLimit?: number },
  moment: Moment<M>,
): DigestOptions<M> {
  const { workspaceRoot, tools, preserve, summary, countTokens, isFailure } = options;
  const standing = { preserve, pins: summary?.pins, transcriptPath: summary?.transcriptPath };
  // What is given as undefined isn't given.
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return {
    ...standing,
    ...given,
    ...pinsOf(summary?.pins, own.pins),
    ...moment,
    todos: todosOf(options),
    ...{ workspaceRoot, tools, countTokens, isFailure },
  };
}

/** What a summary is asked for with that the caller wants now, however much room there is; `own` holds for this one. */
export function wishedSummaryOf<M>(
  settings: ConversationSettings<M>,
  own: ConversationSummarizeOptions,
  moment: Moment<M> & { readonly todos: SummaryOptions['todos'] },
): SummaryOptions<M> {
  const { summary, contextLimit } = settings.options;
  const { contextLimit: _, reserve: _reserve, overhead: _overhead, ...standing } = summaryOptionsOf(settings, moment);
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const both = [summary?.instructions, own.instructions];
  const instructions = both.every((text) => typeof text === 'string') ? { instructions: both.join('\n\n') } : {};
  const window = summary?.window ?? contextLimit;
  return { ...standing, window, ...given, ...instructions, ...pinsOf(summary?.pins, own.pins) };
}

/** What is pinned for this time comes on top of what is pinned for good. */
function pinsOf(
  standing: readonly string[] | undefined,
  own: readonly string[] | undefined,
): Pick<DigestOptions, 'pins'> {
  if (standing === undefined || !Array.isArray(own)) return {};
  return { pins: [...new Set([...standing, ...(own as readonly string[])])] };
}

/** Refuses what isn't a place in a history of a length. */
export function checkPlace(at: number, length: number): void {
  if (Number.isInteger(at) && at >= 0 && at <= length) return;
  const message = `at: found ${describe(at)}, expected a whole number up to ${length}`;
  throw densifyError('invalid-options', message, { key: 'at' });
}

/** The tokens that are to come, and whether the provider's cache is cold, of the options of a step. */
export function atSend(options: BeforeSendOptions = {}): { readonly pending: number; readonly isCold: boolean } {
  onlyKnown(options, ['pendingTokens', 'cold']);
  const { pendingTokens: pending = 0, cold: isCold = false } = options as Readonly<Record<string, unknown>>;
  if (!(typeof pending === 'number' && pending >= 0 && pending < 2 ** 53)) {
    const message = `option pendingTokens: found ${describe(pending)}, expected a number of at least 0`;
    throw densifyError('invalid-options', message, { key: 'pendingTokens' });
  }
  if (typeof isCold === 'boolean') return { pending, isCold };
  const message = `option cold: found ${describe(isCold)}, expected a boolean`;
  throw densifyError('invalid-options', message, { key: 'cold' });
}
