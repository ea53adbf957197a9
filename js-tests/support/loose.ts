// Messages with any value at any place.

export type Message = Readonly<Record<string, unknown>>;

export const bagOf = (value: unknown): Message =>
  typeof value === 'object' && value !== null ? (value as Message) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A text as it is, anything else as JSON. */
export const string = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
