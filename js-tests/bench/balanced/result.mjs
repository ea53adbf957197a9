/**
 * A call's result, and what has become of it. Offsets count UTF-16 code units of the text as it came.
 *
 * @import {Facts} from './tools.mjs'
 * @import {Block} from '../model.mjs'
 *
 * @typedef {object} Call
 * @property {number} entry
 * @property {Block} block
 * @property {Facts} facts
 */
import { eachLine, jsonLength, keyParameter, numberBefore, OURS, subjectOf, unreferred } from './text.mjs';

/** Longer ones can't be a pointer, and aren't measured to the last escaped character. */
const BRACKETED = 512;

/** @param {any} result @param {string} json */
function sizeOf(result, json) {
  if (typeof result === 'string') return result.length > BRACKETED ? result.length + 2 : json.length;
  return typeof result?.output === 'string' && result.output.length > BRACKETED ? result.output.length : json.length;
}

export class Result {
  /** @type {string} the editable text, or the payload as JSON */ text;
  /** @type {number} of the payload as JSON, at least */ size;
  /** @type {boolean} */ isString;
  /** @type {boolean} a string, or an object whose `output` is one */ isText;
  /** @type {boolean} */ isFixed;
  isCompacted;
  isFailed;
  /** @type {string | undefined} stands in the place of the whole payload */ replacement;
  /** @type {{start: number, end: number, text: string}[]} in order; of two that begin together the longer one first */ spans =
    [];
  /** @type {[start: number, end: number][]} whose lines lose their numbers */ unnumbered = [];
  saved = 0;
  /** @type {Set<Result>} */ #touched;
  /** @type {string | undefined} */ #subject;

  /**
   * @param {number} entry
   * @param {Block} block
   * @param {Call | undefined} call
   * @param {Set<Result>} touched where it is noted once it was changed
   */
  constructor(entry, block, call, touched) {
    this.#touched = touched;
    this.entry = entry;
    this.block = block;
    this.call = call;
    const { result } = block;
    this.isString = typeof result === 'string';
    this.isText = this.isString || typeof result?.output === 'string';
    this.isFixed = result === undefined || result === null;
    const json = this.isFixed ? '' : JSON.stringify(result);
    this.size = sizeOf(result, json);
    this.text = this.isString ? result : this.isText ? result.output : json;
    this.isCompacted = this.isString && result.length <= BRACKETED && isPointer(result, block.toolName);
    this.isFailed = saysFailure(block);
  }

  /** What stands beside the text, as JSON. */
  get rest() {
    const { result } = this.block;
    if (typeof result !== 'object' || result === null || Object.keys(result).length < 2) return '';
    const { output: _, ...rest } = result;
    return JSON.stringify(rest);
  }

  get mayReplace() {
    return !this.isCompacted && !this.isFixed;
  }

  get mayPatch() {
    return this.mayReplace && this.isString;
  }

  get subject() {
    const { call, block } = this;
    this.#subject ??= call
      ? subjectOf(call.block.name, keyParameter(call.block.parameters))
      : subjectOf(block.toolName, undefined);
    return this.#subject;
  }

  /** Puts a text in the place of the payload, if it is shorter. @param {string} text */
  replace(text) {
    if (!this.mayReplace || jsonLength(text) >= this.size - this.saved) return false;
    this.replacement = text;
    this.isCompacted = true;
    this.#touched.add(this);
    return true;
  }

  /** @param {{start: number, end: number, text: string}[]} changes */
  patch(changes) {
    if (!this.mayPatch || changes.length === 0) return false;
    for (const change of changes) this.#add(change);
    this.#touched.add(this);
    return true;
  }

  /** @param {{start: number, end: number, text: string}} change */
  #add(change) {
    const { start, end, text } = change;
    let known = jsonLength(text);
    for (const span of this.spans) if (start <= span.start && span.end <= end) known += span.end - span.start;
    this.saved += Math.max(0, end - start - known);
    let at = this.spans.length;
    while (
      at > 0 &&
      (this.spans[at - 1].start > start || (this.spans[at - 1].start === start && this.spans[at - 1].end <= end))
    )
      at--;
    this.spans.splice(at, 0, change);
  }

  /** @param {[start: number, end: number][]} spans */
  unnumber(spans) {
    if (spans.length === 0) return;
    this.unnumbered.push(...spans);
    this.#touched.add(this);
  }

  /** The block as it is now. @returns {Block} */
  current() {
    if (this.replacement !== undefined) return { ...this.block, result: this.replacement };
    return { ...this.block, result: this.#patched() };
  }

  #patched() {
    const { spans, unnumbered } = this;
    let left = '';
    let [next, series, hidden] = [0, 0, 0];
    eachLine(this.text, (line, start, end) => {
      for (; next < spans.length && spans[next].start <= start; next++) {
        if (spans[next].start >= hidden) left += spans[next].text;
        hidden = Math.max(hidden, spans[next].end);
      }
      if (hidden > start) return;
      while (series < unnumbered.length && unnumbered[series][1] <= start) series++;
      const loses = series < unnumbered.length && unnumbered[series][0] <= start;
      left += loses ? this.text.slice(start + (numberBefore(line)?.[1] ?? 0), end) : line;
    });
    return left;
  }
}

/** @param {string} text @param {string} tool */
function isPointer(text, tool) {
  if (!text.startsWith('[') || !text.endsWith(']')) return false;
  text = unreferred(text);
  if (text === '[Result pruned — re-run tool to retrieve]') return true;
  if (text.startsWith(OURS) && !text.includes('\n')) return true;
  if (!text.startsWith(tool, 1) || text.includes('\n')) return false;
  return /^(?:| {0}: .*) — (?:success|error)(?:, \d+ (?:lines|chars))?\]$/.test(text.slice(1 + tool.length));
}

/** @param {Block} block */
function saysFailure({ error, result }) {
  if (error) return true;
  if (typeof result !== 'object' || result === null) return false;
  const isCode = (/** @type {unknown} */ code) => typeof code === 'number' && code !== 0;
  return Boolean(result.error) || isCode(result.exit_code) || isCode(result.exitCode);
}
