/** The value of a JSON text; `undefined`, which no JSON text stands for, if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A syntax error, or, on engines whose parser recurses, JSON that is too deep.
    return undefined;
  }
}

/** A value as JSON text; `undefined` if JSON can't hold it, or if reading it throws. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
