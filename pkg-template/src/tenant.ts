import type { ContentLike, IContent } from './base/content.js';
import { createIn, type Host, restoreIn } from './conversation/functions.js';
import type { Conversation, ConversationOptions, ConversationSnapshot } from './conversation/types.js';
import { Engine } from './core/engine.js';
import { Densify } from './densify.js';
import { type AnsweredCall, type ShrinkOptions, type ShrunkResult, shrinkIn } from './intake/functions.js';
import { Shrinker } from './intake/shrinker.js';
import { neutralAs } from './messages/neutral.js';
import { Summaries } from './summary/summaries.js';
import type {
  ApplyOptions,
  DigestOptions,
  DigestResult,
  SummaryCheck,
  SummaryNoop,
  SummaryOptions,
  SummaryRequest,
  SummaryResult,
} from './summary/types.js';
import type { CoreGlue } from './wasm/core.js';
import { fullInstances } from './wasm/full.js';

/** densify for one tenant: its wasm modules have instances of their own. */
export class DensifyTenant extends Densify {
  readonly #host: Host;

  /** @internal */
  constructor() {
    const engine: Engine<CoreGlue> = new Engine(fullInstances);
    super(engine);
    this.#host = { engine, summaries: new Summaries(), shrinker: new Shrinker() };
  }

  /** Bytes of the memory of its modules. */
  override memoryBytes(): number {
    const { summaries, shrinker } = this.#host;
    return super.memoryBytes() + summaries.engine.memoryBytes + shrinker.memoryBytes;
  }

  /** Plans the summary of a history: what to send to a model, as plain JSON. */
  requestSummary<M extends ContentLike>(
    messages: readonly M[],
    options: SummaryOptions<M>,
  ): SummaryRequest<M> | SummaryNoop {
    return this.#host.summaries.request(neutralAs<M>(), messages, options);
  }

  /** Checks a model's reply and puts the summary into the history as it is now. */
  applySummary<M extends ContentLike>(
    request: SummaryRequest<M>,
    reply: string,
    messages: readonly M[],
    options?: ApplyOptions,
  ): SummaryResult<M> {
    return this.#host.summaries.apply(neutralAs<M>(), request, reply, messages, options);
  }

  /** Checks a reply as `applySummary` does, and applies nothing. */
  verifySummary<M extends ContentLike>(
    reply: string,
    messages: readonly M[],
    options: SummaryOptions<M>,
  ): SummaryCheck<M> {
    return this.#host.summaries.verify(neutralAs<M>(), reply, messages, options);
  }

  /** Makes a summary without a model, by rules. */
  digest<M extends ContentLike>(messages: readonly M[], options?: DigestOptions<M>): DigestResult<M> {
    return this.#host.summaries.digest(neutralAs<M>(), messages, options).result;
  }

  /** Makes a tool's result shorter before it is ever sent. */
  shrinkResult<R>(call: AnsweredCall, result: R, options?: ShrinkOptions): ShrunkResult<R> {
    return shrinkIn(this.#host.shrinker, call, result, options);
  }

  /** A conversation: a history and what keeps it within a model's window. */
  createConversation<M extends ContentLike = IContent>(options: ConversationOptions<M>): Conversation<M> {
    return createIn(neutralAs<M>(), options, this.#host);
  }

  /** A conversation as it was when a snapshot of it was taken. */
  restoreConversation<M extends ContentLike = IContent>(
    snapshot: ConversationSnapshot,
    messages: readonly M[],
    options: ConversationOptions<M>,
  ): Conversation<M> {
    return restoreIn(neutralAs<M>(), snapshot, messages, options, this.#host);
  }

  /** Gives its instances up; what still lives makes itself new ones when it is used. */
  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    this.#host.summaries.engine.retire();
    this.#host.shrinker.retire();
  }
}

/** densify on wasm instances of its own, for tenants that must share nothing: histories, summaries, conversations. */
export function createDensify(): DensifyTenant {
  return new DensifyTenant();
}
