/**
 * A copy of an object with some properties changed; all other values are shared. The copy has the same class, and a key such as
 * `__proto__` is copied like any other.
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

/** Whether a value is an object of no class; lists are not. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // The prototype of another realm, such as a frame or a test runner's worker.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}
