/**
 * Lines, paths and the short texts that stand for what was cut, as the baseline of `balanced` sees them.
 *
 * @typedef {object} Row a line that isn't blank
 * @property {string} content without its number and what is blank at its end
 * @property {number | undefined} number
 * @property {number} start
 * @property {number} end its line break included
 *
 * @typedef {[first: number, last: number]} Lines from 1 on, both ends among them; up to {@link END}: to the file's end
 */

/** The end of a file, wherever that is. */
export const END = 0xffff_ffff;
/** The beginning of a line of ours; such a line is no content. */
export const OURS = '[… ';

/** A text of ours without the reference to what it stands for. @param {string} text */
export function unreferred(text) {
  return text.replace(/ \(recall r[\s\S]{13}\)\]$/, ']');
}

const NUMBER = /^ {0,8}(\d{1,7})(?:→|\t|\| |\||: |:(?=\n))/;

/** @param {string} line @returns {[number: number, length: number] | undefined} */
export function numberBefore(line) {
  const first = line.charCodeAt(0);
  if (first !== 32 && (first < 48 || first > 57)) return undefined;
  const found = NUMBER.exec(line);
  // Behind a bare number a tab or a bar parts data.
  if (!found || /^(?!0)\d{1,5}(?:\t|\|(?! ))/.test(line)) return undefined;
  return [Number(found[1]), found[0].length];
}

/** The lines of a text with their breaks. @param {string} text @param {(line: string, start: number, end: number) => void} each */
export function eachLine(text, each) {
  let start = 0;
  while (start < text.length) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at + 1;
    each(text.slice(start, end), start, end);
    start = end;
  }
}

/** @param {string} text @param {boolean} isNumbered whether the numbers before lines are no content */
export function rowsOf(text, isNumbered) {
  /** @type {Row[]} */
  const rows = [];
  eachLine(text, (line, start, end) => {
    const numbered = isNumbered ? numberBefore(line) : undefined;
    const content = (numbered ? line.slice(numbered[1]) : line).trimEnd();
    if (content !== '') rows.push({ content, number: numbered?.[0], start, end });
  });
  return rows;
}

/** Lines by number: equal lines have one. */
export class LineNumbers {
  /** @type {Map<string, number>} */
  #numbers = new Map();

  /** 0 for a line of ours. @param {string} content */
  of(content) {
    if (content.startsWith(OURS)) return 0;
    let number = this.#numbers.get(content);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(content, number);
    }
    return number;
  }
}

const PART = 80;

/** A tool's name with the key parameter of a call. @param {string} tool @param {string | undefined} key */
export function subjectOf(tool, key) {
  const name = clipEnd(oneLine(tool));
  const text = key === undefined ? '' : oneLine(key);
  if (text === '') return name;
  const isPath = /[/\\]/.test(text) && !text.includes(' ');
  return `${name}: ${isPath ? clipStart(text) : clipEnd(text)}`;
}

/** @param {string} text */
const oneLine = (text) => text.trim().replace(/\p{Cc}/gu, ' ');

/** @param {string} text */
function clipEnd(text) {
  if (text.length <= PART) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > PART - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** @param {string} text */
function clipStart(text) {
  if (text.length <= PART) return text;
  let kept = '';
  for (const character of Array.from(text).reverse()) {
    if (kept.length + character.length > PART - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/** @param {string} text */
export const jsonLength = (text) => JSON.stringify(text).length;

const KEYS = 'file_path absolute_path path filePath notebook_path filename paths command cmd pattern query url prompt'
  .split(' ')
  .concat('description');

/** What a call was about. @param {any} parameters @returns {string | undefined} */
export function keyParameter(parameters) {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) return undefined;
  for (const key of KEYS) {
    const value = parameters[key];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string'))
      return value.join(', ');
  }
  return undefined;
}
