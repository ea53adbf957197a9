import { wrongOption } from '../base/options.js';

/** The value of an option that must be a number of at least `least`. */
export function checkNumber(key: string, value: unknown, least: number): number {
  if (typeof value === 'number' && value >= least && Number.isFinite(value)) return value;
  throw wrongOption(key, value, `a number of at least ${least}`);
}
