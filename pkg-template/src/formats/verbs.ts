import { createIn, type Origin, restoreIn } from '../conversation/functions.js';
import type { Conversation, ConversationOptions, ConversationSnapshot } from '../conversation/types.js';
import type { FileOperations } from '../generated/summary.js';
import { type ShrinkResultsOptions, type ShrunkMessages, shrinkResultsIn } from '../intake/messages.js';
import type { Adapter } from '../messages/adapter.js';
import type { Target } from '../models/target.js';
import { compressIn, estimateIn, optimizeIn, optimizerIn } from '../optimizer/functions.js';
import type { Optimizer } from '../optimizer/optimizer.js';
import { sharedEngine } from '../optimizer/shared-engine.js';
import { type FileOptions, summaries } from '../summary/functions.js';
import { checkRequest } from '../summary/stored.js';
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
import type {
  Callbacks,
  CompressOptions,
  CompressResult,
  OptimizeOptions,
  OptimizerOptions,
  Result,
} from '../types.js';
import { adapterFor } from './adapter.js';
import type { Format } from './format.js';
import { take } from './take.js';

/** The verbs of the package over the messages of one format. The build puts what is said of them above each entry's. */
export interface Verbs<L extends object, O extends Target> {
  /**
   * Optimizes a history, statelessly, by the rules of a `preset`, right before a model call: lines that are shown again,
   * results that were superseded, the bulk of old output. Untouched messages come back `===`; nothing is mutated.
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
   * An optimizer for one growing history: each call costs only what is new. Between flushes each output begins with
   * the one before it, so the prompt cache holds.
   *
   * @example
   * const optimizer = createOptimizer({ model });
   * const { messages } = optimizer.optimize(history); // before every model call
   */
  createOptimizer<M extends L = L>(options?: OptimizerOptions<M> & O): Optimizer<M>;
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
  /** Checks a model's reply and puts the summary into the history as it is now. */
  applySummary<M extends L>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions & O,
  ): SummaryResult<M>;
  /** Checks a reply as `applySummary` does, and applies nothing. */
  verifySummary<M extends L>(reply: string, messages: readonly M[], options: SummaryOptions<M> & O): SummaryCheck<M>;
  /**
   * Makes a summary without a model, by rules, and puts it into the history in the place of what lies before the
   * tail: the user's requests to the letter, changed files, commands, open errors, the todo list.
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
  createConversation<M extends L = L>(options: ConversationOptions<M> & O): Conversation<M>;
  /** A conversation as it was when a snapshot of it was taken, with the messages that had been added to it. */
  restoreConversation<M extends L = L>(
    snapshot: ConversationSnapshot,
    messages: readonly M[],
    options: ConversationOptions<M> & O,
  ): Conversation<M>;
  /** The tokens of a text or a history: an estimate, unless a counter is passed; of images by the model's formula. */
  estimateTokens<M extends L>(what: string | readonly M[], options?: Pick<Callbacks, 'countTokens'> & O): number;
  /** The files that a history's calls read and changed, by action; failed calls don't count. */
  fileOperations<M extends L>(messages: readonly M[], options?: FileOptions): FileOperations;
}

// Each function is made separately, so that bundlers drop unused ones: summaries are another wasm file.

/** Makes `optimize` of a format. */
export function optimizeOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['optimize'] {
  return <M extends L>(messages: readonly M[], options?: OptimizeOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, OptimizeOptions<M>>(format, options);
    return optimizeIn(sharedEngine(), adapter, messages, rest);
  };
}

/** Makes `compress` of a format. */
export function compressOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['compress'] {
  return <M extends L>(messages: readonly M[], options: CompressOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, CompressOptions<M>>(format, options);
    return compressIn(sharedEngine(), adapter, messages, rest as CompressOptions<M>);
  };
}

/** Makes `createOptimizer` of a format. */
export function createOptimizerOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['createOptimizer'] {
  return <M extends L>(options?: OptimizerOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, OptimizerOptions<M>>(format, options);
    return optimizerIn(sharedEngine(), adapter, rest);
  };
}

/** Makes `requestSummary` of a format. */
export function requestSummaryOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['requestSummary'] {
  return <M extends L>(messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest, target } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    const made = summaries().request(adapter, messages, rest as SummaryOptions<M>);
    const told = Object.entries(target).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return made.kind === 'noop' || told.length === 0 ? made : { ...made, target: Object.fromEntries(told) };
  };
}

/** Makes `applySummary` of a format. */
export function applySummaryOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['applySummary'] {
  return <M extends L>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions & O,
  ) => {
    checkRequest(request);
    const { adapter, rest } = take<M, L, O, ApplyOptions>(format, options, false, request.target);
    return summaries().apply(adapter, request, reply, messages, rest);
  };
}

/** Makes `verifySummary` of a format. */
export function verifySummaryOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['verifySummary'] {
  return <M extends L>(reply: string, messages: readonly M[], options: SummaryOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, SummaryOptions<M>>(format, options, true);
    return summaries().verify(adapter, reply, messages, rest as SummaryOptions<M>);
  };
}

/** Makes `digest` of a format. */
export function digestOf<L extends object, O extends Target>(format: Format<L, O>): Verbs<L, O>['digest'] {
  return <M extends L>(messages: readonly M[], options?: DigestOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, DigestOptions<M>>(format, options);
    return summaries().digest(adapter, messages, rest).result;
  };
}

/** Makes `shrinkResults` of a format. */
export function shrinkResultsOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['shrinkResults'] {
  return <M extends L>(messages: readonly M[], options?: ShrinkResultsOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ShrinkResultsOptions<M>>(format, options);
    return shrinkResultsIn(adapter, messages, rest);
  };
}

/** Makes `createConversation` of a format. */
export function createConversationOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['createConversation'] {
  return <M extends L>(options: ConversationOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(format, options, true);
    return createIn(adapter, rest as ConversationOptions<M>, undefined, originOf(format, options));
  };
}

/** Makes `restoreConversation` of a format. */
export function restoreConversationOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['restoreConversation'] {
  return <M extends L>(snapshot: ConversationSnapshot, messages: readonly M[], options: ConversationOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(format, options, true);
    const origin = originOf<M, L, O>(format, options);
    return restoreIn(adapter, snapshot, messages, rest as ConversationOptions<M>, undefined, origin);
  };
}

/** What a conversation needs to take other options later. */
function originOf<M extends L, L extends object, O extends Target>(
  format: Format<L, O>,
  options: ConversationOptions<M> & O,
): Origin<M> {
  return {
    options,
    take: (changed) => {
      const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(
        format,
        changed as ConversationOptions<M> & O,
        true,
      );
      return { adapter, rest: rest as ConversationOptions<M> };
    },
  };
}

/** Makes `estimateTokens` of a format. */
export function estimateTokensOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['estimateTokens'] {
  return <M extends L>(what: string | readonly M[], options?: Pick<Callbacks, 'countTokens'> & O) => {
    const { adapter, rest } = take<M, L, O, Pick<Callbacks, 'countTokens'>>(format, options);
    return estimateIn(sharedEngine(), adapter, what, rest === undefined ? {} : rest);
  };
}

/** Makes `fileOperations` of a format. */
export function fileOperationsOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['fileOperations'] {
  return <M extends L>(messages: readonly M[], options?: FileOptions) => {
    const adapter = adapterFor(format, 0) as unknown as Adapter<M>;
    const found = summaries().read(adapter, messages, options, (handle, host) => handle.fileOperations(host));
    return JSON.parse(found) as FileOperations;
  };
}
