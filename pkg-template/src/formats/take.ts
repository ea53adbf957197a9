/** What a verb's options say of the target, and the rest of them. */

import { densifyError } from '../base/errors.js';
import { describe, readOption } from '../base/options.js';
import type { Adapter } from '../messages/adapter.js';
import { factorOf } from '../models/measured.js';
import { pricesOf } from '../models/prices.js';
import type { Target } from '../models/target.js';
import { adapterFor, targetKeys } from './adapter.js';
import type { Format } from './format.js';
import { imageFormulaOf } from './images.js';

interface Taken<M, L extends object, O extends Target, T> {
  readonly adapter: Adapter<M>;
  /** The format as it is for the target. */
  readonly format: Format<L, O>;
  readonly rest: T | undefined;
  /** What the options say of the target. */
  readonly target: O;
}

/**
 * An adapter for the options' target, and the options without the target's keys. Summaries read `model` and
 * `provider` too: whose prompts are looked up. What the options don't say, `known` may.
 */
export function take<M extends L, L extends object, O extends Target, T extends object>(
  format: Format<L, O>,
  options: (T & O) | undefined,
  isSummary = false,
  known: Readonly<Record<string, string>> = {},
): Taken<M, L, O, T> {
  const keys = targetKeys(format);
  const target = targetOf<O>(options, keys, known);
  const capabilities = format.capabilities(target);
  const chosen = format.forTarget?.(target) ?? format;
  const images = imageFormulaOf(chosen, target);
  const factor = factorOf(target, chosen.family);
  const rest = withoutKeys<T>(options, isSummary ? format.options : keys);
  const { cacheTtl } = pricesOf(target.model);
  const adapter = adapterFor(chosen, capabilities, images, factor, cacheTtl) as unknown as Adapter<M>;
  return { adapter, format: chosen, rest, target };
}

/** Whether something can be read as options. */
export function isObject(options: unknown): options is object {
  return typeof options === 'object' && options !== null && !Array.isArray(options);
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
      throw densifyError('invalid-options', `option ${key}: found ${describe(value)}, expected a string`, { key });
    }
    if (value !== undefined) target[key] = value;
  }
  return target as O;
}

/** Options without some keys; whatever isn't an object is refused by who reads it. */
function withoutKeys<T extends object>(options: T | undefined, keys: readonly string[]): T | undefined {
  if (!isObject(options) || !keys.some((key) => key in options)) return options;
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(options)) if (!keys.includes(key)) rest[key] = readOption(options, key);
  return rest as T;
}
