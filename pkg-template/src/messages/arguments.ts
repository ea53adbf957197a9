/** Shortens a call's arguments when a later result shows the text they wrote. */

import { isPlain, withChanges } from '../base/share.js';
import { longArgument, writtenKeys } from '../generated/constants.js';

const WRITTEN: ReadonlySet<string> = new Set(writtenKeys);
/** The parameter that lists several changes of one call. */
const PARTS = 'edits';

/** Arguments with a text in place of each long string that the call wrote. Values of a class stay unchanged. */
export function shortened(value: unknown, text: string): unknown {
  const outer = shortenedMembers(value, text);
  const parts = isPlain(outer) ? outer[PARTS] : undefined;
  if (!Array.isArray(parts)) return outer;
  return withChanges(outer as object, { [PARTS]: parts.map((part) => shortenedMembers(part, text)) });
}

function shortenedMembers(value: unknown, text: string): unknown {
  if (!isPlain(value)) return value;
  const long = Object.keys(value).filter((key) => WRITTEN.has(key) && isLong(value[key]));
  return withChanges(value, Object.fromEntries(long.map((key) => [key, text])));
}

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length >= longArgument;

/** What opens and closes in JSON, and its strings, with what stands behind a key. */
const TOKEN = /[{}[\]]|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs;

/** The same for arguments as JSON text: everything else in it stays letter by letter. Arguments of other types as above. */
export function shortenedText(json: unknown, text: string): unknown {
  if (typeof json !== 'string') return shortened(json, text);
  const short = JSON.stringify(text);
  // What opened around a string, and the last key there and among all arguments.
  let [around, key, outer] = ['', '', ''];
  return json.replace(TOKEN, (token, inner: string | undefined, colon: string | undefined) => {
    if (inner === undefined) {
      around = token === '{' || token === '[' ? around + token : around.slice(0, -1);
      return token;
    }
    if (colon !== undefined) {
      key = inner;
      if (around.length === 1) outer = inner;
      return token;
    }
    const isWritten = WRITTEN.has(key) && (around === '{' || (around === '{[{' && outer === PARTS));
    return isWritten && isLong(inner) && isLong(inner.replace(ESCAPE, '_')) ? short : token;
  });
}
