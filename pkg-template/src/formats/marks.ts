/** Messages without the breakpoints of the provider's cache, which wander with the end of a history. */
import { jsonText } from '../messages/measure.js';

/** The keys under which formats have them. */
const MARKS: ReadonlySet<string> = new Set([
  'cache_control',
  'cacheControl',
  'cachePoint',
  'prompt_cache_breakpoint',
  'promptCacheBreakpoint',
]);

/** What makes the text of a message differ from its text without breakpoints: a mark, or a text that became a block. */
const MARKED =
  /"(?:cache_control|cacheControl|cachePoint|prompt_cache_breakpoint|promptCacheBreakpoint)":|"content":\[\{"t(?:ype":"text"|ext":)/;

/**
 * A message as text, the same wherever its breakpoints are: a text that had to become a block for one is a text too.
 * Few messages bear a breakpoint, and writing without a replacer is several times as fast.
 */
export function textWithoutMarks(message: unknown): string {
  try {
    const text = JSON.stringify(message) ?? '';
    return MARKED.test(text) ? (JSON.stringify(message, withoutMark) ?? '') : text;
  } catch {
    return jsonText(message);
  }
}

function withoutMark(key: string, value: unknown): unknown {
  if (MARKS.has(key) || isOnlyMarks(value)) return undefined;
  if (key !== 'content' || !Array.isArray(value) || value.length !== 1) return value;
  const [part] = value as readonly unknown[];
  if (typeof part !== 'object' || part === null) return value;
  const { type, text, ...rest } = part as Readonly<Record<string, unknown>>;
  const isBare = type === 'text' && Object.entries(rest).every(([name, held]) => withoutMark(name, held) === undefined);
  return isBare ? text : value;
}

/** Whether an object holds breakpoints and nothing else, such as options of providers. */
function isOnlyMarks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, held]) => MARKS.has(key) || isOnlyMarks(held));
}
