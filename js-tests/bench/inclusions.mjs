/**
 * Files that a human pasted: `--- path ---` on a line of its own up to `--- End of content ---` on a line of its own,
 * in one text block or over neighbouring ones.
 *
 * @import {Block, Content} from './model.mjs'
 * @typedef {{block: number, offset: number}} Place
 * @typedef {{path: string, start: Place, end: Place}} Inclusion  `path` as written; `end` is behind the closing line's newline
 * @typedef {{path: string, start: number, end: number}} Marker  a marker line; the closing line has an empty path
 */

const DASHES = '--- ';
const CLOSING_LINE = '--- End of content ---';
/** @type {readonly Inclusion[]} */
const NONE = Object.freeze([]);

/**
 * @param {readonly Block[]} blocks
 * @returns {readonly Inclusion[] | undefined} `undefined` if the markers are unbalanced
 */
export function findInclusions(blocks) {
  /** @type {Inclusion[]} */
  let found = /** @type {Inclusion[]} */ (NONE);
  /** @type {Inclusion | undefined} */
  let open;
  for (let block = 0; block < blocks.length; block++) {
    const { type, text } = blocks[block];
    if (type !== 'text' || typeof text !== 'string') {
      if (open) return undefined;
      continue;
    }
    let marker;
    for (let from = 0; (marker = nextMarker(text, from, open !== undefined)); from = marker.end) {
      const { path, start, end } = marker;
      if (path !== '') {
        open = { path, start: { block, offset: start }, end: { block, offset: end } };
      } else {
        if (!open) return undefined;
        open.end = { block, offset: end };
        if (found === NONE) found = [];
        found.push(open);
        open = undefined;
      }
    }
  }
  return open ? undefined : found;
}

/**
 * @param {string} text
 * @param {number} from start of a line
 * @param {boolean} inside within an inclusion only its closing line counts
 * @returns {Marker | undefined}
 */
function nextMarker(text, from, inside) {
  const needle = inside ? CLOSING_LINE : DASHES;
  for (let start = text.indexOf(needle, from); start !== -1; start = text.indexOf(needle, start + needle.length)) {
    if (start > 0 && text[start - 1] !== '\n') continue;
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, newline === -1 ? end : newline - (text[newline - 1] === '\r' ? 1 : 0));
    if (line === CLOSING_LINE) return { path: '', start, end };
    if (inside || line.length < 9 || !line.endsWith(' ---')) continue;
    const path = line.slice(4, -4);
    if (path.trim() !== '') return { path, start, end };
  }
  return undefined;
}

/**
 * The entry without these inclusions, or the entry itself if it would be left with nothing and its pointer is not shorter.
 * @param {Content} entry
 * @param {readonly Inclusion[]} inclusions in order
 * @returns {Content}
 */
export function cutInclusions(entry, inclusions) {
  const { blocks } = entry;
  const texts = remainingTexts(blocks, inclusions);
  const left = blocks.filter((_, index) => texts.get(index) !== '').length;
  if (left === 0) return emptiedEntry(entry, inclusions[0].path);
  /** @type {Block[]} */
  const kept = [];
  for (let index = 0; index < blocks.length; index++) {
    const text = texts.get(index);
    if (text === undefined) kept.push(blocks[index]);
    else if (text !== '') kept.push({ ...blocks[index], text });
  }
  return { ...entry, blocks: kept };
}

/**
 * @param {Content} entry
 * @param {string} path
 * @returns {Content}
 */
function emptiedEntry(entry, path) {
  const [first] = entry.blocks;
  const text = `[Earlier inclusion of ${path} removed]`;
  return text.length < first.text.length ? { ...entry, blocks: [{ ...first, text }] } : entry;
}

/**
 * @param {readonly Block[]} blocks
 * @param {readonly Inclusion[]} inclusions
 * @returns {Map<number, string>} the texts of the blocks that are touched
 */
function remainingTexts(blocks, inclusions) {
  /** @type {Map<number, string>} */
  const texts = new Map();
  for (let i = inclusions.length - 1; i >= 0; i--) {
    const { start, end } = inclusions[i];
    for (let block = start.block; block <= end.block; block++) {
      const text = texts.get(block) ?? blocks[block].text;
      const head = block === start.block ? text.slice(0, start.offset) : '';
      const rest = block === end.block ? text.slice(end.offset) : '';
      texts.set(block, head + rest);
    }
  }
  return texts;
}
