import { parseJson } from '../base/json.js';
import { secondsOf } from '../base/time.js';
import { hasLoneSurrogate } from '../base/utf16.js';
import type { LoggedEdit } from '../core/edits.js';
import type { Adapter, ShrinkText } from '../messages/adapter.js';
import { calledFlags, isBlank, unreadable } from '../messages/facts.js';
import { patched } from '../messages/patch.js';
import { holdsSame } from '../messages/same.js';
import { factorOf } from '../models/measured.js';
import type { ModelPrices } from '../models/prices.js';
import type { Target } from '../models/target.js';
import { keptFor } from './breakpoints.js';
import type { Format } from './format.js';
import { type ImageFormulaName, imageFormulaOf } from './images.js';
import { EVERY, editableText, type Listed, ListedBlocks, type Listing, leafOf } from './listed-blocks.js';
import { StreamBlocks } from './stream-blocks.js';

/** Stands for the only text of a message of which an edit left nothing but white space. */
const CUT = '[Removed: it is included again later]';

/** The options that say where messages of a format go. */
export function targetKeys<M extends object, O extends Target>(format: Format<M, O>): readonly string[] {
  return ['model', 'provider', ...format.options];
}

/** The adapters of each format, by the target's key. */
const made = new WeakMap<object, Map<string, unknown>>();
/**
 * One of each for all messages; whoever is called within a reading makes another. They stay: engines drop compiled
 * code for a shape of objects once they have collected the last such object.
 */
let spare: StreamBlocks | undefined;
let spareList: ListedBlocks | undefined;

/**
 * The adapter of a format, for a target with some capabilities. There is one, which stays: engines forget the code
 * of functions of which none is left, and each optimizer would begin as slowly as the first.
 */
export function adapterFor<M extends object, O extends Target>(
  format: Format<M, O>,
  capabilities: number,
  images = imageFormulaOf(format, {}),
  factor = factorOf({}, format.family),
  prices?: ModelPrices,
): Adapter<M> {
  let known = made.get(format);
  if (known === undefined) made.set(format, (known = new Map<string, unknown>()));
  const key = `${capabilities} ${images} ${factor} ${prices?.family}`;
  const found = known.get(key) as Adapter<M> | undefined;
  if (found !== undefined) return found;
  const adapter = adapterOf(format, capabilities, images, factor, prices);
  known.set(key, adapter);
  return adapter;
}

function adapterOf<M extends object, O extends Target>(
  format: Format<M, O>,
  capabilities: number,
  images: ImageFormulaName,
  factor: number,
  prices: ModelPrices | undefined,
): Adapter<M> {
  const texts = foundTexts(format);
  return {
    carrier: format.carrier ?? 'content',
    options: targetKeys(format),
    capabilities,
    factor,
    prices,
    time: format.time && orZero((message) => secondsOf(format.time!(message))),
    keptFor: format.breakpoints && orZero((message) => keptFor(message, format.breakpoints!)),
    read(message, index, writer, names, callbacks, tokens) {
      const start = writer.length;
      texts.forget();
      const blocks = spare ?? new StreamBlocks();
      spare = undefined;
      try {
        const flags = calledFlags(callbacks, message, index);
        blocks.begin(writer, names, index, flags, callbacks.isFailure, tokens, format, images);
        format.describe(message, blocks);
        if (!blocks.hasUnit) blocks.unit('other');
      } catch (thrown) {
        unreadable(thrown, index, writer, start, tokens);
      } finally {
        blocks.end();
        spare = blocks;
      }
    },
    text: texts.of,
    apply: (message, edits) => applied(format, message, edits),
    make: (speaker, text, isSummary) => format.make(speaker, text, isSummary),
    withResults: (message, shrink) => withResults(format, message, shrink),
    withoutThinking(message) {
      const changes = new Map<number, null>();
      listed(format, message).list.forEach(({ kind, speaker }, number) => {
        if (kind === 'thinking' && speaker === 'ai') changes.set(number, null);
      });
      return changes.size === 0 ? message : format.edit(message, changes);
    },
    *calls(message) {
      for (const { kind, id, name, value, isJson } of listed(format, message).list) {
        if (kind !== 'call' || typeof id !== 'string') continue;
        const parameters = isJson ? parseJson(value as string) : value;
        yield { id, name: typeof name === 'string' ? name : '', parameters };
      }
    },
    isEmpty(message) {
      try {
        const { speakers, list } = listed(format, message);
        const isAi = speakers.length > 0 && speakers.every((speaker) => speaker === 'ai');
        return isAi && list.every(({ kind, value }) => kind === 'text' && isBlank(value as string));
      } catch {
        return false;
      }
    },
    sameTexts(known, fresh) {
      if (known === fresh) return true;
      try {
        const texts = textsOf(listed(format, known).list);
        const others = texts.length === 0 ? texts : textsOf(listed(format, fresh).list);
        return texts.every((text, at) => holdsSame(text, others[at]));
      } catch {
        return true; // what can't be read holds nothing that an edit depends on
      }
    },
  };
}

/** Reads a number of a message; 0 where reading fails. */
function orZero<M>(read: (message: M) => number): (message: M) => number {
  return (message) => {
    try {
      return read(message);
    } catch {
      return 0;
    }
  };
}

/** How the texts of a format's messages are found. */
interface Texts<M> {
  of(message: M, number: number, leaf: number): string | undefined;
  /** Forgets what is known of messages, before one is read again. */
  forget(): void;
}

