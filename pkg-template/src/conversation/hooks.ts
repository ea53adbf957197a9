import { type DensifyError, densifyError } from '../base/errors.js';
import { isPromise } from '../base/options.js';
import type { CompressMetadata, NoopReason, StrategyName } from '../generated/densify.js';
import type { GiveUp, SummaryMetadata } from '../generated/summary.js';
import type { ConversationTokens } from './figures.js';

/**
 * Why a history is made smaller: it reached the threshold, or that of `auto` for work in the background; reading it
 * again and again costs more than a digest; it doesn't fit the window; a summary failed (`fallback`); you asked for it.
 */
export type CompressionReason = 'threshold' | 'soft-threshold' | 'payback' | 'limit' | 'fallback' | 'requested';

/** A compression, digest or summary that is about to begin. */
export interface CompressionStart {
  readonly strategy: StrategyName;
  readonly reason: CompressionReason;
  /** Whether a model writes a summary. */
  readonly usesModel: boolean;
  /** Whether you may send messages meanwhile. */
  readonly isBackground: boolean;
  /** The content that it removes, because the history would exceed the limit otherwise. */
  readonly givesUp?: GiveUp | undefined;
  readonly messagesBefore: number;
  readonly tokensBefore: number;
}

/** The end of a compression, digest or summary. */
export interface CompressionEnd extends CompressionStart {
  readonly outcome: 'applied' | 'noop' | 'failed' | 'cancelled' | 'conflict';
  readonly messagesAfter: number;
  readonly tokensAfter: number;
  /** The report on the applied summary. */
  readonly metadata?: CompressMetadata | SummaryMetadata;
  /** Why nothing changed. */
  readonly noop?: NoopReason;
  /** Why a summary failed. */
  readonly error?: DensifyError;
}

/**
 * Functions that a conversation calls at its events. All but `beforeCompression` run after the method that caused them,
 * so they may use the conversation. If one throws, the next ready step has the warning `hook-failed`.
 */
export interface ConversationHooks<M> {
  /**
   * Called before a compression, by rules or by a model. If it returns false, the compression is skipped, unless you
   * requested it (`requested`). It must not use the conversation.
   *
   * @default none
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks return nothing.
  readonly beforeCompression?: ((start: CompressionStart) => boolean | undefined | void) | undefined;
  /**
   * Called after a compression, with its outcome.
   *
   * @default none
   */
  readonly afterCompression?: ((end: CompressionEnd) => void) | undefined;
  /**
   * Called with added messages, and the index of the first one in `raw`.
   *
   * @default none
   */
  readonly contentAdded?: ((added: { readonly messages: readonly M[]; readonly index: number }) => void) | undefined;
  /**
   * Called at each change of `tokens.current`, which is counted for it.
   *
   * @default none
   */
  readonly tokensUpdated?: ((tokens: ConversationTokens) => void) | undefined;
}

/** The names of the hooks. */
export const HOOK_NAMES = ['beforeCompression', 'afterCompression', 'contentAdded', 'tokensUpdated'] as const;

/** Calls the host's hooks. */
export class Hooks<M> {
  #hooks: ConversationHooks<M>;
  readonly #failed: (error: unknown) => void;
  /** What is told once nothing is under way. */
  #waiting: (() => void)[] = [];
  #tokens: number | undefined;

  constructor(hooks: ConversationHooks<M> | undefined, failed: (error: unknown) => void) {
    this.#hooks = hooks ?? {};
    this.#failed = failed;
  }

  /** Other functions from now on. */
  replace(hooks: ConversationHooks<M> | undefined): void {
    this.#hooks = hooks ?? {};
  }

  /** Whether anybody hears of compressions: what they are told must be counted. */
  get hearsCompressions(): boolean {
    return this.#hooks.beforeCompression !== undefined || this.#hooks.afterCompression !== undefined;
  }

  /** Says what begins; returns whether it may. */
  mayBegin(start: CompressionStart): boolean {
    const { beforeCompression } = this.#hooks;
    const answer = beforeCompression === undefined ? undefined : this.#call(() => beforeCompression(start));
    if (isPromise(answer)) this.#failed(lateAnswer());
    return answer !== false || start.reason === 'requested';
  }

  ended(end: CompressionEnd): void {
    const { afterCompression } = this.#hooks;
    if (afterCompression !== undefined) this.#waiting.push(() => afterCompression(end));
  }

  added(messages: readonly M[], index: number): void {
    const { contentAdded } = this.#hooks;
    if (contentAdded !== undefined && messages.length > 0) this.#waiting.push(() => contentAdded({ messages, index }));
  }

  /** Notes the tokens, if they changed and anybody hears that. */
  counted(count: () => ConversationTokens): void {
    const { tokensUpdated } = this.#hooks;
    if (tokensUpdated === undefined) return;
    this.#call(() => {
      const tokens = count();
      const isFirst = this.#tokens === undefined;
      if (tokens.current === this.#tokens) return;
      this.#tokens = tokens.current;
      if (!isFirst || tokens.current > 0) this.#waiting.push(() => tokensUpdated(tokens));
    });
  }

  /** Tells what waits. */
  tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) this.#call(each);
  }

  #call(action: () => unknown): unknown {
    try {
      const answer = action();
      if (isPromise(answer)) answer.then(undefined, this.#failed);
      return answer;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }
}

function lateAnswer(): DensifyError {
  const key = 'hooks.beforeCompression';
  const message = `${key}: found a promise, expected true, false or undefined without waiting: the compression went on`;
  return densifyError('callback-failed', message, { key });
}
