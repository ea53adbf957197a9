// Texts for a terminal: nothing that a conversation holds may move the cursor, change colours or
// turn the writing direction, and columns are counted as a terminal counts them.

const CONTROL_PICTURES = 0x2400;
/** Control characters, invisible and direction marks, line separators, lone surrogates. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** One line of text in which everything is visible. */
export function visible(text) {
  return text.replaceAll('\t', '  ').replace(UNSAFE, (character) => {
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
    if (code === 0x7f) return '\u2421';
    return `\\u{${code.toString(16)}}`;
  });
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian wide and full-width characters. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const PICTOGRAM = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Extended_Pictographic}\ufe0f/u;
const ZERO = /^[\p{Mn}\p{Me}\u200c\u200d\ufe00-\ufe0f]+$/u;
const PLAIN = /^[\u0020-\u007e]*$/;

function graphemeWidth(grapheme) {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) || PICTOGRAM.test(grapheme) ? 2 : 1;
}

/** How many columns a text takes. */
export function columns(text) {
  if (PLAIN.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of graphemes.segment(text)) sum += graphemeWidth(segment);
  return sum;
}

/** The text, cut to at most `width` columns; a cut is marked with `ellipsis`. */
export function clip(text, width, ellipsis = '…') {
  // No character is narrower than half a column per code unit, so the rest of a huge line can't matter.
  const start = text.length > width * 16 ? text.slice(0, width * 16) : text;
  if (start === text && columns(text) <= width) return text;
  const room = width - columns(ellipsis);
  let out = '';
  let used = 0;
  for (const { segment } of graphemes.segment(start)) {
    used += graphemeWidth(segment);
    if (used > room) break;
    out += segment;
  }
  return out + ellipsis;
}

/** Pads to a width in columns: on the right, or with 'right' on the left. */
export function pad(text, width, side = 'left') {
  const blanks = ' '.repeat(Math.max(0, width - columns(text)));
  return side === 'right' ? blanks + text : text + blanks;
}

/** Lines of at most `width` columns, broken at blanks. */
export function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== '' && columns(line) + 1 + columns(word) > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

export const thousands = (number) => Math.round(number).toLocaleString('en-US');
