import { checksum } from '../base/checksum.js';
import { type DensifyError, densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import { isPending, NO_UNIT, textOf, wordsOf } from '../core/edits.js';
import { EDIT_KINDS, RULES } from '../generated/protocol.js';
import type { CompactionState } from '../generated/summary.js';
import type { SessionRecord } from '../session/record.js';
import type { Redact } from '../summary/redaction.js';
import { pack, packWide, unpack, unpackWide } from './codec.js';
import { fingerprint } from './fingerprint.js';
import type { Change, HistoryRecord, PastEpoch } from './history.js';
import type { ConversationSnapshot } from './types.js';

const VERSION = 1;

/** What counts up in the statistics. */
export interface Counters {
  readonly edits: number[];
  readonly density: number[];
  compressions: number;
  summaries: number;
  failures: number;
}

/** All that a conversation is made again of, beside its messages. */
export interface ConversationRecord<M> {
  readonly history: HistoryRecord<M>;
  readonly machine: readonly number[];
  readonly threshold: number | undefined;
  /** Tokens that the provider counted on top of densify's own count. */
  readonly offset: number;
  readonly counters: Counters;
}

/** An epoch as a snapshot has it. */
interface StoredEpoch {
  readonly start: number;
  readonly change: StoredChange | null;
  readonly edits: string;
  readonly texts: readonly string[];
  readonly givenOut: number;
  readonly bills: readonly number[];
  readonly rewound: number | null;
  readonly added: number;
}

interface StoredChange {
  readonly top: number;
  readonly moved: readonly number[];
  readonly tail: number;
  readonly inserted: readonly unknown[];
  readonly withoutRequest: unknown;
  readonly state: CompactionState;
  readonly isBeforeAnswer: boolean;
}

/** The content of a snapshot, in the order of its checksum. */
interface Body {
  readonly version: number;
  readonly count: number;
  readonly fingerprints: string;
  /** The messages that were shrunk when they went in, as differences of their indices. */
  readonly shrunk: string;
  readonly machine: readonly number[];
  readonly threshold: number | null;
  readonly offset: number;
  readonly counters: Counters;
  readonly epochs: readonly StoredEpoch[];
}

function indicesOfShrunk<M>(log: readonly M[], taken: readonly M[]): number[] {
  return [...log.keys()].filter((index) => log[index] !== taken[index]);
}

/** Indices as differences, which are small. */
function packIndices(indices: readonly number[]): string {
  return pack(indices.map((index, at) => index - (indices[at - 1] ?? 0)));
}

function unpackIndices(text: unknown, count: number): number[] | undefined {
  let index = 0;
  const deltas = unpack(text);
  if (deltas === undefined) return undefined;
  const indices = Array.from(deltas, (delta) => (index += delta));
  return indices.every((at) => at < count) ? indices : undefined;
}

/** Edits with their indices as differences, which are small. */
function packEdits(words: Uint32Array): string {
  const numbers: number[] = [];
  let before = 0;
  for (let at = 0; at < words.length; at += wordsOf(words[at]!)) {
    const index = words[at + 1]!;
    const delta = index - before;
    before = index;
    // Only what waits has an anchor that matters, and it lies at the message or before it.
    const anchor = isPending(words[at]!) ? index - words[at + 3]! + 1 : 0;
    numbers.push(words[at]!, delta < 0 ? -delta * 2 - 1 : delta * 2, words[at + 2]! - index + 1, anchor);
    for (let word = at + 4; word < at + wordsOf(words[at]!); word += 1) numbers.push(words[word]!);
  }
  return pack(numbers);
}

function unpackEdits(text: unknown): Uint32Array | undefined {
  const words = unpack(text);
  if (words === undefined) return undefined;
  let index = 0;
  for (let at = 0; at < words.length; ) {
    const head = words[at]!;
    const length = wordsOf(head);
    const isKnown = (head & 0xff) < EDIT_KINDS.length && ((head >> 8) & 0xff) < RULES.length;
    if (!isKnown || at + length > words.length) return undefined;
    const delta = words[at + 1]!;
    index += delta % 2 === 1 ? -(delta + 1) / 2 : delta / 2;
    const cause = index + words[at + 2]! - 1;
    const behind = words[at + 3]!;
    if (index < 0 || cause < 0 || index > 0xffffffff || cause > 0xffffffff || behind > index + 1) return undefined;
    if (isPending(head) && behind === 0) return undefined;
    words[at + 1] = index;
    words[at + 2] = cause;
    words[at + 3] = behind === 0 ? NO_UNIT : index - behind + 1;
    at += length;
  }
  return words;
}

/**
 * A snapshot of a record and of the messages that were added. The lines that stand for results quote
 * calls, so they are redacted; summaries were when they were stored.
 */
export function snapshotOf<M>(log: readonly M[], record: ConversationRecord<M>, redact: Redact): ConversationSnapshot {
  const { past, current } = record.history;
  const epochs = [...past, { ...current, added: 0 }].map((epoch) => storedEpoch(epoch, redact));
  const body: Body = {
    version: VERSION,
    count: log.length,
    fingerprints: packWide(Uint32Array.from(log, fingerprint)),
    shrunk: packIndices(indicesOfShrunk(log, record.history.taken)),
    machine: record.machine,
    threshold: record.threshold ?? null,
    offset: record.offset,
    counters: record.counters,
    epochs,
  };
  // A copy: what is handed out shares nothing with the conversation.
  const text = JSON.stringify(body);
  return { ...(JSON.parse(text) as ConversationSnapshot), checksum: checksum(text) };
}

function storedEpoch<M>({ start, change, record, added }: PastEpoch<M>, redact: Redact): StoredEpoch {
  const { words, texts, givenOut, bills, rewound } = record;
  const { layout, inserted = [], withoutRequest = null, state, isBeforeAnswer = false } = change ?? {};
  const { top = 0, moved = [], tail = 0 } = layout ?? {};
  return {
    start,
    change: state === undefined ? null : { top, moved, tail, inserted, withoutRequest, state, isBeforeAnswer },
    edits: packEdits(words),
    texts: texts.map((text) => redact(text)),
    givenOut,
    bills,
    rewound: rewound ?? null,
    added,
  };
}

/** The content of a snapshot, apart from data that messages give: those are the caller's to make. */
export interface ReadSnapshot<M> {
  /** Indices of the messages that were shrunk when they went in. */
  readonly shrunk: readonly number[];
  readonly machine: readonly number[];
  readonly threshold: number | undefined;
  readonly offset: number;
  readonly counters: Counters;
  readonly epochs: readonly ReadEpoch<M>[];
}

interface ReadEpoch<M> {
  readonly start: number;
  readonly change: Change<M> | undefined;
  readonly record: SessionRecord;
  readonly added: number;
}

/** Reads a snapshot, which may come from anywhere, and holds it against the messages. */
export function readSnapshot<M>(snapshot: unknown, messages: readonly M[]): ReadSnapshot<M> {
  const body = checkBody(snapshot);
  const prints = unpackWide(body.fingerprints);
  if (body.count !== messages.length) {
    const found = `found ${messages.length} messages, expected the ${body.count} that it was made with`;
    throw invalid(`${found}: pass all that were ever added, 'raw' of the conversation, not its 'messages'`);
  }
  if (prints?.length !== messages.length) throw malformed('its list of fingerprints');
  messages.forEach((message, index) => {
    if (fingerprint(message) !== prints[index])
      throw invalid(`message ${index} differs from the one it was made with; pass the stored 'raw' unchanged`, index);
  });
  const shrunk = unpackIndices(body.shrunk, messages.length);
  if (shrunk === undefined) throw malformed('its list of shrunk messages');
  const epochs = body.epochs.map((epoch, at) => readEpoch<M>(epoch, at, body));
  const counters = { ...body.counters, edits: RULES.map((_, rule) => body.counters.edits[rule] ?? 0) };
  const { machine, threshold, offset } = body;
  return { shrunk, machine, threshold: threshold ?? undefined, offset, counters, epochs };
}

/** Something in a snapshot that `snapshot()` never writes. */
export function malformed(what: string, cause?: unknown): DensifyError {
  const message = `snapshot: ${what} is malformed; pass what snapshot() returned, unchanged`;
  return densifyError('invalid-snapshot', message, { cause });
}

function invalid(what: string, index?: number): DensifyError {
  return densifyError('invalid-snapshot', `snapshot: ${what}`, index === undefined ? {} : { index });
}

/** An epoch as errors name it. */
const nameOf = (at: number): string => `its epoch ${at} (the history between two summaries)`;

/** The body, if the sum is right: then it is as it was written. */
function checkBody(snapshot: unknown): Body {
  if (typeof snapshot !== 'object' || snapshot === null)
    throw invalid('found no object; pass what snapshot() returned');
  const {
    version,
    count,
    fingerprints,
    shrunk,
    machine,
    threshold,
    offset,
    counters,
    epochs,
    checksum: sum,
  } = snapshot as Body & {
    readonly checksum: unknown;
  };
  if (version !== VERSION)
    throw invalid(`found version ${describe(version)}, expected ${VERSION}; another release of densify made it`);
  const body: Body = { version, count, fingerprints, shrunk, machine, threshold, offset, counters, epochs };
  let text: string;
  try {
    text = JSON.stringify(body);
  } catch {
    throw invalid('it is not plain JSON');
  }
  if (typeof sum !== 'string' || checksum(text) !== sum)
    throw invalid('it was changed; pass it as snapshot() returned it');
  // A copy, so that nothing of it changes while it is read.
  const copy = JSON.parse(text) as Body;
  const isRight =
    isCount(copy.count) && isCounts(copy.machine) && Array.isArray(copy.epochs) && isCounters(copy.counters);
  if (!isRight || copy.epochs.length === 0) throw malformed('it');
  if (copy.threshold !== null && typeof copy.threshold !== 'number') throw malformed('its threshold');
  if (!Number.isInteger(copy.offset)) throw malformed('its token count from the provider');
  return copy;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}

function isCounters(value: unknown): value is Counters {
  const { edits, density, compressions, summaries, failures } = (value ?? {}) as Partial<Counters>;
  return (
    isCounts(edits) &&
    // Those of an earlier version know fewer rules.
    edits.length >= 6 &&
    edits.length <= RULES.length &&
    isCounts(density) &&
    density.length === 3 &&
    [compressions, summaries, failures].every(isCount)
  );
}

function readEpoch<M>(epoch: StoredEpoch | null, at: number, { count, epochs }: Body): ReadEpoch<M> {
  const { start, change, edits, texts, givenOut, bills, rewound, added } = epoch ?? ({} as Partial<StoredEpoch>);
  const words = unpackEdits(edits);
  const end = epochs[at + 1]?.start ?? count;
  const isText = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
  const isRight = isCount(start) && isCount(givenOut) && isCount(end) && start <= end && end <= count;
  if (words === undefined || !isText || !isRight || (at === 0) !== (change === null) || (at === 0 && start !== 0)) {
    throw malformed(nameOf(at));
  }
  const isBilled = Array.isArray(bills) && bills.every((bill) => typeof bill === 'number');
  const isRewound = rewound === null || isCount(rewound);
  if (!isBilled || !isRewound || typeof added !== 'number') throw malformed(nameOf(at));
  const record = { words, texts, givenOut, bills, rewound: rewound ?? undefined };
  return { start, change: readChange(change, at), record, added };
}

function readChange<M>(change: StoredChange | null | undefined, at: number): Change<M> | undefined {
  if (change === null) return undefined;
  const { top, moved, tail, inserted, withoutRequest, state, isBeforeAnswer } = change ?? ({} as Partial<StoredChange>);
  const isState = typeof state === 'object' && state !== null;
  if (!isCount(top) || !isCounts(moved) || !isCount(tail) || !Array.isArray(inserted) || !isState || top > tail) {
    throw malformed(`the summary of ${nameOf(at)}`);
  }
  const other = (withoutRequest ?? undefined) as M | undefined;
  const layout = { top, moved, tail };
  return {
    layout,
    inserted: inserted as readonly M[],
    withoutRequest: other,
    state,
    isBeforeAnswer: isBeforeAnswer === true,
  };
}

/** Refuses edits that don't fit the messages that they are of. */
export function checkEdits({ words, texts }: SessionRecord, messages: number, at: number): void {
  for (let word = 0; word < words.length; word += wordsOf(words[word]!)) {
    const text = textOf(words, word);
    const isText = text === undefined || text < texts.length;
    if (words[word + 1]! < messages && words[word + 2]! < messages && isText) continue;
    throw invalid(`the edits of ${nameOf(at)} are of other messages; restore it with those that it was made with`);
  }
}

/** Refuses a summary that doesn't fit the messages that it was made of. */
export function checkLayout({ layout: { tail, moved } }: Change<unknown>, messages: number, at: number): void {
  if (tail <= messages && moved.every((index) => index < messages)) return;
  throw invalid(`the summary of ${nameOf(at)} is of other messages; restore it with those that it was made with`);
}
