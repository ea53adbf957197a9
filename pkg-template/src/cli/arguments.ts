import { questionAbout } from '../base/nearest.js';

/** The options that a command takes, by their names without the dashes. */
export interface Accepted {
  /** Options with a value: `--window=200000` or `--window 200000`. */
  readonly valued: readonly string[];
  /** Options without one. */
  readonly switches: readonly string[];
}

/** Arguments, read. */
export interface Arguments {
  readonly options: ReadonlyMap<string, string>;
  /** What isn't an option, in order; everything behind `--` is none. */
  readonly others: readonly string[];
}

/** Reads a command's arguments; a text says what is wrong with them. */
export function argumentsOf(given: readonly string[], { valued, switches }: Accepted): Arguments | string {
  const options = new Map<string, string>();
  const others: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const each = given[at]!;
    if (each === '--') {
      others.push(...given.slice(at + 1));
      break;
    }
    const [, key, written] = /^--([a-z]+(?:-[a-z]+)*)(?:=(.*))?$/s.exec(each) ?? [];
    // A value may also be an argument of its own.
    const isApart = written === undefined && key !== undefined && valued.includes(key) && at + 1 < given.length;
    const value = isApart ? given[(at += 1)] : written;
    if (key === undefined) others.push(each);
    else if (!valued.includes(key) && !switches.includes(key)) {
      const known = [...valued, ...switches].map((name) => `--${name}`);
      return `unknown option ${each}, expected one of ${known.join(', ')}${questionAbout(`--${key}`, known)}`;
    } else if ((value === undefined) !== switches.includes(key)) {
      return `option --${key}: ${value === undefined ? `expected --${key}=…` : 'it takes no value'}`;
    } else options.set(key, value ?? '');
  }
  return { options, others };
}

/** A number as people write it; an empty text or `0x10` is none. */
export const numberOf = (text: string): number => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
