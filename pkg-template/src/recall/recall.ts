import { densifyError } from '../base/errors.js';
import { describe, needObject, onlyKnown, optionError, wrongArgument, wrongOption } from '../base/options.js';
import { isHighSurrogate } from '../base/utf16.js';
import { note, pointingTo } from './note.js';
import { EVERY_IN_TEXT, isReference, REFERENCE, References } from './references.js';
import {
  checkStore,
  isEntry,
  memoryStore,
  type RecallEntry,
  type RecallSnapshot,
  type RecallStore,
  readSnapshot,
} from './store.js';
import { joined, LONGEST, oneLine, subjectsIn } from './subject.js';
import type { Recall, Recalled, RecallMatch, RecallOptions } from './types.js';

/** The default of `maxCharacters`, in UTF-16 code units. */
const MOST = 8_000;
/** The number of matches shown by default. */
const MATCHES = 10;
/** The UTF-16 code units that are shown before and after a match. */
const AROUND = 200;
/** The length below which a text may be part of others by chance. */
const LEAST = 16;
/** The names under which messages have the texts of results. */
const RESULTS = ['result', 'content', 'output', 'text', 'value'];
const KEYS = ['secret', 'store', 'snapshot', 'maxCharacters'];

/**
 * Makes what keeps the things that are cut from one conversation.
 *
 * @example
 * const recall = createRecall({ secret: crypto.randomUUID() });
 * const conversation = createConversation({ strategy: 'auto', contextLimit: 200_000, recall });
 */
export function createRecall(options: RecallOptions): Recall {
  needObject(options);
  onlyKnown(options, KEYS);
  return new KeptTexts(options);
}

class KeptTexts implements Recall {
  readonly #references: References;
  readonly #store: RecallStore;
  readonly #most: number;
  readonly #forgotten = new Set<string>();
  /** The references that texts name, by their own; a text never changes. */
  readonly #named = new Map<string, readonly string[]>();
  /** The references of entries, as long as they have the texts that they were made of. */
  readonly #made = new WeakMap<RecallEntry, { readonly text: string; readonly reference: string }>();

  constructor({ secret, store = memoryStore(), snapshot, maxCharacters = MOST }: RecallOptions) {
    if (!(Number.isFinite(maxCharacters) && maxCharacters >= 100)) {
      throw wrongOption('maxCharacters', maxCharacters, 'a number of at least 100');
    }
    checkStore(store);
    this.#references = new References(secret);
    this.#store = store;
    this.#most = Math.floor(maxCharacters);
    for (const reference of store.forgotten?.() ?? []) this.#forgotten.add(reference);
    if (snapshot === undefined) return;
    const { entries, forgotten } = readSnapshot(snapshot);
    // Whose reference isn't that of its text was put in by somebody else.
    for (const [reference, entry] of entries) {
      if (this.#isOwn(reference, entry)) this.keep(entry.text, entry);
    }
    for (const reference of forgotten) this.forget(reference);
  }

  #isOwn(reference: string, entry: RecallEntry): boolean {
    if (!isEntry(entry)) return false;
    const { text } = entry;
    const known = this.#made.get(entry);
    if (known?.text === text) return known.reference === reference;
    // Of a long text it takes long: not for each of its pieces.
    const made = this.#references.of(text);
    this.#made.set(entry, { text, reference: made });
    return made === reference;
  }

