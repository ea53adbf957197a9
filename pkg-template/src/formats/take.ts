/** What a verb's options say of the target, and the rest of them. */

import { isObject, readOption, wrongOption } from '../base/options.js';
import type { Adapter } from '../messages/adapter.js';
import { factorOf } from '../models/measured.js';
import { pricesOf } from '../models/prices.js';
import type { Target } from '../models/target.js';
import { adapterFor, targetKeys } from './adapter.js';
import type { Format, OwnFormat, Readable } from './format.js';
import { imageFormulaOf } from './images.js';

interface Taken<M, L extends object, O extends Target, T> {
  readonly adapter: Adapter<M>;
  /** The format as it is for the target; densify's own contents have none. */
  readonly format?: Format<L, O>;
  readonly rest: T | undefined;
  /** What the options say of the target. */
  readonly target: O;
}

/**
 * An adapter for the options' target, and the options without the target's keys. Summaries read `model` and
 * `provider` too: whose prompts are looked up. What the options don't say, `known` may.
 */
export function take<M extends L, L extends object, O extends Target, T extends object>(
  format: Readable<L, O>,
  options: (T & O) | undefined,
  isSummary = false,
  known: Readonly<Record<string, string>> = {},
): Taken<M, L, O, T> {
  if (isOwn(format)) return { adapter: format.adapter as unknown as Adapter<M>, rest: options, target: {} as O };
  const keys = targetKeys(format);
  const target = targetOf<O>(options, keys, known);
  const capabilities = format.capabilities(target);
  const chosen = format.forTarget?.(target) ?? format;
  const images = imageFormulaOf(chosen, target);
  const factor = factorOf(target, chosen.family);
  const rest = withoutKeys<T>(options, isSummary ? format.options : keys);
  const prices = target.model === undefined ? undefined : pricesOf(target.model);
  const adapter = adapterFor(chosen, capabilities, images, factor, prices) as unknown as Adapter<M>;
  return { adapter, format: chosen, rest, target };
}

/** A format for no target in particular. */
export function untargeted<M extends L, L extends object, O extends Target>(format: Readable<L, O>): Adapter<M> {
  return (isOwn(format) ? format.adapter : adapterFor(format, 0)) as unknown as Adapter<M>;
}

function isOwn<L extends object, O extends Target>(format: Readable<L, O>): format is OwnFormat<L> {
  return 'adapter' in format;
}

/** What options say of the target. */
function targetOf<O extends Target>(
  options: unknown,
  keys: readonly string[],
  known: Readonly<Record<string, string>>,
): O {
  const target: Record<string, unknown> = {};
  for (const key of keys) {
    target[key] = Object.hasOwn(known, key) ? known[key] : undefined;
    if (!isObject(options)) continue;
    const value = key in options ? readOption(options, key) : undefined;
    if (value !== undefined && typeof value !== 'string') {
      throw wrongOption(key, value, 'a string');
    }
    if (value !== undefined) target[key] = value;
  }
  return target as O;
}

/** Options without some keys; a value that isn't an object is refused where it is read. */
function withoutKeys<T extends object>(options: T | undefined, keys: readonly string[]): T | undefined {
  if (!isObject(options) || !keys.some((key) => key in options)) return options;
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(options)) if (!keys.includes(key)) rest[key] = readOption(options, key);
  return rest as T;
}
