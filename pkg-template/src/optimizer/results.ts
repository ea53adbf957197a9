import { densifyError } from '../base/errors.js';
import type { LoggedEdit } from '../core/edits.js';
import type { Run } from '../core/output.js';
import type { CompressMetadata, DensityMetadata, DeterministicStrategy, NoopReason } from '../generated/densify.js';
import type { Session } from '../session/session.js';
import type { Applied, CompressResult, Edit, Noop, NoopMetadata, Result, ResultBase, Warning } from '../types.js';

/** The counts of a run under the documents' names. */
export function densityMetadata({
  pairs,
  inclusions,
  recency,
}: Pick<Told, 'pairs' | 'inclusions' | 'recency'>): DensityMetadata {
  return { readWritePairsPruned: pairs, fileDeduplicationsPruned: inclusions, recencyPruned: recency };
}

/** How a result counts tokens late. */
export interface Counts {
  before(): number;
  after(): number;
}

/** The part of a result that describes its runs. */
interface Told extends Omit<Run, 'edits' | 'flush' | 'first'> {
  readonly edits: readonly Pick<Edit, 'rule' | 'index' | 'pending'>[];
}

// What is handed out is made for it: who changes a list or an edit in place changes nothing of ours.
export const editsOf = ({ made = [], edits }: Run): readonly Edit[] =>
  [...made, ...edits].map((edit: LoggedEdit) => edit.plain());
function warningsOf(
  { unbalanced, held: refused, edits, heldBack, unread, unkept, foreign }: Told,
  flushesAlways = false,
): readonly Warning[] {
  const warnings: Warning[] = unbalanced.map((index) => ({ code: 'unbalanced-inclusion', index }));
  if (foreign !== undefined) warnings.push({ code: 'other-format', ...foreign });
  const thoughts = edits.filter(({ rule, pending }) => rule === 'bound-thinking' && !pending);
  const first = thoughts.reduce((least, { index }) => Math.min(least, index), Infinity);
  const dropped = thoughts.length > 0 ? first : unread;
  if (dropped !== undefined) warnings.push({ code: 'reasoning-dropped', index: dropped });
  if (unkept !== undefined) warnings.push({ code: 'recall-failed', index: unkept });
  // If edits never wait for a flush, a waiting edit is one that the provider forbids for now.
  const waiting = flushesAlways ? edits.filter(({ pending }) => pending).map(({ index }) => index) : [];
  const held = flushesAlways || heldBack === undefined ? waiting : [heldBack];
  for (const index of new Set([...refused, ...held])) warnings.push({ code: 'edit-held-back', index });
  return warnings;
}

/** What Node's `console.log` asks an object for. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Plain properties, and tokens that are counted when they are asked for; by Node's `console.log` too. */
function counted<T extends object>(
  parts: T,
  counts: Counts,
): T & Pick<ResultBase<unknown>, 'tokensBefore' | 'tokensAfter'> {
  const result = {
    ...parts,
    get tokensBefore() {
      return counts.before();
    },
    get tokensAfter() {
      return counts.after();
    },
  };
  // Not to be seen otherwise: results are compared, spread and cloned.
  return Object.defineProperty(result, INSPECT, { value: shown });
}

/** What is shown of a result: as much as can be read. */
function shown(this: object): object {
  try {
    return { ...this };
  } catch (thrown) {
    const parts = Object.entries(Object.getOwnPropertyDescriptors(this)).filter(([, part]) => 'value' in part);
    return { ...Object.fromEntries(parts.map(([key, { value }]) => [key, value as unknown])), unreadable: thrown };
  }
}

/** The result of a call without state. */
export function plainResult<M>(
  run: Told & { readonly edits: readonly Edit[]; readonly anchor?: number | undefined },
  { changed, messages, flushesAlways }: { changed: boolean; messages: readonly M[]; flushesAlways: boolean },
  counts: Counts,
): Result<M> {
  const { edits, anchor } = run;
  const told = { messages, changed, edits, metadata: densityMetadata(run), warnings: warningsOf(run, flushesAlways) };
  return counted(anchor === undefined ? told : { ...told, anchor }, counts);
}

