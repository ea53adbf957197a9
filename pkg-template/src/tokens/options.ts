import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';

/** The value of an option that must be a number of at least `least`. */
export function checkNumber(key: string, value: unknown, least: number): number {
  if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
  const message = `option ${key}: found ${describe(value)}, expected a number of at least ${least}`;
  throw densifyError('invalid-options', message, { key });
}
