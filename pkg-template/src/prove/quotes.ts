import type { IContent } from '../base/content.js';
import { blocksOf, read } from '../replay/odd.js';
import { linesOf, QUOTES_OLD, textsOf } from '../replay/texts.js';
import type { Share } from '../replay/types.js';

/** The texts that the edits of an entry quote: an edit fails unless they are right to the letter. */
export function quotesOf(content: IContent | undefined): readonly string[] {
  if (content === undefined || read(content, 'speaker') !== 'ai') return [];
  return blocksOf(content).flatMap(({ type, parameters }) => (type === 'tool_call' ? quoted(parameters) : []));
}

function quoted(parameters: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [parameters];
  for (let looked = 0; open.length > 0 && looked < 10_000; looked += 1) {
    const next = open.pop();
    if (typeof next === 'string' && next.includes('*** Begin Patch')) found.push(...hunksOf(next));
    if (typeof next !== 'object' || next === null) continue;
    for (const key of Object.keys(next)) {
      const value = read(next, key);
      if (QUOTES_OLD.includes(key) && typeof value === 'string') {
        const text = plain(value);
        if (text !== '') found.push(text);
      } else open.push(value);
    }
  }
  return found;
}

/** The lines that each hunk of a patch expects in the file. */
function hunksOf(patch: string): string[] {
  const hunks: string[][] = [[]];
  for (const line of patch.split('\n')) {
    if (!/^[ +-](?!--|\+\+)/.test(line)) hunks.push([]);
    else if (!line.startsWith('+')) hunks.at(-1)!.push(line.slice(1));
  }
  return hunks.map((lines) => plain(lines.join('\n'))).filter((text) => text.trim() !== '');
}

/** A text's lines without the numbers that tools put before them. */
const plain = (text: string): string => linesOf(text).join('\n');

/** Counts the quotes that the whole history holds, and those that the packed one still holds. */
export function quotesLeft(quotes: readonly string[], full: readonly IContent[], left: readonly IContent[]): Share {
  if (quotes.length === 0) return { kept: 0, of: 0 };
  const [before, after] = [full, left].map((contents) => contents.flatMap(textsOf).map(plain).join('\n'));
  const known = quotes.filter((quote) => before!.includes(quote));
  return { kept: known.filter((quote) => after!.includes(quote)).length, of: known.length };
}
