/** What rules find in a session, such as the user's requests, changed files and open errors: a summary must keep it. */

/** Stands before the facts in a prompt for a summary. */
export const INTRODUCTION = 'These facts were read from the session. Keep all that still matter:';

/** A digest of the whole history. */
export const OF_ALL = { preserve: { messages: 0 }, keepFirstRequest: false } as const;

/** The text of a message's content: a string, or parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}
