import { densifyError } from '../base/errors.js';
import { checkOptions, describe, refuse, wrongOption } from '../base/options.js';
import type { LoggedEdit } from '../core/edits.js';
import type { Run } from '../core/output.js';
import { compressKeys } from '../generated/constants.js';
import { isSameJson } from '../messages/same.js';
import { reentered } from '../session/gate.js';
import { DROPPED } from '../session/live-list.js';
import type { Session } from '../session/session.js';
import type { CompressResult, FlushPlan, HistoryCompressOptions, Moment, Result } from '../types.js';
import { BESIDE_COMPRESS, CALLBACKS } from './elsewhere.js';
import { CompressionResult, OptimizeResult } from './results.js';
import { readSettings } from './settings.js';

/** The newest messages are always read again: agents change messages in place while they stream. */
const ALWAYS_READ = 16;

/** Options of `compress` that are settled when the optimizer is made. */
const SETTLED = [...CALLBACKS, 'tokens', 'tools', 'workspaceRoot', 'recall'];

/** How far a list of messages agrees with a session, and where its new messages begin. */
interface Match {
  /** So many of the session's messages are in the list, or were dropped from it. */
  readonly known: number;
  /** Index of the list's first new message. */
  readonly next: number;
}

/**
 * Keeps one growing history small. The cost of a call depends on the new messages, not on the length of the history.
 * Between flushes each output begins with the previous one.
 *
 * There are two ways to use it, also together. Pass whole histories to `optimize`: your own messages, or the list that it
 * returned before, followed by new messages. Or `push` new messages and call `optimize()`.
 */
