import {
  type Conversation,
  createConversation,
  createOptimizer,
  type Edit,
  estimateTokens,
  type IContent,
} from 'densify';
import { createRecall, memoryStore, type Recall } from 'densify/recall';
import type { Compression, Facts } from '../engine/api.js';
import { EditLog, type FullReplay, type Origin } from '../engine/edit-log.js';
import { type CountTokens, textOf, tokensOf } from '../engine/facts.js';
import { conversationOptions, optimizeOptions, type Settings } from '../lib/settings.js';
import { follow, pairs, type Standing } from './standing.js';

/** Cut texts that are kept. */
export interface Kept {
  readonly recall: Recall;
  readonly size: () => number;
  /** The reference of a text that is kept. */
  readonly referenceOf: (text: string) => string | undefined;
}

/** What a recall is made with. */
export interface Keeping {
  readonly secret: string;
  /** References that are never to be kept again. */
  readonly forgotten: readonly string[];
}

/** What keeps the texts that a replay cuts. */
export function keeping({ secret, forgotten }: Keeping): Kept {
  const store = memoryStore();
  const recall = createRecall({ secret, store, snapshot: { version: 1, entries: [], forgotten } });
  let references: Map<string, string> | undefined;
  const size = (): number => [...store.entries()].length;
  return {
    recall,
    size,
    referenceOf(text) {
      if (references?.size !== size())
        references = new Map([...store.entries()].map(([reference, entry]) => [entry.text, reference]));
      return references.get(text);
    },
  };
}

/** One conversation, call by call: densify's conversations decide by themselves when to do what. */
export class Conversed {
  readonly #contents: readonly IContent[];
  readonly #facts: Facts;
  readonly #log: EditLog;
  readonly #count: CountTokens | undefined;
  /** The effect of the rules alone on each block: a conversation doesn't say. */
  readonly #byRules = new Map<number, Omit<Origin, 'call'>>();
  #standing: readonly Standing[] = [];
  #call = 0;
  #newest = 0;
  /** The text of the newest digest. */
  #digest = '';

  constructor(facts: Facts, contents: readonly IContent[], count?: CountTokens) {
    this.#facts = facts;
    this.#contents = contents;
    this.#count = count;
    this.#log = new EditLog(facts);
  }

