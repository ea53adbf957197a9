/**
 * What results say of themselves: that they are a part, that a call did nothing, that it wrote.
 *
 * @import {Row} from './text.mjs'
 */
const PARTS =
  /uncated|(?<![a-zA-Z])[oO]mitted|more lines|clipped|Showing |\[… |… [(+]|lided|lines skipped|nipped|\[snip|not shown/;
/** So long lines tools cut, some without a word. */
const LONG = 2000;
const NOTHING =
  /no such file|not found|error|denied|permission|cancel|abort|interrupt|decline|skipped|dry[ -]run|review|would|could|should|not applied|no change|no space|read-only|wait|directory|unchanged|not exist|empty|fail|refus|cannot|reject|timed out|exit code 1/;
const STUB = 5;
const WROTE = /^(?:created|wrote|written|overwrote|overwritten|updated|saved|success|successful|successfully|done|ok)$/;
const UNLESS = /(?<![^ ])(?:since|must|before|unless|until|exists|blocked|invalid|unable|false)(?![^ ])/;

/** Whether a text is a few words on why there is nothing. @param {string} text */
export function saysNothing(text) {
  if (text.startsWith('Traceback')) return true;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    if (++breaks === STUB) return false;
  return NOTHING.test(wordsOf(text));
}

/** Whether what a call gave that writes a file says so, or says nothing at all. @param {string} text */
export function saysWritten(text) {
  const lines = text.split('\n', STUB + 1);
  const words = wordsOf(lines.join('\n'));
  if (words === '') return true;
  const all = words.split(' ');
  const not = all.findIndex((word) => /^(?:not|never|nothing|already)$|n't$/.test(word));
  const isWritten = all.slice(0, not < 0 ? all.length : not).some((word) => WROTE.test(word));
  return (isWritten || /code 0|no output/.test(words)) && !NOTHING.test(wordsOf(lines[0])) && !UNLESS.test(words);
}

/** In lower case, without paths: files are called `error.rs`, too. @param {string} text */
function wordsOf(text) {
  const words = text.split(/[\s"{}[\]()<>,;!*=:]+/).filter((word) => !/[/\\]/.test(word));
  return words
    .map((word) => word.replace(/^[.']+|[.']+$/g, '').toLowerCase())
    .filter((word) => word !== '')
    .join(' ');
}

/** Whether a result may leave out lines, or ends of lines. @param {string} text @param {readonly Row[]} rows */
export function isPart(text, rows) {
  const isCut = (/** @type {Row} */ { content }) =>
    content.length >= LONG || (content.length >= LONG / 10 && /\.\.\.$|…$/.test(content));
  return rows.some(isCut) || PARTS.test(text);
}
