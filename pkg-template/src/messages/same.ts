import { MOST_NODES } from '../base/walk.js';
import type { Bag } from './facts.js';

/** How deep values are compared; what is nested deeper counts as different. */
const DEEPEST = 64;

/** How many values may still be compared; after that, the rest counts as different. */
interface Budget {
  left: number;
}

/**
 * Whether two values are alike in all that JSON writes of them. What is of a class, or throws, counts as different:
 * who asks then looks closer.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  try {
    return isSameValue(one, other, 0, { left: MOST_NODES });
  } catch {
    return false;
  }
}

function isSameValue(one: unknown, other: unknown, depth: number, budget: Budget): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (depth > DEEPEST) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other, depth + 1, budget);
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.prototype || Object.getPrototypeOf(other) !== prototype) return false;
  let left = 0;
  for (const key in one) {
    left += 1;
    if ((budget.left -= 1) < 0) return false;
    if (!isSameValue((one as Bag)[key], (other as Bag)[key], depth + 1, budget)) return false;
  }
  for (const _ in other) left -= 1;
  return left === 0;
}

function isSameList(one: readonly unknown[], other: readonly unknown[], depth: number, budget: Budget): boolean {
  if (one.length !== other.length || (budget.left -= one.length) < 0) return false;
  for (let at = 0; at < one.length; at += 1) if (!isSameValue(one[at], other[at], depth, budget)) return false;
  return true;
}

/** Whether two values hold the same under the same names, of any class: for values that were read as plain. */
export function holdsSame(one: unknown, other: unknown, budget: Budget = { left: MOST_NODES }): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length || (budget.left -= keys.length) < 0) return false;
  return keys.every((key) => holdsSame((one as Bag)[key], (other as Bag)[key], budget));
}
