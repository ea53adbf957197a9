import { KIND } from '../generated/protocol.js';
import { isPending, LoggedEdit, MOST_WORDS, NO_UNIT, wordsOf } from './edits.js';
import { UNIT_WORDS, type Writer } from './stream.js';

/**
 * Where the units of a history lie if some messages have several. The core numbers units, and the blocks of each unit. The
 * package numbers messages, and the blocks of each message through all its units.
 */
export class Places {
  /** The first unit of each message. */
  readonly #firsts: number[] = [];
  /** For each unit: its message, the number of its first block in that message, and its number of blocks. */
  readonly #messages: number[] = [];
  readonly #bases: number[] = [];
  readonly #counts: number[] = [];

  /** Places for a number of messages with one unit each. */
  static single(messages: number): Places {
    const places = new Places();
    for (let message = 0; message < messages; message += 1) {
      places.#firsts.push(message);
      places.#messages.push(message);
      places.#bases.push(0);
      places.#counts.push(0);
    }
    return places;
  }

  /** Adds a message that was described in some words. */
  add(words: Int32Array, from: number, to: number): void {
    const message = this.#firsts.length;
    this.#firsts.push(this.#messages.length);
    let base = 0;
    for (let at = from; at < to; ) {
      const count = words[at + 1]!;
      this.#messages.push(message);
      this.#bases.push(base);
      this.#counts.push(count);
      base += count;
      at += UNIT_WORDS;
      for (let left = count; left > 0; left -= 1) at += blockWords(words, at);
    }
  }

  /** Forgets all but the first messages, of which there are `messages`. */
  truncate(messages: number): void {
    const units = this.firstUnit(messages);
    this.#firsts.length = Math.min(this.#firsts.length, messages);
    for (const list of [this.#messages, this.#bases, this.#counts]) list.length = units;
  }

  /** The message of a unit; all other indices stay unchanged. */
  messageOf(unit: number): number {
    return this.#messages[unit] ?? unit;
  }

  /** The number of a unit's block in its message. */
  blockOf(unit: number, block: number): number {
    return (this.#bases[unit] ?? 0) + block;
  }

  /** The first unit of a message; behind the last message the number of units. */
  firstUnit(message: number): number {
    return this.#firsts[message] ?? this.#messages.length;
  }

  /** The edits of messages, from the edits of units in the core's output. */
  edits(words: Uint32Array, from: number, count: number, texts: readonly string[]): LoggedEdit[] {
    const dropped = this.#droppedUnits(words, from, count);
    const edits: LoggedEdit[] = [];
    const scratch = new Uint32Array(MOST_WORDS);
    const add = (head: number, message: number, cause: number, anchor: number, block: number) => {
      scratch[0] = head;
      scratch[1] = message;
      scratch[2] = cause;
      scratch[3] = anchor;
      scratch[4] = block;
      edits.push(new LoggedEdit(scratch, 0, texts));
    };
    let at = from;
    for (let left = count; left > 0; left -= 1, at += wordsOf(words[at]!)) {
      const head = words[at]!;
      const unit = words[at + 1]!;
      const message = this.messageOf(unit);
      const cause = this.messageOf(words[at + 2]!);
      const anchor = this.messageOf(words[at + 3]!);
      const units = this.firstUnit(message + 1) - this.firstUnit(message);
      if ((head & 0xff) > 0) {
        for (let word = 5; word < wordsOf(head); word += 1) scratch[word] = words[at + word]!;
        add(head, message, cause, anchor, this.blockOf(unit, words[at + 4]!));
      } else if (dropped.get(message) === units) {
        // The whole message goes: reported once, at its first unit.
        if (unit === this.firstUnit(message)) add(head, message, cause, anchor, 0);
      } else {
        const base = this.#bases[unit] ?? 0;
        const blocks = this.#counts[unit] ?? 0;
        for (let block = base; block < base + blocks; block += 1) {
          add(head | DROP_BLOCK, message, cause, anchor, block);
        }
      }
    }
    return edits;
  }

  /** How many units of each message go together, among some edits. */
  #droppedUnits(words: Uint32Array, from: number, count: number): ReadonlyMap<number, number> {
    const dropped = new Map<number, number>();
    const anchors = new Map<number, number>();
    let at = from;
    for (let left = count; left > 0; left -= 1, at += wordsOf(words[at]!)) {
      if ((words[at]! & 0xff) > 0) continue;
      const message = this.messageOf(words[at + 1]!);
      const anchor = isPending(words[at]!) ? this.messageOf(words[at + 3]!) : NO_UNIT;
      const isTogether = (anchors.get(message) ?? anchor) === anchor;
      anchors.set(message, anchor);
      dropped.set(message, isTogether ? (dropped.get(message) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
    }
    return dropped;
  }

  /** Edits of messages as words, as those of units. */
  toUnits(words: Uint32Array): Uint32Array {
    const units: number[] = [];
    for (let at = 0; at < words.length; at += wordsOf(words[at]!)) {
      const [head = 0, message = 0, cause = 0, anchored = 0, block = 0, ...rest] = words.subarray(
        at,
        at + wordsOf(words[at]!),
      );
      const anchor = anchored === NO_UNIT ? NO_UNIT : this.firstUnit(anchored);
      const first = this.firstUnit(message);
      const end = this.firstUnit(message + 1);
      if ((head & 0xff) === 0) {
        for (let unit = first; unit < end; unit += 1) units.push(head, unit, cause, anchor);
        continue;
      }
      let unit = first;
      while (unit + 1 < end && this.#bases[unit + 1]! <= block) unit += 1;
      units.push(head, unit, cause, anchor, block - (this.#bases[unit] ?? 0), ...rest);
    }
    return Uint32Array.from(units);
  }
}

/** The bit that turns the head of a dropped message into that of a dropped block. */
const DROP_BLOCK = 1;

/** The number of words in the block that begins here. */
function blockWords(words: Int32Array, at: number): number {
  const kind = words[at]! & 0xff;
  if (kind === KIND.toolCall) return 6 + words[at + 5]!;
  if (kind === KIND.toolResponse) return 5;
  return kind === KIND.media ? 4 : 3;
}

/** What the writer of a message reports about it. */
type Written = Pick<Writer, 'words' | 'length' | 'further'>;

/** Notes the message that was described last, if it, or one before it, has several units. */
export function placed(
  places: Places | undefined,
  { words, length, further }: Written,
  start: number,
  index: number,
): Places | undefined {
  if (places === undefined && further === 0) return undefined;
  const found = places ?? Places.single(index);
  found.add(words, start, length);
  return found;
}
