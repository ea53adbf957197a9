// Conversations that live on an instance, each beside its oracle: the same one on an instance that nothing happens to.
import type { CompressResult, createDensify, IContent, OptimizeOptions, Optimizer, Result } from 'densify';
import { Agent } from './conversations.js';

/** Functions on instances of their own. */
type Densify = Pick<ReturnType<typeof createDensify>, 'createOptimizer'>;

/** How callers use a handle: they send the raw history, store what they were given, or push. */
export const STYLES = ['raw', 'stored', 'pushed'] as const;

const POLICIES: readonly OptimizeOptions[] = [
  { rules: { recencyPruning: true } },
  { rules: { recencyPruning: true }, flush: 'never' },
  { rules: { recencyPruning: true, recencyRetention: 1 }, flush: { tokens: 300 } },
  { flush: { tokens: 200 }, countTokens: (text) => text.length },
];

/** All that a result tells, in plain data. */
export function told(result: Result<IContent> | CompressResult<IContent>) {
  const { messages, changed, edits, warnings, flush, tokensBefore, tokensAfter } = result;
  const outcome = 'reason' in result ? result.reason : result.metadata;
  return {
    messages,
    changed,
    edits: JSON.stringify(edits),
    outcome,
    warnings,
    flush: flush?.index,
    tokensBefore,
    tokensAfter,
  };
}

/** One conversation with its handle. */
export class Conversation {
  readonly optimizer: Optimizer<IContent>;
  readonly #style: (typeof STYLES)[number];
  #history: readonly IContent[] = [];

  constructor(densify: Densify, seed: number) {
    this.optimizer = densify.createOptimizer<IContent>(POLICIES[seed % POLICIES.length]);
    this.#style = STYLES[seed % STYLES.length] ?? 'raw';
  }

  /** Adds entries and optimizes; may be called again with the same entries if it throws. */
  step(entries: readonly IContent[]): Result<IContent> {
    if (this.#style === 'pushed') return this.#push(entries);
    const history = [...this.#history, ...entries];
    const result = this.optimizer.optimize(history);
    this.#history = this.#style === 'raw' ? history : result.messages;
    return result;
  }

  /** Makes the history fit, and goes on from there. */
  compress(): CompressResult<IContent> {
    const result = this.optimizer.compress({ strategy: 'high-density', contextLimit: 2_000 });
    if (this.#style === 'stored') this.#history = result.messages;
    return result;
  }

  #pushed: readonly IContent[] | undefined;

  #push(entries: readonly IContent[]): Result<IContent> {
    if (this.#pushed !== entries) this.optimizer.push(...entries);
    this.#pushed = entries;
    return this.optimizer.optimize();
  }
}

/** A conversation and its oracle, which get the same turns. */
export class Pair {
  readonly live: Conversation;
  readonly #oracle: Conversation;
  readonly #agent: Agent;

  constructor(densify: Densify, calm: Densify, seed: number) {
    this.live = new Conversation(densify, seed);
    this.#oracle = new Conversation(calm, seed);
    this.#agent = new Agent(seed);
  }

  turn(): IContent[] {
    return this.#agent.turn();
  }

  /** What both say to the next turn, or to these entries: live first. */
  step(entries: readonly IContent[] = this.turn()): [told: ReturnType<typeof told>, expected: ReturnType<typeof told>] {
    return [told(this.live.step(entries)), this.expected(entries)];
  }

  /** What both say to a compression. */
  compress(): [told: ReturnType<typeof told>, expected: ReturnType<typeof told>] {
    return [told(this.live.compress()), told(this.#oracle.compress())];
  }

  /** What the oracle says. */
  expected(entries: readonly IContent[]): ReturnType<typeof told> {
    return told(this.#oracle.step(entries));
  }
}
