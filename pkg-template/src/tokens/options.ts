import { densifyError } from '../base/errors.js';
import { describe, isObject, onlyKnown } from '../base/options.js';

/** Refuses options that don't exist. */
export function checkOptions(options: unknown, known: readonly string[]): void {
  if (options === undefined) return;
  if (!isObject(options)) {
    throw densifyError('invalid-options', `options: found ${describe(options)}, expected an object`);
  }
  onlyKnown(options, known);
}

/** A number that an option must be. */
export function checkNumber(key: string, value: unknown, least: number): number {
  if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
  const message = `option ${key}: found ${describe(value)}, expected a number of at least ${least}`;
  throw densifyError('invalid-options', message, { key });
}
