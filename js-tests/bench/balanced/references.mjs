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
    if (!what.endsWith(' lines') && what !== 'the same') return;
    const subject = named.slice(at + 2, -1);
    const key = subject === 'again later' ? result.subject : subject;
    const results = this.#results.get(key);
    if (!results) this.#results.set(key, [result]);
    else if (results[results.length - 1] !== result) results.push(result);
  }

  /** Whether what refers to a subject stands in some results only. @param {string} subject @param {readonly Result[]} known */
  areIn(subject, known) {
    const results = this.#results.get(subject) ?? [];
    return results.length <= MOST && results.every((result) => known.includes(result));
  }
}
