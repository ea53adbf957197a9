/** What is left of a call's arguments when a later result shows what they wrote. */
import { keptKeys, longArgument } from './generated/constants.js';
import { isPlain, withChanges } from './share.js';

const KEPT: ReadonlySet<string> = new Set(keptKeys);

/** Arguments with a text in the place of each long string; what isn't plain stays. */
export function shortened(value: unknown, text: string): unknown {
  return shortenedUnder(false, value, text);
}

function shortenedUnder(isKept: boolean, value: unknown, text: string): unknown {
  if (typeof value === 'string') return !isKept && value.length >= longArgument ? text : value;
  if (Array.isArray(value)) return value.map((item) => shortenedUnder(isKept, item, text));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const changed = Object.entries(value).map(([key, item]) => [key, shortenedUnder(KEPT.has(key), item, text)] as const);
  return withChanges(value, Object.fromEntries(changed));
}

/** A string of JSON, with what stands behind a key. */
const LITERAL = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs;

/** The same of arguments as JSON text, of which all else stays letter by letter; of others as of any value. */
export function shortenedText(json: unknown, text: string): unknown {
  if (typeof json !== 'string') return shortened(json, text);
  const short = JSON.stringify(text);
  let isKept = false;
  return json.replace(LITERAL, (literal, inner: string, colon: string | undefined) => {
    if (colon !== undefined) isKept = KEPT.has(inner);
    if (isKept) return literal;
    const isLong = inner.length >= longArgument && inner.replace(ESCAPE, '_').length >= longArgument;
    return isLong && colon === undefined ? short : literal;
  });
}