export interface Optimizer<M> {
  /** Optimizes a whole history; known messages are recognised, others are read again. */
  optimize<N extends M>(messages: readonly N[], moment?: Moment): Result<N>;
  /** Optimizes the pushed messages. Read the parts of the result before the next call. */
  optimize(pushed?: undefined, moment?: Moment): Result<M>;
  /** Adds messages to the history. */
  push(...messages: M[]): void;
  /** Makes all edits that wait for a flush, under any `flush` policy. */
  flush(): Result<M>;
  /**
   * The cost of a flush now, and the turns until it pays back, under any policy. `undefined` if no edit waits, as with
   * `'always'`, or if the provider's rules forbid all waiting edits for now (`'edit-held-back'`).
   */
  plan(): FlushPlan | undefined;
  /** Compresses the history; later calls go on from there. */
  compress(options: HistoryCompressOptions): CompressResult<M>;
  /** Says that messages from an index on were changed in place: they are read again. */
  invalidate(index?: number): void;
  /** About how many bytes the optimizer needs for the history, without the messages. */
  readonly bytes: number;
  /** Frees the core's memory. */
  dispose(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/** Whether the cache is cold, if the caller says so. */
function isColdAt(moment: Moment = {}): boolean | undefined {
  checkOptions(moment, ['cold']);
  const { cold } = moment;
  if (cold === undefined || typeof cold === 'boolean') return cold;
  throw wrongOption('cold', cold, 'a boolean');
}

/** @internal */
export class SessionOptimizer<M> implements Optimizer<M> {
  readonly #session: Session<M>;
  /** Messages from here on were changed in place, as their caller says. */
  #invalidFrom = Infinity;
  /** Whether a whole history is being compared, by way of the caller's objects, which may call back; the rest is the session's to guard. */
  #isBusy = false;

  constructor(session: Session<M>) {
    this.#session = session;
  }

  push(...messages: M[]): void {
    this.#checkIdle();
    this.#session.push(messages);
  }

  optimize(pushed?: undefined, moment?: Moment): Result<M>;
  optimize<N extends M>(messages: readonly N[], moment?: Moment): Result<N>;
  optimize(messages?: readonly M[] | undefined, moment?: Moment): Result<M> {
    this.#checkIdle();
    const isCold = isColdAt(moment);
    if (messages === undefined) return this.#runPushed(false, isCold);
    this.#isBusy = true;
    try {
      return this.#runWhole(messages, isCold);
    } finally {
      this.#isBusy = false;
    }
  }

  flush(): Result<M> {
    this.#checkIdle();
    return this.#runPushed(true);
  }

  compress(options: HistoryCompressOptions): CompressResult<M> {
    const session = this.#session;
    refuse(options, SETTLED, 'pass it to createOptimizer');
    const core = compressKeys.filter((key) => !SETTLED.includes(key));
    const { json } = readSettings<M>(options, { core, functions: [], elsewhere: BESIDE_COMPRESS });
    this.#checkIdle();
    this.#readAgain();
    const { run, outcome } = session.compress(json);
    return CompressionResult.of(session, run, outcome, options.strategy);
  }

  invalidate(index = 0): void {
    this.#invalidFrom = Math.min(this.#invalidFrom, index > 0 ? Math.floor(index) : 0); // NaN is no place to begin
  }

  get bytes(): number {
    return this.#session.bytes;
  }

  dispose(): void {
    this.#checkIdle();
    this.#session.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The caller's functions and accessors, which are called from within, must not use what calls them. */
  #checkIdle(): void {
    if (this.#isBusy) throw reentered();
  }

  /** Reads messages again that the caller reports as changed. */
  #readAgain(): void {
    const session = this.#session;
    const { raw } = session;
    let from = this.#invalidFrom;
    if (from === Infinity) return;
    this.#isBusy = true;
    try {
      while (from < raw.length && this.#isUnchanged(from)) from += 1;
      if (from < raw.length) {
        const changed = raw.slice(from);
        session.rehearse(changed, 0, from);
        session.rewind(from);
        session.push(changed);
      }
      this.#invalidFrom = Infinity;
    } finally {
      this.#isBusy = false;
    }
  }

  #runPushed(force: boolean, isCold?: boolean): Result<M> {
    const session = this.#session;
    this.#readAgain();
    const run = session.run(force, isCold);
    const changed = run.flush || run.edits.some(isMade);
    return new OptimizeResult(session, run, changed);
  }

  plan(): FlushPlan | undefined {
    this.#checkIdle();
    return this.#session.plan();
  }

  #runWhole(messages: readonly M[], isCold: boolean | undefined): Result<M> {
    checkList(messages);
    const session = this.#session;
    const { known, next } = this.#match(messages);
    // A copy: what reads it may call functions of the caller's, which may change the list.
    const fresh = listFrom(messages, next);
    if (known < session.raw.length) {
      session.rehearse(fresh, 0, known);
      session.rewind(known);
    }
    this.#invalidFrom = Infinity;
    if (fresh.length > 0) session.push(fresh);
    const run = session.run(false, isCold);
    const output = outputOf(session, run, messages);
    return new OptimizeResult(session, run, output !== messages, output);
  }

  /** Finds how much of a list is known: raw messages, or ours for them, in any mixture. */
  #match(messages: readonly M[]): Match {
    const { raw, live } = this.#session;
    const out = live.entries;
    const reread = Math.min(raw.length - ALWAYS_READ, this.#invalidFrom);
    const start = live.matchStart(messages, Math.max(reread, 0));
    let { known, next } =
      start < 0 ? sameObjects(messages, raw, out, reread) : { known: Math.max(reread, 0), next: start };
    let matched = known; // behind the newest known message that is in the list
    let holdsRaw = false; // a raw message that we changed: then the list lacks none that we dropped
    const { adoptions } = this.#session;
    for (; known < raw.length && next < messages.length; known += 1) {
      const message = messages[next] as M;
      const isSame = message === raw[known] || message === out[known];
      if (isSame ? this.#isUnchanged(known) : this.#isTwin(message, { known, next }, known < reread)) {
        next += 1;
        matched = known + 1;
        holdsRaw ||= message === raw[known] && message !== out[known];
      } else if (isSame || holdsRaw || out[known] !== DROPPED) break;
    }
    while (next === messages.length && known < raw.length && out[known] === DROPPED) known += 1;
    if (known === raw.length) return { known, next };
    // The list is our output, parsed again. Its edited messages are new objects, so it is the only source.
    if (next < matched && this.#session.adoptions > adoptions) return { known: 0, next: 0 };
    // Dropped messages before the place where the list goes on differently are known only to who stores our output.
    return { known: storesOutput(messages, next, matched, raw) ? known : matched, next };
  }

  /** Whether a message is the one that follows some dropped ones: their caller stores our output. */
  #isPassedOver(message: M, known: number): boolean {
    const { raw, live } = this.#session;
    const out = live.entries;
    let at = known;
    while (at < raw.length && out[at] === DROPPED) at += 1;
    return at < raw.length && (message === out[at] || message === raw[at]);
  }

  /** Whether a message that is the very object, or ours for it, reads as it did. */
  #isUnchanged(index: number): boolean {
    return this.#session.readsAlike(this.#session.raw[index] as M, index);
  }

