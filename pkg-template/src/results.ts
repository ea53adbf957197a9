import { densifyError } from './errors.js';
import type { CompressMetadata, DensityMetadata, NoopReason } from './generated/densify.js';
import type { Run } from './output.js';
import type { Session } from './session.js';
import type { CompressResult, Edit, Result, ResultBase, Warning } from './types.js';

/** The counts of a run under the documents' names. */
export function densityMetadata({ pairs, inclusions, recency }: Run): DensityMetadata {
  return { readWritePairsPruned: pairs, fileDeduplicationsPruned: inclusions, recencyPruned: recency };
}

/** How a result counts tokens late. */
export interface Counts {
  before(): number;
  after(): number;
}

const NO_WARNINGS: readonly Warning[] = [];

/** A result whose parts are computed when they are first read: most callers want `messages` only. */
abstract class LazyResult<M> implements ResultBase<M> {
  readonly changed: boolean;
  readonly #session: Session<M>;
  readonly #run: Run;
  readonly #version: number;
  #messages: readonly M[] | undefined;
  #counts: Counts | undefined;

  /** Without messages and counts the session is asked for them, as long as it hasn't gone on. */
  constructor(session: Session<M>, run: Run, changed: boolean, messages?: readonly M[], counts?: Counts) {
    this.changed = changed;
    this.#session = session;
    this.#run = run;
    this.#version = session.version;
    this.#messages = messages;
    this.#counts = counts;
  }

  get messages(): readonly M[] {
    return (this.#messages ??= this.#fresh().live.toList());
  }

  get edits(): readonly Edit[] {
    return this.#run.edits as readonly Edit[];
  }

  get tokensBefore(): number {
    return this.#counts === undefined ? this.#fresh().tokensRaw() : this.#counts.before();
  }

  get tokensAfter(): number {
    return this.#counts === undefined ? this.#fresh().tokensNow() : this.#counts.after();
  }

  get warnings(): readonly Warning[] {
    const { unbalanced } = this.#run;
    if (unbalanced.length === 0) return NO_WARNINGS;
    return unbalanced.map((index) => ({ code: 'unbalanced-inclusion', index }));
  }

  /** Where the messages given out before stop being what they were: as many are live before it. */
  get flush(): { readonly index: number } | undefined {
    if (!this.#run.flush) return undefined;
    return { index: this.#fresh().live.countBefore(this.#run.first) };
  }

  /** All that can be read, as a plain object: for logs and for `JSON.stringify`. */
  toJSON(): object {
    const { messages, changed, edits, tokensBefore, tokensAfter, warnings, flush } = this;
    return { ...this, messages, changed, edits, tokensBefore, tokensAfter, warnings, flush };
  }

  /** What is computed late must not speak of a later history. */
  #fresh(): Session<M> {
    if (this.#session.version === this.#version) return this.#session;
    throw densifyError('stale-result', 'read a result before its optimizer goes on: it has changed since');
  }

  protected counts(): DensityMetadata {
    return densityMetadata(this.#run);
  }
}

/** @internal */
export class OptimizeResult<M> extends LazyResult<M> implements Result<M> {
  get metadata(): DensityMetadata {
    return this.counts();
  }

  override toJSON(): object {
    return { ...super.toJSON(), metadata: this.metadata };
  }
}

/** @internal */
export class CompressionResult<M> extends LazyResult<M> {
  /** A strategy's result; a noop's messages are the list that was handed in, where there was one. */
  static of<M>(
    session: Session<M>,
    run: Run,
    outcome: unknown,
    input?: readonly M[],
    counts?: Counts,
  ): CompressResult<M> {
    if (typeof outcome !== 'string') {
      const messages = session.live.toList();
      const applied = { kind: 'applied' as const, metadata: outcome as CompressMetadata };
      return Object.assign(new CompressionResult(session, run, true, messages, counts), applied);
    }
    const noop = { kind: 'noop' as const, reason: outcome as NoopReason };
    return Object.assign(new CompressionResult(session, run, false, input, counts), noop);
  }
}
