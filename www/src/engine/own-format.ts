import type { IContent } from 'densify';

/** A conversation in densify's own model, as the demo's files and the playground's exports hold it. */
export interface Own {
  readonly title?: string;
  readonly description?: string;
  readonly workspaceRoot?: string;
  readonly contents: readonly IContent[];
}

/** Reads contents as JSON: a list of them, or an object that has it as `contents`. */
export function readOwn(text: string): Own | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 100))) return undefined;
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { contents = found, ...rest } = (Array.isArray(found) ? { contents: found } : found) as Record<string, unknown>;
  if (!Array.isArray(contents) || contents.length === 0 || !contents.every(isContent)) return undefined;
  const named = (key: string): Record<string, string> => (isUsable(rest[key]) ? { [key]: rest[key] } : {});
  return { ...named('title'), ...named('description'), ...named('workspaceRoot'), contents };
}

/** Options are checked more strictly than contents: a text with half a character is none. */
const isUsable = (value: unknown): value is string => typeof value === 'string' && !/\p{Cs}/u.test(value);

function isContent(value: unknown): value is IContent {
  if (typeof value !== 'object' || value === null) return false;
  const { speaker, blocks } = value as Record<string, unknown>;
  if (speaker !== 'human' && speaker !== 'ai' && speaker !== 'tool') return false;
  return (
    Array.isArray(blocks) && blocks.every((block) => typeof block === 'object' && block !== null && 'type' in block)
  );
}
