/** A value of JSON text; `undefined` for what isn't JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