/** The result of a compression without state; a noop's messages are the list that was handed in. */
export function plainCompression<M>(
  session: Session<M>,
  run: Run,
  outcome: unknown,
  input: readonly M[],
  counts: Counts,
  strategy: unknown,
): CompressResult<M> {
  const common = { edits: editsOf(run), warnings: warningsOf(run) };
  if (typeof outcome === 'string') {
    return counted(
      {
        kind: 'noop',
        reason: outcome as NoopReason,
        metadata: noopMetadata(strategy, input.length),
        messages: input,
        changed: false,
        ...common,
      } as const,
      counts,
    );
  }
  const metadata = outcome as CompressMetadata;
  const messages = session.live.toList();
  const tokens = { tokensBefore: counts.before(), tokensAfter: counts.after() };
  return { kind: 'applied', metadata, messages, changed: true, ...common, ...tokens };
}

function noopMetadata(strategy: unknown, count: number): NoopMetadata {
  const strategyUsed = strategy as DeterministicStrategy;
  return { originalMessageCount: count, compressedMessageCount: count, strategyUsed, llmCallMade: false };
}

/** A result of a handle. Its parts are computed when they are first read: most callers want `messages` only. */
abstract class LazyResult<M> implements ResultBase<M> {
  readonly changed: boolean;
  readonly #session: Session<M>;
  readonly #run: Run;
  readonly #version: number;
  #messages: readonly M[] | undefined;
  #edits: readonly Edit[] | undefined;

  /** Without messages the session is asked for them, as long as it hasn't gone on. */
  constructor(session: Session<M>, run: Run, changed: boolean, messages?: readonly M[]) {
    this.changed = changed;
    this.#session = session;
    this.#run = run;
    this.#version = session.version;
    this.#messages = messages;
  }

  get messages(): readonly M[] {
    return (this.#messages ??= this.#fresh().live.toList());
  }

  get edits(): readonly Edit[] {
    return (this.#edits ??= editsOf(this.#run));
  }

  get tokensBefore(): number {
    return this.#fresh().tokensRaw();
  }

  get tokensAfter(): number {
    return this.#fresh().tokensNow();
  }

  get warnings(): readonly Warning[] {
    return warningsOf(this.#run, this.#session.flushesAlways);
  }

  /** The first earlier message that changed: as many are live before it. */
  get flush(): { readonly index: number } | undefined {
    if (!this.#run.flush) return undefined;
    return { index: this.#fresh().live.countBefore(this.#run.first) };
  }

  /** The message ahead of which the host keeps a breakpoint. */
  get anchor(): number | undefined {
    return this.#fresh().anchor;
  }

  /** All that can be read, as a plain object: for `JSON.stringify`, and for who wants to keep a result. */
  toJSON(): object {
    const { messages, changed, edits, tokensBefore, tokensAfter, warnings, flush, anchor } = this;
    return { ...this, messages, changed, edits, tokensBefore, tokensAfter, warnings, flush, anchor };
  }

  /** What Node's `console.log` shows: as much as can still be read. */
  [INSPECT](): object {
    try {
      return this.toJSON();
    } catch (thrown) {
      const { edits, warnings } = this;
      return { ...this, edits, warnings, unreadable: thrown };
    }
  }

  /** What is computed late must not speak of a later history. */
  #fresh(): Session<M> {
    if (this.#session.version === this.#version) return this.#session;
    throw densifyError('stale-result', 'this result is stale: read it before the next call to its optimizer');
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
  /** A strategy's result. */
  static of<M>(session: Session<M>, run: Run, outcome: unknown, strategy: unknown): CompressResult<M> {
    if (typeof outcome !== 'string') {
      const applied: Pick<Applied<M>, 'kind' | 'metadata'> = {
        kind: 'applied',
        metadata: outcome as CompressMetadata,
      };
      return Object.assign(new CompressionResult(session, run, true, session.live.toList()), applied);
    }
    const metadata = noopMetadata(strategy, session.live.toList().length);
    const noop: Pick<Noop<M>, 'kind' | 'reason' | 'metadata'> = {
      kind: 'noop',
      reason: outcome as NoopReason,
      metadata,
    };
    // Even then what waited for a flush is made.
    return Object.assign(new CompressionResult(session, run, run.flush), noop);
  }
}
