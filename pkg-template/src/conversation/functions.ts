import { isDensifyError } from '../base/errors.js';
import { shrinker } from '../intake/shrinker.js';
import type { Adapter } from '../messages/adapter.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import { conversationEngine } from '../summary/engine.js';
import { summaries } from '../summary/functions.js';
import { type Redact, redactAll, redactingErrors, redactionOf } from '../summary/redaction.js';
import { composed } from '../summary/summaries.js';
import { type Change, goingIn, type HistoryRecord, type PastEpoch } from './history.js';
import { type Host, intakeFor, sessionsOf } from './host.js';
import { LiveConversation, type Origin } from './live.js';
import { readConversation } from './options.js';
import { checkEdits, checkLayout, malformed, type ReadSnapshot, readSnapshot } from './snapshot.js';
import type { Conversation, ConversationOptions, ConversationSnapshot } from './types.js';

export type { Host } from './host.js';
export type { Origin } from './live.js';

/** The instances that all conversations share. */
export function sharedHost(): Host {
  return { engine: conversationEngine(), summaries: summaries(), shrinker: shrinker() };
}

/** `createConversation`. */
export function createIn<M>(
  adapter: Adapter<M>,
  options: ConversationOptions<M>,
  host: Host = sharedHost(),
  origin: Origin<M> = unchanged(adapter, options),
): Conversation<M> {
  return redactingErrors(redactionIn(options, host), () => {
    return new LiveConversation(host, readConversation(adapter, options), origin);
  });
}

/** Options of a format that takes none of them off. */
function unchanged<M>(adapter: Adapter<M>, options: ConversationOptions<M>): Origin<M> {
  return { options, take: (rest) => ({ adapter, rest }) };
}

/** `restoreConversation`. */
export function restoreIn<M>(
  adapter: Adapter<M>,
  snapshot: ConversationSnapshot,
  messages: readonly M[],
  options: ConversationOptions<M>,
  host: Host = sharedHost(),
  origin: Origin<M> = unchanged(adapter, options),
): Conversation<M> {
  return redactingErrors(redactionIn(options, host), () =>
    restored(adapter, snapshot, messages, options, host, origin),
  );
}

/** What an error says of options and snapshots leaves as well. */
function redactionIn<M>(options: ConversationOptions<M> | undefined, host: Host): Redact {
  return redactionOf(options?.summary?.redact, host.summaries.redact);
}

function restored<M>(
  adapter: Adapter<M>,
  snapshot: ConversationSnapshot,
  messages: readonly M[],
  options: ConversationOptions<M>,
  host: Host,
  origin: Origin<M>,
): Conversation<M> {
  checkList(messages);
  const log = listFrom(messages, 0);
  const settings = readConversation(adapter, options);
  const read = redactedSummaries(readSnapshot(snapshot, log), redactionIn(options, host));
  const { machine, threshold, offset, counters } = read;
  const intake = intakeFor(host, settings, redactionIn(options, host), () => undefined);
  const shrunk = new Set(read.shrunk);
  const taken = log.map((message, index) => {
    if (shrunk.has(index)) return intake.take(message, index);
    intake.note(message);
    return message;
  });
  const history = { taken, ...rebuilt(adapter, read, taken, sessionsOf(host.engine, settings)) };
  try {
    return new LiveConversation(host, settings, origin, { history, machine, threshold, offset, counters }, log);
  } catch (cause) {
    const isOurs = isDensifyError(cause) && cause.key !== 'threshold';
    throw isOurs ? cause : malformed('its threshold', cause);
  }
}

/** Summaries may have been stored without redaction: whoever restores them with it sends and stores them redacted. */
function redactedSummaries<M>(read: ReadSnapshot<M>, redact: Redact): ReadSnapshot<M> {
  const redacted = (change: Change<M>): Change<M> => {
    try {
      return redactAll(change, redact);
    } catch (cause) {
      // Summaries of our own are flat; one that was made up may be as deep as the stack.
      throw cause instanceof RangeError ? malformed('a summary') : cause;
    }
  };
  const epochs = read.epochs.map((epoch) => {
    return epoch.change === undefined ? epoch : { ...epoch, change: redacted(epoch.change) };
  });
  return { ...read, epochs };
}

/** Makes every epoch's messages of those of the epoch before. */
function rebuilt<M>(
  adapter: Adapter<M>,
  { epochs }: ReadSnapshot<M>,
  log: readonly M[],
  create: ReturnType<typeof sessionsOf<M>>,
): Omit<HistoryRecord<M>, 'taken'> {
  const made: PastEpoch<M>[] = [];
  let left: readonly M[] = [];
  epochs.forEach(({ start, change, record, added }, at) => {
    if (change !== undefined) checkLayout(change, left.length, at);
    const prefix = change === undefined ? [] : composed(adapter, left, change);
    const messages = [...prefix, ...goingIn(adapter, change, log.slice(start, epochs[at + 1]?.start))];
    checkEdits(record, messages.length, at);
    made.push({ start, prefix, change, record, added });
    if (at + 1 < epochs.length) {
      const session = create();
      session.resume(messages, record);
      left = session.live.toList();
      session.dispose();
    }
  });
  const current = made.pop()!;
  return { past: made, current };
}
