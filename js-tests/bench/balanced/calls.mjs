/**
 * What later calls make of earlier ones: the same call made again, a call that failed and then succeeded, and the
 * arguments of writes whose content a later result shows.
 *
 * @import {Call, Result} from './result.mjs'
 * @import {Seen} from './rules.mjs'
 * @import {Deed} from './deeds.mjs'
 * @import {References} from './references.mjs'
 * @import {LineNumbers} from './text.mjs'
 */
import { remember, writtenAs } from './references.mjs';
import { isPart } from './said.mjs';
import { jsonLength, keyParameter, rowsOf, subjectOf } from './text.mjs';

/** Strings of so many characters are long. */
const LONG = 150;
/** Stands in calls whose results change by themselves, or with what the shell puts into them. */
const CHANGING = /sleep|date|tail |\.log|\/proc|\/tmp|ps |\$/;

/** What a call asks for. @param {Seen} seen @param {Call} call */
const askedBy = ({ result, place }, call) =>
  `${place} ${result.block.toolName}\n${JSON.stringify(call.block.parameters)}`;

/** A pointer to a new result in the place of an older one, unless others refer to that. @param {References} references @param {Result} old @param {Seen} seen @param {string} why */
function giveWay(references, old, { result, isGivenCompacted }, why) {
  if (isGivenCompacted || !references.areIn(result.subject, [old])) return;
  old.replace(`[… ${why}: ${result.subject}]`);
}

/** @param {Result} older @param {Seen} seen */
const isWhole = (older, { result, rows }) => older.size <= result.size && !isPart(result.text, rows);

export class RepeatedCalls {
  /** @type {Map<string, {at: number, newest: Result | undefined}>} by tool and arguments */ #calls = new Map();
  #changes = 0;
  #references;
  #humans;

  /** @param {References} references @param {readonly number[]} humans */
  constructor(references, humans) {
    this.#references = references;
    this.#humans = humans;
  }

  /** @param {number} from @param {number} to */
  #isHumanBetween(from, to) {
    const last = this.#humans.findLast((entry) => entry < to);
    return last !== undefined && last >= from;
  }

  /** @param {Seen} seen @param {Call} call @param {readonly Deed[]} deeds */
  see(seen, call, deeds) {
    const { result } = seen;
    const key = askedBy(seen, call);
    if (deeds.some(({ type }) => type !== 'shows')) this.#changes++;
    const isPure = deeds.length === 0 && !['read', 'write', 'edit'].includes(call.facts.kind) && !CHANGING.test(key);
    const known = this.#calls.get(key);
    if (known?.newest && known.at === this.#changes && isPure && seen.isEffective)
      if (isWhole(known.newest, seen) && !this.#isHumanBetween(known.newest.entry, result.entry))
        giveWay(this.#references, known.newest, seen, 'the same call, made again later');
    this.#calls.set(key, { at: this.#changes, newest: seen.isCuttable ? result : undefined });
  }
}

export class FailedCalls {
  /** @type {Map<string, Result[]>} what didn't succeed yet, by tool and arguments */ #failed = new Map();
  #references;

  /** @param {References} references */
  constructor(references) {
    this.#references = references;
  }

  /** @param {Seen} seen @param {Call} call */
  see(seen, call) {
    const { result } = seen;
    const key = askedBy(seen, call);
    const failed = this.#failed.get(key) ?? [];
    if (!seen.isRefused) {
      for (const old of failed) giveWay(this.#references, old, seen, 'it failed, and succeeded later');
      this.#failed.delete(key);
    }
    if (result.isFailed && seen.isCuttable) this.#failed.set(key, [...(seen.isRefused ? failed : []), result]);
  }
}

export class WriteArguments {
  /** @type {Map<string, {call: Call, result: Result, texts: number[][]}[]>} by path */ #calls = new Map();
  #numbers;
  #references;

  /** @param {LineNumbers} numbers @param {References} references */
  constructor(numbers, references) {
    this.#numbers = numbers;
    this.#references = references;
  }

  /** @param {Seen} seen @param {Call} call @param {Deed} deed @param {readonly Result[]} ofFile the results that showed the file @param {(call: Call, text: string) => void} shorten */
  see(seen, call, deed, ofFile, shorten) {
    if (!seen.isEffective || deed.type === 'anything') return;
    const [isWritten, isShown] = [deed.type === 'writes', deed.type === 'shows'];
    let calls = this.#calls.get(deed.path) ?? [];
    if (isWritten || isShown)
      calls = calls.filter((older) => {
        const key = writtenAs(subjectOf(older.call.block.name, keyParameter(older.call.block.parameters)));
        const isFree = () => isWritten && this.#references.areIn(key, [older.result, ...ofFile]);
        if (!hold(seen.numbers, older.texts) && !isFree()) return true;
        this.#references.passOn(key, seen.result.subject);
        const text = `[… shown or rewritten later: ${seen.result.subject}]`;
        if (jsonLength(text) <= LONG) shorten(older.call, text);
        return false;
      });
    // The text may be all that says which file it is.
    const texts = isShown || call.facts.paths.length === 0 ? [] : writtenBy(call);
    if (texts.some((text) => text.length >= LONG)) {
      const lines = (/** @type {string} */ text) => rowsOf(text, false).map(({ content }) => this.#numbers.of(content));
      remember(calls, { call, result: seen.result, texts: texts.map(lines) });
    }
    this.#calls.set(deed.path, calls);
  }
}

/** Whether some lines hold, together and in order, the lines of all texts. @param {readonly number[]} shown @param {readonly (readonly number[])[]} texts */
function hold(shown, texts) {
  return texts.length > 0 && texts.every((lines) => isWithin(shown, lines));
}

/** @param {readonly number[]} shown @param {readonly number[]} lines */
function isWithin(shown, lines) {
  if (lines.length === 0) return true;
  for (let at = shown.indexOf(lines[0]); at >= 0; at = shown.indexOf(lines[0], at + 1)) {
    let count = 1;
    while (count < lines.length && shown[at + count] === lines[count]) count++;
    if (count === lines.length) return true;
  }
  return false;
}

/** What a call puts into its file, of which a later result can show all. */
const WRITTEN = new Set('content file_text contents new_string new_str newText newString new_text'.split(' '));

/** Arguments, and those of each of the changes that a call makes one after the other. @param {any} parameters @returns {any[]} */
const membersOf = (parameters) => [parameters, ...(Array.isArray(parameters?.edits) ? parameters.edits : [])];

/** @param {any} members @returns {[string, string][]} */
function writtenIn(members) {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return [];
  return Object.entries(members).filter(([key, value]) => WRITTEN.has(key) && typeof value === 'string');
}

/** The texts among arguments that a call put into its file. @param {Call} call */
export const writtenBy = ({ block }) =>
  membersOf(block.parameters)
    .flatMap(writtenIn)
    .map(([, text]) => text);

/** Arguments with a text in the place of each long string that was written. @param {any} parameters @param {string} text @returns {any} */
export function shortened(parameters, text) {
  const { edits } = parameters;
  const changed = (/** @type {any} */ members) => {
    const long = writtenIn(members).filter(([, value]) => value.length >= LONG);
    return long.length === 0 ? members : { ...members, ...Object.fromEntries(long.map(([key]) => [key, text])) };
  };
  return changed(Array.isArray(edits) ? { ...parameters, edits: edits.map(changed) } : parameters);
}
