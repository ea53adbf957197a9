import { densifyError } from './errors.js';
import type { LoggedEdit } from './output.js';
import { CompressionResult, liveMessages, OptimizeResult } from './results.js';
import { DROPPED, type Session } from './session.js';
import { describe, readSettings } from './settings.js';
import type { CompressOptions, CompressResult, Result } from './types.js';

/** The newest messages are always read again: agents change messages in place while they stream. */
const ALWAYS_READ = 16;

/** How far a list of messages agrees with a session, and where its new messages begin. */
interface Match {
  /** So many of the session's messages are in the list, or were dropped from it. */
  readonly known: number;
  /** Index of the list's first new message. */
  readonly next: number;
}

/**
 * Keeps one growing history dense. What a call costs depends on what is new, not on the length
 * of the history. Decisions freeze: between flushes each output begins with the one before it.
 *
 * Use it in one of two ways (or both): hand whole histories to `optimize`, raw ones or what it
 * returned before, followed by new messages; or `push` new messages and call `optimize()`.
 */
export interface Optimizer<M> {
  /** Optimizes a whole history; what is known of it is recognised, anything else is read anew. */
  optimize(messages: readonly M[]): Result<M>;
  /** Optimizes what was pushed. The result's lazy parts must be read before the next call. */
  optimize(): Result<M>;
  /** Adds messages to the history. */
  push(...messages: M[]): void;
  /** Makes all edits that wait for a flush, whatever the policy says. */
  flush(): Result<M>;
  /** Compresses the history; later calls go on from there. */
  compress(options: CompressOptions<M>): CompressResult<M>;
  /** Says that messages from an index on were changed in place: they are read again. */
  invalidate(index?: number): void;
  /** Bytes that are held for the history besides the messages, approximately. */
  readonly bytes: number;
  /** Frees what is held in the core. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** @internal */
export class SessionOptimizer<M> implements Optimizer<M> {
  readonly #session: Session<M>;
  readonly #verify: boolean;
  /** Edited messages were given out as objects of ours; their callers may hand them back. */
  #invalidFrom = Infinity;

  constructor(session: Session<M>, verify: boolean) {
    this.#session = session;
    this.#verify = verify;
  }

  push(...messages: M[]): void {
    for (const message of messages) this.#session.push(message);
  }

  optimize(messages?: readonly M[]): Result<M> {
    return messages === undefined ? this.#runPushed(false) : this.#runWhole(messages);
  }

  flush(): Result<M> {
    return this.#runPushed(true);
  }

  compress(options: CompressOptions<M>): CompressResult<M> {
    const session = this.#session;
    const { json } = readSettings<M>(options, ['tokens']);
    const { run, outcome } = session.compress(json);
    return CompressionResult.of(session, run, outcome);
  }

  invalidate(index = 0): void {
    this.#invalidFrom = Math.min(this.#invalidFrom, index);
  }

  get bytes(): number {
    return this.#session.bytes;
  }

  dispose(): void {
    this.#session.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #runPushed(force: boolean): Result<M> {
    const session = this.#session;
    const run = session.run(force);
    const changed = run.flush || run.edits.some(isMade);
    return new OptimizeResult(session, run, changed);
  }

  #runWhole(messages: readonly M[]): Result<M> {
    checkList(messages);
    const session = this.#session;
    const { known, next } = this.#match(messages);
    if (known < session.raw.length) session.rewind(known);
    this.#invalidFrom = Infinity;
    const before = session.raw.length;
    try {
      for (let at = next; at < messages.length; at += 1) session.push(messages[at] as M);
    } catch (thrown) {
      session.rewind(before);
      throw thrown;
    }
    const run = session.run(false);
    const output = sameList(messages, session.out);
    return new OptimizeResult(session, run, output !== messages, output);
  }

  /** Finds how much of a list is known: raw messages, or ours for them, in any mixture. */
  #match(messages: readonly M[]): Match {
    const { raw, out } = this.#session;
    const reread = this.#verify ? 0 : Math.min(raw.length - ALWAYS_READ, this.#invalidFrom);
    let known = 0;
    let next = 0;
    while (known < raw.length && next < messages.length) {
      const message = messages[next] as M;
      if (message === raw[known] || message === out[known]) {
        if (known >= reread && !this.#isUnchanged(message, known)) break;
        next += 1;
      } else if (out[known] !== DROPPED) {
        if (!this.#isTwin(message, known)) break;
        next += 1;
      } else if (this.#isTwin(message, known)) {
        next += 1;
      }
      known += 1;
    }
    while (next === messages.length && known < raw.length && out[known] === DROPPED) known += 1;
    return { known, next };
  }

  /** Whether a message that is the very object reads as it did; of ours its raw one must. */
  #isUnchanged(message: M, index: number): boolean {
    const raw = this.#session.raw[index] as M;
    return this.#session.readsAlike(message === raw ? message : raw, index);
  }

  /** Whether a message is another copy of a known one: a history that was parsed afresh. */
  #isTwin(message: M, index: number): boolean {
    if (typeof message !== 'object' || message === null || !this.#session.readsAlike(message, index)) return false;
    this.#session.adopt(message, index);
    return true;
  }
}

function isMade({ pending }: LoggedEdit): boolean {
  return !pending;
}

/** The list that was handed in if it equals the output, else the output as a new list. */
export function sameList<M>(messages: readonly M[], out: readonly (M | typeof DROPPED)[]): readonly M[] {
  if (out.length !== messages.length) {
    const live = liveMessages(out);
    return live.length === messages.length && live.every((message, at) => message === messages[at]) ? messages : live;
  }
  for (let at = 0; at < out.length; at += 1) if (out[at] !== messages[at]) return liveMessages(out);
  return messages;
}

/** A history must be a list. */
export function checkList(messages: unknown): void {
  if (!Array.isArray(messages)) {
    throw densifyError('invalid-messages', `messages: found ${describe(messages)}, expected a list of messages`);
  }
}