  run(settings: Settings, workspaceRoot: string, kept?: Kept): FullReplay {
    const { calls } = this.#facts;
    const [before, after, cached] = [calls, calls, calls].map(({ length }) => new Uint32Array(length)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const compressions: Compression[] = [];
    const callbacks = { countTokens: this.#count };
    const options = { ...conversationOptions(settings, workspaceRoot), ...callbacks, recall: kept?.recall };
    using talk = createConversation<IContent>(options);
    using rules = createOptimizer<IContent>({ ...optimizeOptions(settings, workspaceRoot), ...callbacks });
    let [given, total] = [0, 0];
    let sent: readonly IContent[] = [];
    calls.forEach((length, call) => {
      this.#call = call;
      this.#newest = Math.max(0, length - 1);
      talk.addAll(this.#contents.slice(given, length));
      const taken = talk.messages.slice(this.#standing.length);
      for (const message of taken) rules.push(message);
      this.#noteRules(rules.optimize().edits);
      this.#take(taken, given);
      const compression = this.#settle(talk);
      if (compression) compressions.push(compression);
      for (let entry = given; entry < length; entry += 1) total += tokensOfEntry(this.#facts, entry);
      before[call] = total;
      after[call] = talk.tokens.current;
      cached[call] = this.#shared(sent);
      sent = talk.messages;
      given = length;
    });
    const { threshold: trigger, target } = talk.tokens;
    const { milliseconds } = talk.stats;
    const course = { before, after, cached, compressions, trigger, target, milliseconds, kept: kept?.size() ?? 0 };
    const replay = this.#log.finish(course, this.#contents, (entry) => this.#isKept(entry));
    return { replay, texts: this.#log.texts, messages: talk.messages };
  }

  /** What comes before a send; where a model's summary would be asked for there is a digest, as in a replay. */
  #settle(talk: Conversation<IContent>): Compression | undefined {
    talk.ensureOptimized();
    this.#follow(talk.messages, ['result-summary', 'bound-thinking']);
    const [before, compressions] = [talk.tokens.current, talk.stats.compressions];
    if (!isReady(talk)) {
      talk.digest();
      isReady(talk);
    }
    if (talk.stats.compressions === compressions) {
      // A compression that finds nothing makes what waited.
      this.#follow(talk.messages, ['result-summary', 'bound-thinking']);
      return undefined;
    }
    const prior = this.#standing;
    this.#follow(talk.messages, ['result-summary', 'truncation']);
    const after = talk.tokens.current;
    return { call: this.#call, before, after, tail: tailOf(prior, this.#standing) };
  }

  #noteRules(edits: readonly Edit[]): void {
    const { blockStart } = this.#facts;
    for (const { rule, cause, ...edit } of edits) {
      const first = blockStart[edit.index] ?? 0;
      const end = edit.kind === 'drop' ? (blockStart[edit.index + 1] ?? first) : first + edit.block + 1;
      for (let block = edit.kind === 'drop' ? first : end - 1; block < end; block += 1)
        this.#byRules.set(block, { rule, cause });
    }
  }

  /** Takes in the messages that were added, whose results may have been shortened. */
  #take(taken: readonly IContent[], given: number): void {
    const standing = taken.map((message, at): Standing => {
      const entry = given + at;
      const [raw, first] = [this.#contents[entry] ?? message, this.#facts.blockStart[entry] ?? 0];
      const known = { message: raw, entry, blocks: raw.blocks.map((_, index) => first + index), tokens: 0 };
      known.tokens = this.#log.sum(entry, entry + 1);
      return message === raw ? known : this.#change(known, message, () => ({ rule: 'intake', cause: entry }));
    });
    this.#standing = [...this.#standing, ...standing];
  }

  /** Follows the messages to their present state. Changes that the rules didn't make get another cause. */
  #follow(list: readonly IContent[], [changes, drops]: readonly [string, string]): void {
    const cause = this.#newest;
    const byRules = (block: number, rule: string): Omit<Origin, 'call'> => {
      const found = this.#byRules.get(block);
      this.#byRules.delete(block);
      return found ?? { rule, cause };
    };
    this.#standing = follow(this.#standing, list, {
      changed: (known, message) => this.#change(known, message, (block) => byRules(block, changes)),
      dropped: (gone, inserted) => {
        const blocks = gone.flatMap((one) => one.blocks);
        const summary = gone.find(({ entry }) => entry === undefined);
        const anchor = inserted.length > 0 ? (summary?.blocks[0] ?? blocks[0] ?? 0) : undefined;
        for (const block of new Set(blocks)) {
          if (block === anchor || (this.#log.left[block] ?? 0) === 0) continue;
          const origin = anchor === undefined ? byRules(block, drops) : { rule: 'digest', cause };
          this.#log.note({ call: this.#call, ...origin }, block, 0, {});
        }
        return anchor === undefined ? [] : this.#insert(inserted, anchor);
      },
    });
  }

  /** A digest is shown instead of one of the blocks that it replaces. */
  #insert(inserted: readonly IContent[], anchor: number): Standing[] {
    const options = { countTokens: this.#count };
    this.#digest = inserted.flatMap(({ blocks }) => blocks.map(textOf)).join('\n\n');
    const origin = { call: this.#call, rule: 'digest', cause: this.#newest };
    this.#log.note(origin, anchor, estimateTokens(inserted, options), { text: this.#digest });
    return inserted.map((message) => {
      return { message, entry: undefined, blocks: [anchor], tokens: estimateTokens([message], options) };
    });
  }

  #change(known: Standing, message: IContent, originOf: (block: number) => Omit<Origin, 'call'>): Standing {
    const blocks: number[] = [];
    pairs(known.message, message).forEach(([before, after], index) => {
      const block = known.blocks[index] ?? 0;
      if (after) blocks.push(block);
      if (after === before) return;
      const tokens = after ? tokensOf(message, after, this.#count) : 0;
      const text = after ? { text: textOf(after) } : {};
      this.#log.note({ call: this.#call, ...originOf(block) }, block, tokens, text);
    });
    const tokens = blocks.reduce((sum, block) => sum + (this.#log.left[block] ?? 0), 0);
    return { message, entry: known.entry, blocks, tokens };
  }

  /** Tokens of the messages that begin this request just as they began the one before. */
  #shared(sent: readonly IContent[]): number {
    let tokens = 0;
    for (let at = 0; at < sent.length && this.#standing[at]?.message === sent[at]; at += 1)
      tokens += this.#standing[at]?.tokens ?? 0;
    return tokens;
  }

  /** Whether an entry is there, or word for word in the digest. */
  #isKept(entry: number): boolean {
    if (this.#standing.some((one) => one.entry === entry)) return true;
    const words = this.#contents[entry]?.blocks.map(textOf).join('\n').trim() ?? '';
    return words !== '' && this.#digest.includes(words);
  }
}

/** Whether the messages may be sent; a summary in the background is done without. */
function isReady(talk: Conversation<IContent>): boolean {
  try {
    const step = talk.beforeSend();
    if (step.kind === 'ready') step.background?.cancel();
    return step.kind === 'ready';
  } catch (error) {
    // In a window as small as that, no model could even be asked.
    if (error instanceof Error && 'key' in error && error.key === 'contextLimit') return false;
    throw error;
  }
}

function tokensOfEntry({ blockStart, tokens }: Facts, entry: number): number {
  return tokens.subarray(blockStart[entry], blockStart[entry + 1]).reduce((sum, count) => sum + count, 0);
}

/** How many of the newest entries a compression left as they were. */
function tailOf(prior: readonly Standing[], now: readonly Standing[]): number {
  let tail = 0;
  while (tail < now.length && now.at(-1 - tail)?.message === prior.at(-1 - tail)?.message) tail += 1;
  return tail;
}
