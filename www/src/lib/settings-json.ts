import { complaint, DEFAULTS, type Settings } from './settings.js';
import { oneLine } from './text.js';

/** What came of reading settings: all of them, or the fault of each key. */
export type ReadSettings = { readonly settings: Partial<Settings> } | { readonly problems: readonly string[] };

export const settingsJson = (settings: Settings): string => JSON.stringify(settings, undefined, 2);

const isKey = (key: string): key is keyof Settings => Object.hasOwn(DEFAULTS, key);

/** Whether a text may be meant as settings, and not as a log. */
export function looksLikeSettings(text: string): boolean {
  const found = parsed(text);
  return found !== undefined && Object.keys(found).some(isKey) && !('contents' in found) && !('messages' in found);
}

/** Reads settings as they were exported; keys that aren't there stay as they are. Nothing is taken if anything is wrong. */
export function fromJson(text: string): ReadSettings {
  const found = parsed(text);
  if (!found) return { problems: ['This isn’t a JSON object. Settings look like {"strategy": "auto"}.'] };
  const problems = Object.entries(found).flatMap(([key, value]) => {
    if (!isKey(key))
      return [`${oneLine(key, 60)}: an unknown key, expected one of ${Object.keys(DEFAULTS).join(', ')}`];
    const expected = complaint(key, value);
    return expected === undefined ? [] : [`${key}: found ${oneLine(JSON.stringify(value), 60)}, expected ${expected}`];
  });
  return problems.length > 0 ? { problems } : { settings: found };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
