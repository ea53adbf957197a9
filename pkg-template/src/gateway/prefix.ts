/** What a request is made of, by sizes and prints: `caches.ts` compares them with those of earlier requests. */

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

function printOf(value: object): Print {
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

/** What a request is made of, in order: the size of each part, and its print. */
export interface Parts {
  readonly sizes: readonly number[];
  readonly prints: readonly number[];
}

/** The parts of a request: what is beside its messages, and each message. */
export function partsOf(rest: object, messages: readonly object[]): Parts {
  const list = [rest, ...messages].map(printOf);
  return { sizes: list.map(({ size }) => size), prints: list.map(({ print }) => print) };
}
