import { expect } from 'vitest';

/** `expect(value).toBe(expected)` for loops that compare often: each call of vitest's `expect` takes ten microseconds. */
export function mustBe(value: unknown, expected: unknown, message?: string): void {
  if (!Object.is(value, expected)) expect(value, message).toBe(expected);
}
