import type { Conversation, ConversationOptions, ConversationSnapshot } from '../conversation/types.js';
import type { FileOperations } from '../generated/summary.js';
import type { ShrinkResultsOptions, ShrunkMessages } from '../intake/messages.js';
import type { Target } from '../models/target.js';
import type { Optimizer } from '../optimizer/optimizer.js';
import type {
  ApplyOptions,
  DigestOptions,
  DigestResult,
  SummaryCheck,
  SummaryNoop,
  SummaryOptions,
  SummaryRequest,
  SummaryResult,
} from '../summary/types.js';
import type { CompressOptions, CompressResult, OptimizeOptions, Result } from '../types.js';

/** The package's functions for the messages of one format. The build copies their comments to each entry point. */
export interface Verbs<L extends object, O extends Target, D extends L = L> {
  /**
   * Shortens a history by the rules of a `preset`, right before a model call. It is stateless. It removes repeated lines,
   * outdated results and most of old output. Untouched messages are the same objects (`===`); nothing is mutated.
   *
   * @example
   * const { messages } = optimize(history, { model });
   */
  optimize<M extends L>(messages: readonly M[], options?: OptimizeOptions<M> & O): Result<M>;
  /**
   * Makes a history fit, deterministically: for when it has passed its threshold, which the caller checks. Below it as much
   * is cut, down to the target. A conversation does it when it is due.
   *
   * @example
   * const { messages } = compress(history, { strategy: 'high-density', contextLimit: 200_000 });
   */
  compress<M extends L>(messages: readonly M[], options: CompressOptions<M> & O): CompressResult<M>;
  /**
   * An optimizer for one growing history: each call costs only the new messages. Between flushes each output begins
   * with the previous one, so the prompt cache stays valid.
   *
   * @example
   * const optimizer = createOptimizer({ model });
   * const { messages } = optimizer.optimize(history); // before every model call
   */
  createOptimizer<M extends L = D>(options?: OptimizeOptions<M> & O): Optimizer<M>;
  /**
   * Plans the summary of a history: what to send to a model, as plain JSON. No model is called here.
   *
   * @example
   * const request = requestSummary(history, { strategy: 'middle-out' });
   * if (request.kind === 'request') {
   *   const result = applySummary(request, await ask(request.messages), history);
   * }
   */
  requestSummary<M extends L>(messages: readonly M[], options: SummaryOptions<M> & O): SummaryRequest<M> | SummaryNoop;
  /** Checks a model's reply and puts the summary into the current history. */
  applySummary<M extends L>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions<M> & O,
  ): SummaryResult<M>;
  /** Checks a reply as `applySummary` does, and applies nothing. */
  verifySummary<M extends L>(reply: string, messages: readonly M[], options: SummaryOptions<M> & O): SummaryCheck<M>;
  /**
   * Makes a summary by rules, without a model, and replaces all messages before the tail by it. The summary holds the
   * user's requests word for word, changed files, commands, open errors and the todo list.
   *
   * @example
   * const { messages } = digest(history, { contextLimit: 200_000 });
   */
  digest<M extends L>(messages: readonly M[], options?: DigestOptions<M> & O): DigestResult<M>;
  /**
   * Makes results of tools shorter before they are ever sent. The same results become the same whenever it is called,
   * so it may be called on the whole history before each send, from the first on.
   *
   * @example
   * const { messages } = shrinkResults(history);
   */
  shrinkResults<M extends L>(messages: readonly M[], options?: ShrinkResultsOptions<M> & O): ShrunkMessages<M>;
  /**
   * A conversation: a history and what keeps it within a model's window. Before each send it tells you what to do. It
   * does everything that needs no model.
   *
   * @example
   * const conversation = createConversation({ strategy: 'auto', contextLimit: 200_000, model });
   * conversation.addAll(history);
   * const step = await conversation.prepare({ summarize: async ({ messages }) => ask(messages) });
   * if (step.kind === 'ready') send(step.messages);
   */
  createConversation<M extends L = D>(options: ConversationOptions<M> & O): Conversation<M>;
  /** Restores a conversation from its snapshot and all messages that were ever added. */
  restoreConversation<M extends L = D>(
    snapshot: ConversationSnapshot,
    messages: readonly M[],
    options: ConversationOptions<M> & O,
  ): Conversation<M>;
  /** The tokens of a text or a history: an estimate, unless a counter is passed; of images by the model's formula. */
  estimateTokens<M extends L>(what: string | readonly M[], options?: Pick<OptimizeOptions, 'countTokens'> & O): number;
  /** The files that a history's calls read and changed, by action; failed calls don't count. */
  fileOperations<M extends L>(
    messages: readonly M[],
    options?: Pick<OptimizeOptions, 'workspaceRoot' | 'tools' | 'isFailure'>,
  ): FileOperations;
}
