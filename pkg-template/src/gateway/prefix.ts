/**
 * How much of a request the provider's prompt cache can hold: what it begins with in common with the request before it.
 * These are figures for reports. Nothing is decided by them.
 */

/** A message's size in characters, and a number that tells it from others, nearly always. */
interface Print {
  readonly size: number;
  readonly print: number;
}

/** Keys that move from request to request; the model doesn't read them. */
const MARKS: ReadonlySet<string> = new Set(['cache_control', 'cachePoint']);
/** Characters of a text that are read for its print. */
const SAMPLES = 48;

const prints = new WeakMap<object, Print>();

export function printOf(value: object): Print {
  let known = prints.get(value);
  if (known === undefined) prints.set(value, (known = measured(value)));
  return known;
}

function measured(value: unknown): Print {
  let size = 0;
  let print = 17;
  const mix = (number: number) => {
    print = (Math.imul(print, 31) + number) | 0;
  };
  const read = (held: unknown): void => {
    if (typeof held === 'string') {
      size += held.length;
      mix(held.length);
      const step = Math.max(1, Math.floor(held.length / SAMPLES));
      for (let at = 0; at < held.length; at += step) mix(held.charCodeAt(at));
    } else if (typeof held === 'object' && held !== null) {
      for (const [key, inner] of Object.entries(held)) {
        if (MARKS.has(key)) continue;
        size += 4;
        read(inner);
      }
    } else {
      size += 4;
      mix(Number(held) | 0);
    }
  };
  read(value);
  return { size, print };
}

/** The requests of one session, one after the other. */
export class Prefix {
  #before: readonly number[] = [];

  /** Characters of a request, and those of them that the request before it began with; a count fills no cache. */
  next(
    rest: object,
    messages: readonly object[],
    isCount: boolean,
  ): { readonly size: number; readonly cached: number } {
    const list = [rest, ...messages].map(printOf);
    let size = 0;
    let cached = 0;
    let isSame = true;
    list.forEach(({ size: own, print }, at) => {
      isSame &&= this.#before[at] === print;
      size += own;
      if (isSame) cached += own;
    });
    if (!isCount) this.#before = list.map(({ print }) => print);
    return { size, cached };
  }
}