  /**
   * Whether a message is another copy of a known one: a history that was parsed afresh. `isOld`: the known one is
   * still as it was when it was read.
   */
  #isTwin(message: M, { known, next }: Match, isOld: boolean): boolean {
    if (typeof message !== 'object' || message === null) return false;
    const session = this.#session;
    const raw = session.raw[known] as M;
    const isDropped = session.live.entries[known] === DROPPED;
    // A list that lacks a dropped message holds none of them; and as one of them a message must not vanish by mistake.
    if (isDropped && (next < known || this.#isPassedOver(message, known))) return false;
    const isSame = (isOld || isDropped) && isSameJson(raw, message);
    if (isDropped && !isSame && !isCopy(message, raw)) return false;
    if (!(isSame && isOld && session.judgesByContent) && !session.readsAlike(message, known)) return false;
    session.adopt(message, known, isSame && isOld);
    return true;
  }
}

function isMade({ pending }: LoggedEdit): boolean {
  return !pending;
}

/** Whether a message that was parsed afresh is the same throughout. */
function isCopy<M>(message: M, known: M): boolean {
  try {
    return JSON.stringify(message) === JSON.stringify(known);
  } catch {
    return false;
  }
}

/** Whether the known part of a list lacks messages that we dropped, or holds what we made of others. */
function storesOutput<M>(messages: readonly M[], next: number, matched: number, raw: readonly M[]): boolean {
  if (next < matched) return true;
  for (let at = 0; at < next; at += 1) if (messages[at] !== raw[at]) return true;
  return false;
}

/** Matches the old messages of a list, up to `limit`, by identity alone: the longest part, so the tightest loop. */
function sameObjects<M>(
  messages: readonly M[],
  raw: readonly M[],
  out: readonly (M | typeof DROPPED)[],
  limit: number,
): Match {
  const length = messages.length;
  let known = 0;
  while (known < limit && known < length && messages[known] === raw[known]) known += 1;
  let next = known;
  for (let at = known; at < limit && next < length; at += 1) {
    const message = messages[next];
    const current = out[at];
    if (message === current || message === raw[at]) next += 1;
    else if (current !== DROPPED) break;
    else continue; // dropped and not there; whether it really matches, the next message tells
    known = at + 1;
  }
  return { known, next };
}

/** The list that was handed in if it equals the output, else the output as a new list. */
export function outputOf<M>({ live }: Session<M>, run: Run, messages: readonly M[]): readonly M[] {
  // A run that makes edits changes some message; only without them is a comparison worth its while.
  const mayEqual = !run.flush && !run.edits.some(isMade);
  return mayEqual && live.equals(messages) ? messages : live.toList();
}

/** A list's elements from an index on, as they are now; a hole is an element like any other. */
export function listFrom<T>(list: readonly T[], from: number): T[] {
  const copy: T[] = [];
  for (let at = from, { length } = list; at < length; at += 1) copy.push(list[at] as T);
  return copy;
}

/** Longer lists are looked at for holes: one that is nearly all holes would take minutes. */
const LONGEST = 10_000_000;

/** A history must be a list, and not one of holes. */
export function checkList(messages: unknown): void {
  if (!Array.isArray(messages)) {
    const found = `messages: found ${describe(messages)}, expected a list of messages`;
    throw densifyError('invalid-messages', `${found}${listWithin(messages)}`);
  }
  if (messages.length <= LONGEST) return;
  const given = Object.keys(messages).length;
  if (given >= messages.length / 2) return;
  const found = `messages: found a list of length ${String(messages.length)} that holds ${String(given)} messages`;
  throw densifyError('invalid-messages', `${found}, expected one without holes`);
}

/** Where the list is that was meant, if it is near. */
function listWithin(found: unknown): string {
  try {
    if (typeof found !== 'object' || found === null) return '';
    const held = found as Readonly<Record<string, unknown>>;
    const key = ['messages', 'contents', 'input', 'prompt'].find((key) => Array.isArray(held[key]));
    if (key !== undefined) return `. Did you mean its '${key}'?`;
    return 'role' in held || 'speaker' in held ? '; pass a single message as [message]' : '';
  } catch {
    return ''; // it throws when it is read
  }
}
