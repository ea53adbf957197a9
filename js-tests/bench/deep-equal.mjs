/** Stands for `node:util` in pages: equality of what JSON can say, and `undefined` as a value of its own. */

/**
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
export function isDeepStrictEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(one[key], other[key]));
}