/** Texts are asked for block by block: of a message that is asked for again all blocks are kept at hand. */
function foundTexts<M extends object, O extends Target>(format: Format<M, O>): Texts<M> {
  let last: M | undefined;
  let all: readonly Listed[] | undefined;
  return {
    of(message, number, leaf) {
      if (last !== message) {
        all = undefined;
        last = message;
        const [block] = listed(format, message, number).list;
        return block === undefined ? undefined : leafOf(block, leaf);
      }
      const block = (all ??= listed(format, message).list)[number];
      return block === undefined ? undefined : leafOf(block, leaf);
    },
    forget() {
      last = undefined;
      all = undefined;
    },
  };
}

/** All blocks of a message, or the one of a number. */
export function listed<M extends object, O extends Target>(format: Format<M, O>, message: M, wanted = EVERY): Listing {
  const blocks = spareList ?? new ListedBlocks();
  spareList = undefined;
  let listing: Listing;
  blocks.begin(wanted);
  try {
    format.describe(message, blocks);
  } finally {
    listing = blocks.end();
    spareList = blocks;
  }
  return listing;
}

/**
 * Edits depend on user messages, on arguments of calls and on results: the length of a text doesn't tell it from
 * another.
 */
function textsOf(list: readonly Listed[]): unknown[] {
  const matters = ({ kind, speaker }: Listed) =>
    kind === 'call' || kind === 'response' || (kind === 'text' && speaker === 'human');
  return list.filter(matters).map((block) => (block.kind === 'call' ? block.value : editableText(block)));
}

function applied<M extends object, O extends Target>(
  format: Format<M, O>,
  message: M,
  edits: readonly LoggedEdit[],
): M | undefined {
  const changes = new Map<number, string | null>();
  let cuts: Map<number, LoggedEdit[]> | undefined;
  let hasDrops = false;
  for (const edit of edits) {
    const { kind, block, rule } = edit;
    if (kind === 'drop') return undefined;
    if (changes.get(block) === null) continue;
    if (kind === 'drop-block') {
      changes.set(block, null);
      // Only these take no words of the user's: otherwise the rest may be white space, so it must be checked.
      hasDrops ||= rule !== 'stale-reads' && rule !== 'bound-thinking';
    } else if (kind === 'set') changes.set(block, edit.text ?? '');
    else if (cuts?.has(block) === true) cuts.get(block)?.push(edit);
    else (cuts ??= new Map<number, LoggedEdit[]>()).set(block, [edit]);
  }
  if (cuts === undefined && !(hasDrops && format.refusesBlank)) return format.edit(message, changes);
  const lone = cuts === undefined || hasDrops || cuts.size > 1 ? undefined : withoutSpans(format, message, cuts);
  if (lone !== undefined && !changes.has(lone.block)) {
    changes.set(lone.block, lone.text);
    return format.edit(message, changes);
  }
  const { list } = listed(format, message);
  /** A text of the user's of which nothing is left. */
  let emptied: number | undefined;
  const empty = (block: number): void => {
    changes.set(block, null);
    if (emptied === undefined || block < emptied) emptied = block;
  };
  for (const [block, spans] of cuts ?? []) {
    const found = list[block];
    // A text that was replaced after some of it had been cut is whole again.
    if (changes.has(block) || found === undefined) continue;
    const text = patched(editableText(found) ?? '', spans);
    if (format.refusesBlank && isBlank(text)) empty(block);
    else changes.set(block, text);
  }
  for (const [block, change] of changes) if (change === null && isHumanText(list[block])) empty(block);
  const says = ({ kind, value }: Listed, block: number): boolean =>
    changes.get(block) !== null && !(kind === 'text' && !changes.has(block) && isBlank(value as string));
  // The rest may be white space, which providers count as empty.
  if (emptied !== undefined && format.refusesBlank && !list.some(says)) changes.set(emptied, CUT);
  return format.edit(message, changes);
}

/** The one text of a message that lacks spans, unless there is nothing left of it; the other blocks needn't be listed for it. */
function withoutSpans<M extends object, O extends Target>(
  format: Format<M, O>,
  message: M,
  cuts: ReadonlyMap<number, LoggedEdit[]>,
): { readonly block: number; readonly text: string } | undefined {
  for (const [block, spans] of cuts) {
    const [found] = listed(format, message, block).list;
    const text = patched((found && editableText(found)) ?? '', spans);
    if (found !== undefined && !(format.refusesBlank && isBlank(text))) return { block, text };
  }
  return undefined;
}

function isHumanText(block: Listed | undefined): boolean {
  return block?.kind === 'text' && block.speaker === 'human';
}

function withResults<M extends object, O extends Target>(format: Format<M, O>, message: M, shrink: ShrinkText): M {
  const changes = new Map<number, string>();
  const outputs = new Map<number, string>();
  listed(format, message).list.forEach((block, number) => {
    const text = block.kind === 'response' ? editableText(block) : undefined;
    // What isn't well-formed would come back changed.
    if (text === undefined || hasLoneSurrogate(text)) return;
    const [tool, call]: unknown[] = [block.name, block.id];
    const shorter = shrink(text, typeof tool === 'string' ? tool : '', typeof call === 'string' ? call : '');
    if (shorter !== undefined) (typeof block.value === 'string' ? changes : outputs).set(number, shorter);
  });
  const edited = changes.size === 0 ? message : (format.edit(message, changes) ?? message);
  return outputs.size === 0 ? edited : (format.editOutputs?.(edited, outputs) ?? edited);
}
