/**
 * Which results are referred to by the pointers in others: what was cut there is only here.
 *
 * @import {Result} from './result.mjs'
 * @import {Row} from './text.mjs'
 */
import { OURS, unreferred } from './text.mjs';

/** So many items a list keeps. */
const MOST = 128;

/** @template T @param {T[]} list @param {T} item */
export function remember(list, item) {
  if (list.length === MOST) list.shift();
  list.push(item);
}

/** What was written by what a subject names. @param {string} subject */
export const writtenAs = (subject) => `${subject}\n`;

export class References {
  /** @type {Map<string, Result[]>} the results with pointers by subject */ #results = new Map();

  /** @param {Result} result @param {readonly Row[]} rows */
  see(result, rows) {
    for (const { content } of rows) this.#note(result, content);
    for (const { text } of result.spans) this.#note(result, text);
    if (result.replacement !== undefined) this.#note(result, result.replacement);
  }

  /** @param {Result} result @param {string} line */
  #note(result, line) {
    if (!line.startsWith(OURS)) return;
    const named = unreferred(line.trimEnd());
    const at = named.indexOf(': ', OURS.length);
    if (at < 0 || !named.endsWith(']')) return;
    const what = named.slice(OURS.length, at);
    const lines = what.replace(/ as written$/, '');
    if (!lines.endsWith(' lines') && lines !== 'the same') return;
    const subject = named.slice(at + 2, -1);
    const key = subject === 'again later' ? result.subject : lines === what ? subject : writtenAs(subject);
    const results = this.#at(key);
    if (results[results.length - 1] !== result) results.push(result);
  }

  /** @param {string} key */
  #at(key) {
    let results = this.#results.get(key);
    if (!results) this.#results.set(key, (results = []));
    return results;
  }

  /** What leads to one subject leads on to another. @param {string} from @param {string} to */
  passOn(from, to) {
    if (from === to) return;
    const results = this.#at(to);
    for (const other of this.#results.get(from) ?? [])
      if (results.length <= MOST && !results.includes(other)) results.push(other);
  }

  /** Whether what refers to a subject stands in some results only. @param {string} subject @param {readonly Result[]} known */
  areIn(subject, known) {
    const results = this.#results.get(subject) ?? [];
    return results.length <= MOST && results.every((result) => known.includes(result));
  }
}
