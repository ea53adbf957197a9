/** Hooks that keep each run in a conversation, which stays within the model's window. */
import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { SeenSizes } from '../conversation/options.js';
import type { Conversation, ConversationWarning, OverLimitStep } from '../conversation/types.js';
import type { CacheUse } from '../session/session.js';
import type { Result } from '../types.js';
import type { HookCall } from './hook-call.js';
import type { SharedHookOptions } from './hook-options.js';
import type { HookReports, Replaced } from './hook-reports.js';
import { type Following, type Fork, Runs } from './runs.js';

/** Makes what passes requests through the conversations that the option `conversation` creates. */
export function inConversations<M extends object>(
  options: SharedHookOptions<M>,
  create: NonNullable<SharedHookOptions<M>['conversation']>,
  reports: HookReports<M>,
): (call: HookCall<M>) => Replaced<M> | Promise<Replaced<M>> {
  const runs = new Runs<M, Conversation<M>>(branchOf, options.maxRuns);
  return (call) => {
    const following = runs.follow(call.messages, call.key, () => checked(create(call.target)));
    if (following.wasForgotten) reports.runForgotten();
    try {
      const conversation: Sizable<M> = following.keeper;
      const sizes = call.seen?.sizes?.(call.target) ?? {};
      reports.requestUnseen(conversation.setRequest?.(sizes, call.cacheUse) ?? []);
    } catch (error) {
      following.forget();
      throw error;
    }
    return kept(call, following, options, reports);
  };
}

/** What the conversation of a run makes of its messages. */
function kept<M>(
  { messages, anchored }: HookCall<M>,
  following: Following<M, Conversation<M>>,
  { observe, summarize }: SharedHookOptions<M>,
  reports: HookReports<M>,
): Replaced<M> | Promise<Replaced<M>> {
  const { keeper: conversation, forwarded } = following;
  const failed = (error: unknown) => {
    following.forget();
    return reports.failed(error);
  };
  const ended = (warnings: readonly (ConversationWarning | OverLimitStep)[]): Replaced<M> => {
    for (const warning of warnings) reports.warn(warning);
    const replaced = reports.result(resultOf(conversation, messages));
    const list = replaced ?? messages;
    forwarded(list);
    const made = anchored(list, conversation.anchor);
    return made === messages ? undefined : made;
  };
  try {
    if (summarize !== undefined && observe !== true) {
      const close = following.open();
      const prepared = conversation.prepare({ summarize }).finally(close);
      return prepared.then((step) => ended(step.kind === 'ready' ? step.warnings : [step])).catch(failed);
    }
    const warnings = withoutModel(conversation);
    if (warnings === undefined && observe !== true) reports.warn(modelNeeded());
    return ended(warnings ?? []);
  } catch (error) {
    return failed(error);
  }
}

/** Does what needs no model. Returns the warnings, or `undefined` if a summary is needed. */
function withoutModel<M>(conversation: Conversation<M>): readonly (ConversationWarning | OverLimitStep)[] | undefined {
  const step = conversation.beforeSend();
  if (step.kind === 'over-limit') return [step];
  if (step.kind === 'ready') {
    step.background?.cancel();
    return step.warnings;
  }
  if (step.kind === 'summarize') step.cancel();
  return undefined;
}

function modelNeeded(): Error {
  const message =
    "option summarize: found nothing, but the conversation needs a summary; pass 'summarize', or a strategy that needs no model";
  return densifyError('strategy-needs-model', message, { key: 'summarize' });
}

/** The host's value, which is a conversation. */
function checked<M>(made: Conversation<M>): Conversation<M> {
  if (typeof (made as Partial<Conversation<M>> | undefined)?.addAll === 'function') return made;
  const message = `option conversation: it returned ${describe(made)}, expected a conversation`;
  throw densifyError('callback-failed', message, { key: 'conversation' });
}

/**
 * What goes on as another list does, where the conversation has done more of it than to take it in. Its host may hold the
 * conversation: that goes on with the newest list, and a copy stays behind.
 */
function branchOf<M>(
  conversation: Conversation<M>,
  { back, isOpen }: Fork,
): readonly [Conversation<M>, Conversation<M> | undefined] | undefined {
  const at = conversation.raw.length - back;
  const goBack = (one: Retractable<M>) => {
    if (one.retract === undefined) one.rewind(at);
    else one.retract(at, false);
  };
  const copy: Retractable<M> = conversation.fork();
  goBack(copy);
  const { messages, raw } = copy;
  const isBare = messages.length === raw.length && messages.every((message, place) => message === raw[place]);
  const isOfUse = !isBare || (copy.waits ?? copy.plan() !== undefined);
  if (isOfUse && isOpen) return [copy, conversation];
  copy.dispose();
  if (!isOfUse) return undefined;
  const stays = conversation.fork();
  goBack(conversation);
  return [conversation, stays];
}

/** Conversations of ours can keep a summary that stands for none of the messages that go, and say whether edits wait. */
type Retractable<M> = Conversation<M> & { retract?(at: number, isSaidAgain: boolean): void; readonly waits?: boolean };

/** Our own conversations take the sizes that a hook saw, and return the options that are still missing. */
type Sizable<M> = Conversation<M> & {
  setRequest?(seen: SeenSizes, cache: CacheUse): readonly (keyof SeenSizes)[];
};

/** What a conversation did so far, as a result. */
function resultOf<M>({ messages, anchor, stats }: Conversation<M>, given: readonly M[]): Result<M> {
  const { tokensBefore, tokensAfter, density: metadata } = stats;
  const changed = messages.length !== given.length || messages.some((message, at) => message !== given[at]);
  const result = { messages, changed, edits: [], metadata, warnings: [], tokensBefore, tokensAfter };
  return anchor === undefined ? result : { ...result, anchor };
}
