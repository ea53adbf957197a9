export function json(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 1) ?? '';
  } catch {
    return String(value);
  }
}

/** A text as it is, anything else as JSON: logs have anything anywhere. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : json(value);

/** The text that a model would see of a result. */
export function payloadText(result: unknown): string {
  if (typeof result === 'string') return result;
  if (typeof result === 'object' && result !== null && 'output' in result && typeof result.output === 'string') {
    return result.output;
  }
  return json(result);
}