  keep(text: string, about: Omit<RecallEntry, 'text'>): string {
    checkText(text);
    // What couldn't be read from a snapshot mustn't get into one.
    if (!isEntry({ ...about, text })) {
      const expected = "{cause: 'intake', 'edit', 'summary' or 'host'}, and texts for tool and subject";
      throw densifyError('invalid-options', `about: found ${shown(about)}, expected ${expected}`, { key: 'about' });
    }
    const reference = this.#references.of(text);
    if (this.#isOfForgotten(text)) this.#forgotten.add(reference);
    if (this.#forgotten.has(reference)) return reference;
    const { cause, tool, subject: known } = this.#found(reference, text) ?? about;
    const subject = joined(known, about.subject);
    if (this.#found(reference, text) !== undefined && subject === known) return reference;
    const more = { ...(tool !== undefined && { tool }), ...(subject !== undefined && { subject }) };
    atOnce(this.#store.set(reference, { text, cause, ...more }));
    // A note to what isn't there would be worse than none.
    if (this.#found(reference, text) !== undefined) return reference;
    throw densifyError(
      'callback-failed',
      "option store: 'get' returned a different text than 'set' stored. Make 'get' return the stored value unchanged",
      { key: 'store' },
    );
  }

  #get(reference: string): RecallEntry | undefined {
    return atOnce(this.#store.get(reference));
  }

  #found(reference: string, text: string): RecallEntry | undefined {
    const entry = this.#get(reference);
    return entry?.text === text ? entry : undefined;
  }

  recall(reference: string, offset = 0): Recalled | undefined {
    const entry = isReference(reference) ? this.#get(reference) : undefined;
    // The store may have been anywhere meanwhile.
    if (entry === undefined || !this.#isOwn(reference, entry)) return undefined;
    const from = Number.isInteger(offset) && offset > 0 ? Math.min(offset, entry.text.length) : 0;
    return this.#piece(reference, entry, from, from + this.#most);
  }

  #piece(reference: string, { text, cause, tool, subject: all }: RecallEntry, from: number, to: number): Recalled {
    // A small cap is for the text.
    const subject = oneLine(subjectsIn(all).join('; '), Math.min(LONGEST, Math.floor(this.#most / 8)));
    const [start, end] = [whole(text, from), whole(text, Math.min(to, text.length))];
    return {
      reference,
      text: text.slice(start, end),
      offset: start,
      length: text.length,
      ...(end < text.length ? { next: end } : {}),
      cause,
      ...(tool === undefined ? {} : { tool }),
      ...(subject === '' ? {} : { subject }),
    };
  }

  search(text: string, limit = MATCHES): readonly RecallMatch[] {
    checkText(text);
    const wanted = folded(text);
    if (wanted === '') return [];
    const matches: RecallMatch[] = [];
    const most = Number.isNaN(limit) ? MATCHES : limit;
    let left = this.#most;
    const all = this.#entries().reverse();
    const named = all.flatMap(([reference, entry]) => {
      const subject = subjectWith(entry, text);
      return subject === undefined ? [] : [[reference, { ...entry, subject }] as const];
    });
    const isNamed = new Set(named.map(([reference]) => reference));
    for (const [reference, entry] of [...named, ...all.filter(([reference]) => !isNamed.has(reference))]) {
      if (matches.length >= most || (matches.length > 0 && left < wanted.length)) break;
      const found = folded(entry.text).indexOf(wanted);
      if ((found < 0 && !isNamed.has(reference)) || !this.#isOwn(reference, entry)) continue;
      const at = Math.max(0, found);
      // One fewer, since a piece may begin one earlier so as not to tear a character.
      const before = Math.max(0, Math.min(AROUND, Math.floor((left - wanted.length) / 2) - 1));
      const behind = Math.min(Math.max(AROUND, wanted.length), left - before);
      const piece = this.#piece(reference, entry, Math.max(0, at - before), at + behind);
      left -= piece.text.length;
      matches.push({ ...piece, at });
    }
    return matches;
  }

  forget(reference: string): boolean {
    if (!isReference(reference)) return false;
    const gone = this.#get(reference);
    const text = gone !== undefined && this.#isOwn(reference, gone) ? gone.text : '';
    const isHeld = holding(text);
    for (const [other, entry] of this.#entries()) {
      if (other === reference) continue;
      const isMade = this.#namedIn(other, entry.text).includes(reference) && isMadeOf(entry.text, reference);
      if (isMade || isHeld(entry)) this.#erase(other);
    }
    // A line is known again without what is blank around it.
    if (text.trim() !== text && text.trim() !== '') this.#erase(this.#references.of(text.trim()));
    return this.#erase(reference);
  }

  #namedIn(reference: string, text: string): readonly string[] {
    const known = this.#named.get(reference);
    if (known !== undefined) return known;
    const named = referencesIn(text);
    this.#named.set(reference, named);
    return named;
  }

  #erase(reference: string): boolean {
    this.#forgotten.add(reference);
    this.#named.delete(reference);
    this.#references.forget();
    return atOnce(this.#store.delete(reference));
  }

  /** Whether a text is made of one that was forgotten, or has one for a line. */
  #isOfForgotten(text: string): boolean {
    if (this.#forgotten.size === 0) return false;
    if (referencesIn(text).some((each) => this.#forgotten.has(each) && isMadeOf(text, each))) return true;
    const lines = text.split('\n').map((line) => line.trim());
    return lines.some((line) => !isWord(line) && this.#forgotten.has(this.#references.of(line)));
  }

  /** A copy: what is looked through may be erased meanwhile. */
  #entries(): (readonly [string, RecallEntry])[] {
    return [...atOnce(this.#store.entries())];
  }

  snapshot(): RecallSnapshot {
    return { version: 1, entries: this.#entries(), forgotten: [...this.#forgotten] };
  }
}

function checkText(text: unknown): void {
  if (typeof text === 'string') return;
  throw wrongArgument('text', text, 'a string');
}

/** The report on a text, with its cause if known. */
function shown(about: unknown): string {
  const { cause } = (about ?? {}) as { readonly cause?: unknown };
  return typeof about === 'object' && about !== null ? `{cause: ${describe(cause)}, …}` : describe(about);
}

/** A text in lower case, each character where it stood. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (sign) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign)).join('');
}

/** The call among those of an entry that holds a text, however its words are spaced. */
function subjectWith({ subject }: RecallEntry, text: string): string | undefined {
  const wanted = text.length > LONGEST ? '' : folded(oneLine(text, LONGEST));
  return wanted === '' ? undefined : subjectsIn(subject).find((line) => folded(line).includes(wanted));
}

function referencesIn(text: string): readonly string[] {
  return text.match(EVERY_IN_TEXT) ?? [];
}

/** A text that stands for all of a result: a whole string of JSON, or all that there is. */
const STAND_IN = /* @__PURE__ */ new RegExp(
  `(?:"|^)\\[(?:[^"\\\\\\n]|\\\\.)* \\(recall (${REFERENCE})\\)\\](?:\\\\?"|$)`,
  'g',
);

/**
 * Whether a text is a shorter form of the referenced text, with its note, or an answer of `recall`. Where its note
 * stands alone, in a message whose result went, or a few words with it, nothing of it is left.
 */
function isMadeOf(text: string, reference: string): boolean {
  if (text.includes(`===== ${reference} BEGINS`)) return true;
  const left = text.replace(STAND_IN, (all, named) => (named === reference ? '' : all));
  const said = pointingTo(reference);
  return left.split(JSON.stringify(note(reference))).some((part) => part.includes(said));
}

/** What says of entries whether they hold a text, as it is or as JSON has it. */
function holding(text: string): (entry: RecallEntry) => boolean {
  const bare = text.trim();
  if (bare === '') return () => false;
  if (isWord(bare)) {
    const members = RESULTS.map((key) => `"${key}":${JSON.stringify(text)}`);
    return ({ text: other, cause }) => cause === 'summary' && members.some((member) => other.includes(member));
  }
  const given = bare.length < LEAST ? bare : text;
  const forms = [...new Set([given, inner(given), inner(inner(given))])];
  const isIn = bare.length < LEAST ? isWholeIn : (other: string, form: string) => other.includes(form);
  return ({ text: other, subject }) =>
    (other.length >= given.length && forms.some((form) => isIn(other, form))) ||
    (bare.length >= LEAST && subjectsIn(subject).some((line) => isNamedIn(line, bare)));
}

/** Whether a call's subject holds a text, or as much of it as it had room for. */
function isNamedIn(subject: string, text: string): boolean {
  const line = oneLine(text, LONGEST);
  const head = line.slice(0, LEAST);
  for (let at = subject.indexOf(head); at >= 0; at = subject.indexOf(head, at + 1)) {
    const rest = subject.slice(at);
    if (rest.startsWith(line) || (subject.length + 1 >= LONGEST && line.startsWith(rest))) return true;
  }
  return false;
}

/** Whether a text is one short word, or a number. */
function isWord(text: string): boolean {
  return text.length < LEAST && /^(?:[\p{L}\p{M}]*|[\d.,+-]*)$/u.test(text);
}

/** Whether a text stands among others as whole lines, or as a whole string of JSON. */
function isWholeIn(text: string, other: string): boolean {
  for (let at = text.indexOf(other); at >= 0; at = text.indexOf(other, at + 1)) {
    const [before, behind] = [text.slice(Math.max(0, at - 2), at), text.charAt(at + other.length)];
    if (/^$|[\n"]$|\\n$/.test(before) && /^[\r\n"\\]?$/.test(behind)) return true;
  }
  return false;
}

/** A text as it stands between the quotes of a JSON string. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The answer of a store, which must be synchronous. */
function atOnce<T>(given: T): T {
  const { then } = (given ?? {}) as { then?: unknown };
  if (typeof then !== 'function') return given;
  // The outcome is ignored on purpose.
  then.call(given, undefined, () => undefined);
  throw optionError('store', ': found a store that returns promises, expected a synchronous one');
}

/** The place, or the one before it if it lies inside a character. */
function whole(text: string, at: number): number {
  return at > 0 && at < text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
}
