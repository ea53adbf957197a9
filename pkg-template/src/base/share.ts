/**
 * A copy of an object with some properties changed, everything else shared. The copy is of the
 * same class; a key such as `__proto__` is copied like any other.
 */
export function withChanges<T extends object>(object: T, changes: object): T {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Object.prototype) return { ...object, ...changes };
  const copy = Object.create(prototype as object | null, Object.getOwnPropertyDescriptors(object)) as T;
  for (const [key, value] of Object.entries(changes)) {
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** Whether something is an object of no class. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // That of another realm: a frame's, or that of a worker's test runner.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}
